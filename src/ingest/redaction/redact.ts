import { credentialPatterns, disjoint, secretAssignments } from './assignments.ts'
import { randomValues } from './entropy.ts'
import { providerKeys } from './provider-keys.ts'
import { scan, type Scan } from './scan.ts'

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
  const { held, long } = draft.scanned
  if (held.length > 0 && long.length > 0) {
    const suspects = suspectsOf(draft)
    for (const { name, needles, pattern } of providerKeys) {
      if (needles.some(each => held.includes(each) && suspects.includes(each.text)))
        draft.replace(draft.text.replace(pattern, `[redacted:${name}]`))
    }
  }
  const values = new Set<string>()
  for (const { needles, pattern } of credentialPatterns) {
    if (!needles.some(each => draft.scanned.held.includes(each) && draft.lower.includes(each.text))) continue
    const without = draft.text.replace(pattern, (whole: string, before: string, value: string) => {
      if (value.includes('[redacted:')) return whole
      values.add(value)
      return `${before}[redacted:credential]`
    })
    draft.replace(without)
  }
  draft.replace(cut(draft.text, secretAssignments(draft), 'secret', values))
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
  #lower: string | null = null

  constructor(text: string) {
    this.text = text
    this.scanned = scan(text)
  }

  /** In lower case, of the same length. */
  get lower(): string {
    this.#lower ??= lowerCase(this.text)
    return this.#lower
  }

  replace(text: string): void {
    if (text === this.text) return
    this.text = text
    this.scanned = scan(text)
    this.#lower = null
  }
}

/** The runs that may hold a provider's key, a line each: everything else in the text needs no look. */
function suspectsOf({ text, scanned: { long } }: Draft): string {
  const runs: string[] = []
  for (let n = 0; n < long.length; n += 2) runs.push(text.slice(long[n], long[n + 1]))
  return runs.join('\n')
}

/** Lower case of the same length: a few letters grow when they are lowered as a whole. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, capitals => capitals.toLowerCase())
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
