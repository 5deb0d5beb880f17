import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ByteSource } from '../../../src/harness/harness.ts'
import { readLines } from '../../../src/harness/shared/lines.ts'

function sourceOf(text: string): ByteSource {
  const bytes = Buffer.from(text)
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

test('whole lines come with their offsets, half a line waits', () => {
  const { lines, end, more } = readLines(sourceOf('a\nbä\nhalf'), 0)
  expect(lines).toEqual([
    { offset: 0, end: 2, text: 'a' },
    { offset: 2, end: 6, text: 'bä' },
  ])
  expect([end, more]).toEqual([6, false])
})

test('reading on from where the last read ended gives every line once', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(), (texts, cut) => {
      const whole = texts.map(text => text.replaceAll(/[\n\u{d800}-\u{dfff}\u{feff}]/gu, '') + '\n').join('')
      const bytes = Buffer.from(whole)
      const first = bytes.subarray(0, cut % (bytes.length + 1))
      const one = readLines({ size: first.length, read: (o, l) => first.subarray(o, o + l) }, 0)
      const two = readLines(sourceOf(whole), one.end)
      expect([...one.lines, ...two.lines].map(line => `${line.text ?? ''}\n`).join('')).toBe(whole)
    }),
  )
})

test('a long file is read in steps', () => {
  const text = `${'x'.repeat(1000)}\n`.repeat(20_000)
  const source = sourceOf(text)
  let [offset, count, steps] = [0, 0, 0]
  for (let more = true; more; steps++) {
    const step = readLines(source, offset)
    ;({ end: offset, more } = step)
    count += step.lines.length
  }
  expect([count, steps]).toEqual([20_000, 3])
})
