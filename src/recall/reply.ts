import type { Channel, ItemKind } from '../harness/hooks.ts'
import type { Settings } from '../settings/settings.ts'
import { frameOf, frameOverhead, lengthOf, type Section } from './frame.ts'
import type { Digest } from './digest.ts'
import type { Note } from './note.ts'

/** Something that is due at an event: notes, a digest, or a packet that is made to the room it gets. */
export type Due =
  | { kind: 'hint' | 'fix' | 'recall'; notes: readonly Note[] }
  | { kind: 'digest'; digest: Digest }
  | { kind: 'packet'; make: (room: number) => Section[]; sessionKey: number; source: string }

export interface Reply {
  frame: string
  kinds: ItemKind[]
  notes: Note[]
  /** Sessions that a digest or a packet was taken from. */
  sources: Map<number, string>
  chars: number
}

/** What must not be missed comes first. */
const order: readonly ItemKind[] = ['packet', 'fix', 'hint', 'recall', 'digest']
const leastPacket = 300

const headings: Record<'hint' | 'fix' | 'recall', string | null> = {
  hint: null,
  fix: null,
  recall: 'What earlier sessions of this project came to:',
}

/** Characters for a kind, frame included. */
export function roomOf(kind: ItemKind, sizes: Settings['recallSizes'], aggressive: boolean, channel: Channel): number {
  const doubled = aggressive && (kind === 'digest' || kind === 'recall') ? 2 : 1
  const room = sizes[kind] * doubled
  return kind === 'packet' ? Math.min(room, channel.packetRoom ?? room) : room
}

/** Puts what is due into one frame within the channel's room; null where nothing fits. */
export function replyOf(due: readonly Due[], channel: Channel, room: (kind: ItemKind) => number): Reply | null {
  const sections: Section[] = []
  const reply: Reply = { frame: '', kinds: [], notes: [], sources: new Map(), chars: 0 }
  let left = channel.room - frameOverhead
  for (const each of [...due].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))) {
    if (!channel.carries.includes(each.kind)) continue
    const allowed = Math.min(room(each.kind) - frameOverhead, left)
    const fitted = fit(each, allowed, reply)
    if (fitted.length === 0) continue
    left -= sizeOf(fitted)
    sections.push(...fitted)
    if (!reply.kinds.includes(each.kind)) reply.kinds.push(each.kind)
  }
  const framed = frameOf(sections, channel.room)
  return framed === null ? null : { ...reply, frame: framed.text, chars: lengthOf(framed.text) }
}

function fit(due: Due, allowed: number, into: Reply): Section[] {
  if (due.kind === 'packet') {
    if (allowed < leastPacket) return []
    const sections = due.make(allowed).filter(section => section.items.length > 0)
    if (sections.length > 0) into.sources.set(due.sessionKey, due.source)
    return sections
  }
  if (due.kind === 'digest') return fitDigest(due.digest, allowed, into)
  const heading = headings[due.kind]
  const kept: Note[] = []
  let size = heading === null ? 0 : lengthOf(heading) + 1
  for (const note of due.notes) {
    size += lengthOf(note.text) + 1
    if (size > allowed) break
    kept.push(note)
  }
  into.notes.push(...kept)
  return kept.length === 0 ? [] : [{ heading, items: kept.map(note => note.text) }]
}

/** Each part of a digest gets its share, so that the first doesn't crowd out the others; the rest goes around once more. */
function fitDigest(digest: Digest, allowed: number, into: Reply): Section[] {
  const shares = [0.5, 0.2, 0.2, 0.1]
  const kept = digest.sections.map(() => 0)
  let left = allowed
  const take = (n: number, budget: number): void => {
    const section = digest.sections[n]
    if (!section) return
    let spent = 0
    for (let i = kept[n] ?? 0; i < section.items.length; i++) {
      const heading = i === 0 && section.heading !== null ? lengthOf(section.heading) + 1 : 0
      const size = lengthOf(section.items[i] ?? '') + 1 + heading
      if (spent + size > budget || size > left) break
      spent += size
      left -= size
      kept[n] = i + 1
    }
  }
  digest.sections.forEach((_, n) => take(n, allowed * (shares[n] ?? 0.1)))
  digest.sections.forEach((_, n) => take(n, left))
  return digest.sections.flatMap((section, n) => {
    const count = kept[n] ?? 0
    for (const key of section.keys.slice(0, count)) {
      const source = digest.sources.get(key)
      if (source !== undefined) into.sources.set(key, source)
    }
    return count === 0 ? [] : [{ heading: section.heading, items: section.items.slice(0, count) }]
  })
}

const sizeOf = (sections: readonly Section[]): number =>
  sections.reduce(
    (sum, { heading, items }) =>
      sum + (heading === null ? 0 : lengthOf(heading) + 1) + items.reduce((size, item) => size + lengthOf(item) + 1, 0),
    0,
  )
