import { credentialPatterns, disjoint, secretAssignments } from './assignments.ts'
import { randomValues } from './entropy.ts'
import { providerKeys, type ProviderKey } from './provider-keys.ts'
import { isInLong, scan, type Scan } from './scan.ts'

/**
 * Raised with every change of the rules; rows of a lower version go through `redact` again before they are shown.
 * A library was looked at first: secretlint's recommended preset ran at 11 MB/s over texts of 2 KB (asynchronous, one
 * context a text) where ingest needs 60, and let JWTs, `curl -u` and headers pass.
 */
export const REDACTION_VERSION = 1

const pem = /-----BEGIN ([A-Z0-9 ]{3,40})-----[\s\S]*?(?:-----END [A-Z0-9 ]{3,40}-----|$(?![\s\S]))/g

/**
 * Replaces what must not reach the disk or an agent by `[redacted:<what>]`: provider keys, JWTs, PEM blocks, passwords
 * in URLs, authorization headers, values of assignments and flags that their names call secret, and random-looking
 * values. Hashes, UUIDs and paths stay. A value found once goes everywhere in the text. Idempotent.
 */
export function redact(text: string): string {
  let result = text
  // a marker may lay bare the start of the next secret: two keys without a space between
  for (let round = 0; round < 4; round++) {
    const next = redactOnce(result)
    if (next === result) break
    result = next
  }
  return result
}

function redactOnce(text: string): string {
  if (text.length < 6) return text
  const draft = new Draft(text)
  if (text.includes('-----BEGIN '))
    draft.replace(text.replace(pem, (_, label: string) => `[redacted:${label.toLowerCase().replaceAll(' ', '-')}]`))
  for (const { name, pattern } of providersIn(draft)) draft.replace(draft.text.replace(pattern, `[redacted:${name}]`))
  const values = new Set<string>()
  for (const { needles, pattern } of credentialPatterns) {
    if (!needles.some(each => draft.scanned.places.has(each))) continue
    const without = draft.text.replace(pattern, (whole: string, before: string, value: string) => {
      if (value.includes('[redacted:')) return whole
      values.add(value)
      return `${before}[redacted:credential]`
    })
    draft.replace(without)
  }
  draft.replace(cut(draft.text, secretAssignments(draft.text, draft.scanned), 'secret', values))
  draft.replace(cut(draft.text, randomValues(draft.text, draft.scanned.long), 'random', values))
  let result = draft.text
  for (const value of values) {
    if (value.length >= 8 && result.includes(value)) result = result.replaceAll(value, '[redacted:secret]')
  }
  return result
}

/** A text on its way, with what is known of it: looked at once, and again only when something was cut out. */
class Draft {
  text: string
  scanned: Scan

  constructor(text: string) {
    this.text = text
    this.scanned = scan(text)
  }

  replace(text: string): void {
    if (text === this.text) return
    this.text = text
    this.scanned = scan(text)
  }
}

const providerOf = new Map(
  providerKeys.flatMap((key, order) => key.needles.map(each => [each, { key, order }] as const)),
)

/** The provider keys that a text may hold, in their table's order. Only what is in a long run is worth a look. */
function providersIn({ text, scanned: { places, long } }: Draft): ProviderKey[] {
  if (places.size === 0 || long.length === 0) return []
  const found = new Map<number, ProviderKey>()
  for (const [needle, starts] of places) {
    const provider = providerOf.get(needle)
    if (!provider || found.has(provider.order)) continue
    if (starts.some(start => text.startsWith(needle.text, start) && isInLong(long, start)))
      found.set(provider.order, provider.key)
  }
  return [...found].sort(([a], [b]) => a - b).map(([, key]) => key)
}

function cut(text: string, places: { start: number; end: number }[], what: string, values: Set<string>): string {
  let result = ''
  let from = 0
  for (const { start, end } of disjoint(places)) {
    const value = text.slice(start, end)
    if (value.includes('[redacted:')) continue
    values.add(value)
    result += `${text.slice(from, start)}[redacted:${what}]`
    from = end
  }
  return from === 0 ? text : result + text.slice(from)
}
