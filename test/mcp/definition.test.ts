import { expect, test } from 'vitest'
import { questionOf } from '../../src/mcp/arguments.ts'
import { instructions, toolDefinition } from '../../src/mcp/definition.ts'

test('the definition stays below what it may cost at every turn', () => {
  expect(Buffer.byteLength(JSON.stringify([toolDefinition]))).toBeLessThan(3000)
  expect(Buffer.byteLength(instructions)).toBeLessThan(300)
})

test('every mode names what it cannot do without', () => {
  for (const [mode, key] of [
    ['recall', 'query'],
    ['context', 'id'],
    ['blame', 'path'],
    ['how', 'query'],
    ['fix', 'error'],
    ['remember', 'text'],
  ])
    expect(() => questionOf({ mode }, '/')).toThrow(`Mode "${mode}" needs "${key}".`)
  expect(questionOf({ mode: 'orient' }, '/')).toEqual({ mode: 'orient' })
  expect(() => questionOf({}, '/')).toThrow(/"mode" must be one of recall, /)
  expect(() => questionOf(undefined, '/')).toThrow(/"mode" must be one of/)
})

test('what is null or empty counts as absent, what is of another type is told by its name', () => {
  const filledIn = { mode: 'recall', query: ' tide ', id: null, path: '', project: '', limit: null }
  expect(questionOf(filledIn, '/')).toEqual({ mode: 'recall', query: 'tide' })
  expect(() => questionOf({ mode: 'recall', query: 5 }, '/')).toThrow(/^"query": expected string/)
  expect(() => questionOf({ mode: 'recall', query: 'x', limit: 0 }, '/')).toThrow(/^"limit": /)
  expect(() => questionOf({ mode: 'recall', query: '   ' }, '/')).toThrow(/^"query": /)
})

test('a long error is looked at from its end', () => {
  const question = questionOf({ mode: 'fix', error: `${'x'.repeat(300_000)}\nValueError: tides` }, '/')
  expect(question.mode === 'fix' && question.error.length).toBe(100_000)
  expect(question.mode === 'fix' && question.error.endsWith('ValueError: tides')).toBe(true)
})
