import { TIMEOUT_SECONDS, type TomlHook, type WiringEdit } from '../../harness/wiring.ts'
import type { Editor, Installed, Standing } from '../editor.ts'
import { exactRemoval, insertLast } from '../list.ts'
import { hookEvent, isOff } from '../ours.ts'
import { lineEnding, spliced, type Splice } from '../splice.ts'
import { renewed, type Trace } from '../trace.ts'
import { Unsafe } from '../unsafe.ts'
import {
  isTable,
  means,
  parseToml,
  placeOfPath,
  siteOf,
  withKey,
  written,
  writtenKey,
  type TomlDocument,
} from './document.ts'
import {
  appendBlock,
  appendToPairs,
  arrayValue,
  inserted,
  lastSpan,
  lineAfter,
  lines,
  listOf,
  meansWithout,
  removeElement,
  withArray,
  withBlankBefore,
} from './pairs.ts'
import type { Section, Span } from './scan.ts'

type Scalar = string | number | boolean
type Entry = Record<string, unknown>

/** One entry for each event among others in an array of tables, however the file writes that array. */
export function tomlHooksEditor(
  { table, name, hooks }: Extract<WiringEdit, { kind: 'toml-hooks' }>,
  harness: string,
): Editor {
  const path = { table, key: name }
  const full = [table, name]

  const entries = (document: TomlDocument): Entry[] =>
    arrayValue(document, path).map(each => {
      if (isTable(each)) return each
      throw new Unsafe(`tables were expected under "${full.join('.')}"`, placeOfPath(document, full))
    })
  const ours = (document: TomlDocument): { index: number; event: string; off: boolean; entry: Entry }[] =>
    entries(document).flatMap((entry, index) =>
      hookEvent(entry.command, harness) !== null && typeof entry.event === 'string'
        ? [{ index, event: entry.event, off: isOff(entry), entry }]
        : [],
    )
  /** The sections of an entry that has headers: its own, then those of tables within it. */
  const sectionsOf = (document: TomlDocument, index: number): Section[] => {
    const within = document.sections.filter(({ path: at }) => full.every((step, i) => at[i] === step))
    const heads = within.flatMap((section, n) => (section.array && section.path.length === full.length ? [n] : []))
    const first = heads[index]
    return first === undefined ? [] : within.slice(first, heads[index + 1])
  }
  /** An entry's own lines or inline table (tables within it may stand apart). */
  const spanOf = (document: TomlDocument, index: number): Span => {
    const item = siteOf(document, full)?.value?.items[index]
    if (item) return item
    const [section] = sectionsOf(document, index)
    return { start: section?.header?.start ?? -1, end: section ? lastSpan(section).end : -1 }
  }
  const startOf = (document: TomlDocument, index: number): number => spanOf(document, index).start
  const writtenAt = (text: string, index: number): string => {
    const { start, end } = spanOf(parseToml(text), index)
    return text.slice(start, end)
  }

  const add = (text: string, hook: TomlHook): { text: string; trace: Trace } => {
    const document = parseToml(text)
    const there = entries(document)
    const pairs = Object.entries({ event: hook.event, ...hook.keys }).map(
      ([key, value]) => `${writtenKey([key])} = ${written(value)}`,
    )
    const inPairs = takesHeader(document, full) ? null : appendToPairs(document, path, () => `{ ${pairs.join(', ')} }`)
    const { splices, made } = inPairs ?? {
      splices: [appendBlock(text, [`[[${writtenKey(full)}]]`, ...pairs])],
      made: 0,
    }
    const after = inserted(text, splices, made, now => startOf(now, there.length))
    if (!means(after.text, withArray(document, path, [...there, entryOf(hook)])))
      throw new Unsafe("can't be edited without disturbing the rest", placeOfPath(document, full))
    return after
  }

  const put = (text: string, index: number, key: string, value: Scalar): string => {
    const document = parseToml(text)
    const there = entries(document)
    const now = typeof value === 'number' ? BigInt(value) : value
    if (there[index]?.[key] === now) return text
    const after = spliced(text, [placing(document, index, key, value)])
    const expected = there.map((entry, n) => (n === index ? withKey(entry, key, now) : entry))
    if (!means(after, withArray(document, path, expected)))
      throw new Unsafe("can't be edited without disturbing the rest", startOf(document, index))
    return after
  }

  const placing = (document: TomlDocument, index: number, key: string, value: Scalar): Splice => {
    const { text } = document
    const inline = siteOf(document, full)?.value?.items[index]?.value
    const [section] = sectionsOf(document, index)
    const pair = (inline?.items ?? section?.pairs ?? []).find(each => each.key.length === 1 && each.key[0] === key)
    if (pair) return { at: pair.value.start, remove: pair.value.end - pair.value.start, insert: written(value) }
    const line = `${writtenKey([key])} = ${written(value)}`
    if (section) return lineAfter(text, lastSpan(section), line, lineEnding(text))
    const [splice] = inline ? insertLast(text, listOf(inline), 'toml', { empty: 'line', unit: '  ' }, () => line) : []
    if (!splice) throw new Unsafe("can't be edited without disturbing the rest", startOf(document, index))
    return splice
  }

  const takeOut = (text: string, index: number, trace: Trace | undefined): string => {
    const document = parseToml(text)
    const site = siteOf(document, full)
    if (site?.value) return removeElement(document, path, { site, value: site.value }, index, trace)
    const rest = entries(document).toSpliced(index, 1)
    const sections = sectionsOf(document, index)
    const exact = exactRemoval(text, startOf(document, index), null, 'toml', trace)
    const back = exact && spliced(text, exact)
    if (back !== null && meansWithout(back, document, path, rest)) return back
    const cuts = sections.flatMap(section =>
      section.header ? [lines(text, section.header.start, lastSpan(section).end)] : [],
    )
    const [first, ...others] = cuts
    const after = spliced(text, first ? [withBlankBefore(text, first), ...others] : [])
    if (!meansWithout(after, document, path, rest))
      throw new Unsafe("can't be taken out without disturbing the rest", startOf(document, index))
    return after
  }

  const upToDate = (text: string, index: number, hook: TomlHook): string => {
    let after = text
    for (const [key, value] of Object.entries(hook.keys)) {
      const old = entries(parseToml(after))[index]?.[key]
      const kept =
        key === hook.timeoutKey &&
        typeof old === 'bigint' &&
        old >= TIMEOUT_SECONDS.least &&
        old <= TIMEOUT_SECONDS.most
      if (!kept) after = put(after, index, key, value)
    }
    return after
  }

  return {
    install(text, given): Installed {
      const traces: Record<string, Trace> = { ...given }
      const notes: string[] = []
      let after = text
      for (const hook of hooks) {
        const here = ours(parseToml(after)).filter(each => each.event === hook.event)
        if (here.some(each => each.off)) notes.push(`the hook for ${hook.event} stays switched off`)
        const [keep, ...doubles] = here.filter(each => !each.off)
        for (const double of doubles.toReversed()) after = takeOut(after, double.index, undefined)
        const trace = traces[hook.event]
        if (keep || here.length === 0) Reflect.deleteProperty(traces, hook.event)
        if (keep) {
          const before = after
          after = upToDate(after, keep.index, hook)
          const now = renewed(trace, writtenAt(before, keep.index), writtenAt(after, keep.index))
          if (now) traces[hook.event] = now
        } else if (here.length === 0) {
          const added = add(after, hook)
          after = added.text
          traces[hook.event] = added.trace
        } else if (trace) traces[hook.event] = trace
      }
      // Events that an earlier version used and this one doesn't.
      const events = new Set(hooks.map(hook => hook.event))
      for (const each of ours(parseToml(after)).toReversed()) {
        if (!events.has(each.event)) after = takeOut(after, each.index, undefined)
      }
      return { text: after, traces, notes }
    },

    uninstall(text, traces): string {
      let after = text
      for (;;) {
        const last = ours(parseToml(after)).at(-1)
        if (!last) return after
        after = takeOut(after, last.index, traces[last.event])
      }
    },

    standing(text): Standing {
      const here = ours(parseToml(text))
      if (here.length === 0) return 'absent'
      const states = hooks.map((hook): Standing => {
        const mine = here.filter(each => each.event === hook.event)
        if (mine.some(each => !each.off && each.entry.command === hook.keys.command)) return 'wired'
        if (mine.some(each => !each.off)) return 'old'
        return mine.length > 0 ? 'off' : 'absent'
      })
      if (states.every(state => state === 'wired')) return 'wired'
      return states.every(state => state === 'off' || state === 'absent') ? 'off' : 'old'
    },
  }
}

/** Whether a `[[header]]` may add an entry: not where pairs set the array, or the table around it. */
function takesHeader(document: TomlDocument, full: readonly string[]): boolean {
  const byHeader = document.sections.some(section => section.array && section.path.join('\0') === full.join('\0'))
  return (
    byHeader || (!siteOf(document, full) && document.sections[0]?.pairs.every(pair => pair.key[0] !== full[0]) === true)
  )
}

function entryOf({ event, keys }: TomlHook): Entry {
  const entry = Object.create(null) as Entry
  for (const [key, value] of Object.entries({ event, ...keys }))
    entry[key] = typeof value === 'number' ? BigInt(value) : value
  return entry
}
