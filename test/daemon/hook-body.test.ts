import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeHookBody, parseHookBody } from '../../src/daemon/hook-body.ts'

test('what is written is read, whatever the values hold', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[A-Z][A-Z_0-9]{0,20}$/), { maxLength: 6 })
  const values = fc.string({ unit: 'binary', maxLength: 60 })
  fc.assert(
    fc.property(names, fc.array(values, { minLength: 6, maxLength: 6 }), values, (keys, texts, stdin) => {
      const env = Object.fromEntries(keys.map((key, i) => [key, texts[i] ?? '']))
      const body = encodeHookBody(Buffer.from(stdin), { ...env, OTHER: 'x' }, [...keys, 'UNSET'])
      expect(parseHookBody('e', body)).toEqual({ event: 'e', stdin, env })
      expect(parseHookBody('e', Buffer.concat([body, Buffer.from('   padding')]))).toEqual({ event: 'e', stdin, env })
    }),
  )
})

test('any bytes give a call or null', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const call = parseHookBody('e', bytes)
      expect(call === null || typeof call.stdin === 'string').toBe(true)
    }),
  )
})

test.each([
  ['a length beyond the end', 'stdin 5\nabc'],
  ['a variable without its end', 'A 3\nabc'],
  ['a name that is none', 'A-B 1\na\nstdin 0\n'],
  ['an open length for a variable', 'A -\nabc'],
  ['no block at all', '{"text":"x"}'],
])('%s is malformed', (_, text) => {
  expect(parseHookBody('e', Buffer.from(text))).toBeNull()
})

test('stdin may go to the end, or be absent', () => {
  expect(parseHookBody('e', Buffer.from('A 1\nx\nstdin -\nall\nof it'))).toEqual({
    event: 'e',
    stdin: 'all\nof it',
    env: { A: 'x' },
  })
  expect(parseHookBody('e', Buffer.alloc(0))).toEqual({ event: 'e', stdin: '', env: {} })
})
