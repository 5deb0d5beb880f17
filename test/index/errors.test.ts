import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorLines, errorSignatures } from '../../src/index/errors.ts'

describe('error lines', () => {
  it('are the lines that say what went wrong, without what differs between runs', () => {
    const output = [
      '\u001b[31m> vitest run\u001b[0m',
      'collected 3 items',
      '2026-05-01T10:00:00Z TypeError: Cannot read properties of undefined (reading "row") at 0x7f3a9c',
      '    at parse (/tmp/build-8f3a/src/parse.ts:12:5)',
      'E   AssertionError: expected 429, got 200',
      '1 failed, 2 passed in 0.31s',
      'Command failed (exit code 1)',
    ].join('\n')
    expect(errorLines(output)).toEqual([
      'TypeError: Cannot read properties of undefined (reading "row") at',
      'AssertionError: expected 429, got 200',
    ])
  })

  it('are none where nothing failed', () => {
    expect(errorLines('3 passed\nall done\n0 errors, 0 warnings')).toEqual([])
    expect(errorSignatures('3 passed\nall done\n0 errors, 0 warnings')).toEqual([])
  })
})

describe('error signatures', () => {
  const same = (a: string, b: string) => {
    expect(errorSignatures(a)).not.toEqual([])
    expect(errorSignatures(a)).toEqual(errorSignatures(b))
  }
  const differ = (a: string, b: string) => {
    const others = errorSignatures(b)
    expect(errorSignatures(a).some(signature => others.includes(signature))).toBe(false)
  }

  it('meet over numbers, hex, temporary paths, positions, ids, times and checkouts', () => {
    same(
      'src/parse.ts(12,5): error TS2345: Argument of type "A" is not assignable',
      'src/parse.ts(99,1): error TS2345: Argument of type "A" is not assignable',
    )
    same('Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error: connect ECONNREFUSED 127.0.0.1:6543')
    same(
      'FileNotFoundError: [Errno 2] No such file or directory: /tmp/pytest-17/x/data.csv',
      'FileNotFoundError: [Errno 2] No such file or directory: /tmp/pytest-99/y/data.csv',
    )
    same(
      "Error: Cannot find module '/home/ann/acme/src/retry.js'",
      "Error: Cannot find module '/home/bob/work/acme-2/src/retry.js'",
    )
    same(
      'panic: session 6f9619ff-8b86-d011-b42d-00cf4fc964ff not found',
      'panic: session 11111111-2222-3333-4444-555555555555 not found',
    )
    same('[10:01:02] fatal: unable to access repository', '[11:12:13] fatal: unable to access repository')
    same('AssertionError: expected 429, got 200', 'AssertionError: expected 503, got 200')
    same('错误：无法连接到数据库 10.0.0.1', '错误：无法连接到数据库 10.0.0.2')
  })

  it('keep apart what is another error', () => {
    differ('error TS2345: Argument is not assignable', 'error TS2304: Cannot find name')
    differ("ModuleNotFoundError: No module named 'zoneinfo'", "ModuleNotFoundError: No module named 'pytz'")
    differ('HTTP 404 error for the page', 'HTTP 503 error for the page')
  })

  it('are none for what only says that something failed', () => {
    for (const hollow of [
      'Error:',
      'FAILED',
      'Command failed (exit code 1)',
      'npm ERR! code ELIFECYCLE',
      'Traceback (most recent call last):',
    ])
      expect(errorSignatures(hollow), hollow).toEqual([])
  })

  it('never throw, are bounded and stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), text => {
        const signatures = errorSignatures(`Error: ${text}`)
        expect(signatures.length).toBeLessThanOrEqual(6)
        for (const signature of signatures) expect(signature.length).toBeLessThanOrEqual(160)
        expect(errorLines(`Error: ${text}`).length).toBeLessThanOrEqual(12)
      }),
    )
  })

  it('take a megabyte in little time', () => {
    const start = performance.now()
    errorSignatures('Error: something went wrong in a/b/c/d.ts:1:2 '.repeat(20_000))
    errorSignatures('x: failed to open /a/b\n'.repeat(50_000))
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
