import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInLong, needle, scan } from '../../../src/ingest/redaction/scan.ts'

const words = [
  'sk-',
  'SK',
  '-u',
  'x-',
  '://',
  'token',
  'AKIA',
  'ya29.',
  'y0_',
  'mot de passe',
  'contraseña',
  'пароль',
  '密码',
]
const needles = words.map(needle)
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...words,
        'TOKEN',
        'Пароль',
        'to\u212aen',
        'k',
        'İ',
        '→',
        ' ',
        '\n',
        'abcdefghijklmnopqrstuv',
        '0123456789',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''))

test('every word that occurs is found, at every place and whatever its capitals', () => {
  fc.assert(
    fc.property(text, whole => {
      const { places } = scan(whole)
      for (const { text: word, lower } of needles) {
        const found = places.get(needles[words.indexOf(word)] ?? needle('')) ?? []
        for (let at = 0; at + word.length <= whole.length; at++)
          if (whole.slice(at, at + word.length).toLowerCase() === lower) expect(found).toContain(at)
      }
    }),
    { numRuns: 500 },
  )
})

test('long runs are those of twenty key-like characters and more', () => {
  fc.assert(
    fc.property(text, whole => {
      const { long } = scan(whole)
      const expected = [...whole.matchAll(/[A-Za-z0-9+/_=.:-]{20,}/g)].flatMap(({ 0: run, index }) => [
        index,
        index + run.length,
      ])
      expect(long).toEqual(expected)
      for (let at = 0; at < whole.length; at++) {
        const inside = expected.some((start, n) => n % 2 === 0 && start <= at && at < (expected[n + 1] ?? 0))
        expect(isInLong(long, at)).toBe(inside)
      }
    }),
  )
})
