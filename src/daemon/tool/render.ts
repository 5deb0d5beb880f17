import { frameOf, type Section } from '../../recall/frame.ts'

/** What a call of the tool has to say. */
export interface Answer {
  sections: readonly Section[]
  /** Sentences of deja's own, said whatever else had to be left out. */
  remarks?: readonly string[]
  /** Where room is short: `last` drops items from the end of all; `longest` each time from what takes most. */
  drops?: 'last' | 'longest'
}

/** Bytes, frame included. */
export const RECALL_BYTES = 4096
export const ANSWER_BYTES = 8192

const nothing = 'Nothing is kept about that.'
const bytes = (text: string): number => Buffer.byteLength(text)
const sizeOf = (items: readonly string[]): number => items.reduce((sum, item) => sum + bytes(item) + 1, 0)

/** Renders an answer into one frame of at most `most` bytes of UTF-8. Items that don't fit are left out, none is cut. */
export function render({ sections, remarks = [], drops = 'last' }: Answer, most: number): string {
  const kept = sections.map(({ heading, items }) => ({ heading, items: [...items] }))
  let dropped = 0
  for (;;) {
    const left = dropped === 0 ? [] : [`(${dropped} more ${dropped === 1 ? 'is' : 'are'} left out: there was no room.)`]
    const said = [...kept, { heading: null, items: [...remarks, ...left] }]
    const rough = said.reduce((sum, { heading, items }) => sum + sizeOf(items) + bytes(heading ?? ''), 0)
    // what is far too long needn't be rendered to be known as such
    if (rough <= most) {
      const text = frameOf(said, Infinity)?.text ?? framed(nothing)
      if (bytes(text) <= most) return text
    }
    const filled = kept.filter(({ items }) => items.length > 0)
    const longest = [...filled].sort((a, b) => sizeOf(b.items) - sizeOf(a.items))[0]
    const from = drops === 'longest' ? longest : filled.at(-1)
    if (from === undefined) return framed('What was found is too long to be shown here.')
    from.items.pop()
    dropped++
  }
}

/** One sentence of deja's own in a frame. */
export function framed(sentence: string): string {
  return frameOf([{ heading: null, items: [sentence] }], Infinity)?.text ?? ''
}
