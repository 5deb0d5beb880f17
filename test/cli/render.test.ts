import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Terminal } from '../../src/cli/context.ts'
import { count, cut, padded, plain, styled, widthOf, wrap } from '../../src/cli/render.ts'
import { localDay, localTime, shortId } from '../../src/shared/shown.ts'

const terminal = (colour: boolean): Terminal => ({ interactive: true, colour, width: 80 })
const ESC = '\u001b'

describe('widths', () => {
  it('CJK and emoji take two columns, combining marks none', () => {
    expect(['a', '距', '가', 'ー', '！', '🌊'].map(widthOf)).toEqual([1, 2, 2, 2, 2, 2])
    expect(widthOf('e\u0301')).toBe(1)
  })

  it('a cut text fits, says that it was cut, and is left alone where it fits', () => {
    expect(cut('gauge downloader', 10)).toBe('gauge dow…')
    expect(cut('距离距离距离', 7)).toBe('距离距…')
    expect(cut('gauge', 5)).toBe('gauge')
    fc.assert(fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (text, n) => widthOf(cut(text, n)) <= n))
  })

  it('padding counts columns, not characters', () => {
    expect(widthOf(padded('距离', 6))).toBe(6)
    expect(padded('longer than that', 4)).toBe('longer than that')
  })
})

describe('wrapping', () => {
  it('breaks between words, and within one that is too long', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrap('潮汐表格的解析', 6)).toEqual(['潮汐表', '格的解', '析'])
    expect(wrap('a\n\nb', 8)).toEqual(['a', '', 'b'])
  })

  it('no line is wider than it may be, and no character is lost', () => {
    const word = fc.string({ minLength: 1 }).map(text => text.replace(/\s/g, '_'))
    const words = fc.array(fc.oneof(word, fc.constantFrom('潮汐', '🌊🌊', 'src/fetch.py', 'x'.repeat(90))))
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 80 }), (list, columns) => {
        const text = list.join(' ')
        const lines = wrap(text, columns)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })
})

describe('what comes from transcripts', () => {
  it.each([
    ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['the cursor and the screen', `a${ESC}[2J${ESC}[1;1Hb${ESC}M`, 'ab'],
    ['titles and links', `${ESC}]0;owned\u0007x${ESC}]8;;http://evil.test${ESC}\\y`, 'xy'],
    ['control characters of one byte', 'a\u009b31mb\u0008\rc\u007f', 'a31mbc'],
    ['direction and hidden characters', 'a\u202eb\u2066c\u200bd\ufeffe', 'abcde'],
  ])('%s are nothing that a terminal obeys', (_, text, shown) => {
    expect(plain(text)).toBe(shown)
  })

  it('nothing but tabs and line ends is left of the control characters, whatever comes', () => {
    const nasty = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, '\u009b')),
    )
    fc.assert(
      fc.property(nasty, parts => {
        expect(plain(parts.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })

  it('ordinary text in any language stays as it is', () => {
    for (const text of ['Naïve – “quoted” 100 %', '上周的潮汐', 'вчера упало', 'a\tb\nc', '🌊'])
      expect(plain(text)).toBe(text)
  })
})

describe('small things', () => {
  it('colours are there where they are wanted, and nowhere else', () => {
    expect(styled(terminal(true), 'red', 'x')).toBe(`${ESC}[31mx${ESC}[39m`)
    expect(styled(terminal(false), 'red', 'x')).toBe('x')
    expect(styled(terminal(true), 'red', '')).toBe('')
  })

  it('numbers, ids and dates read as people write them', () => {
    expect([count(1, 'session'), count(1234, 'session'), count(2, 'way back', 'ways back')]).toEqual([
      '1 session',
      '1,234 sessions',
      '2 ways back',
    ])
    expect([shortId('0a7d3f10-52c4-4b8e'), shortId('agent-ca6ef4ce')]).toEqual(['0a7d3f10', 'agent-ca6ef4ce'])
    expect([localDay(null), localDay('2026-09-24'), localDay('never')]).toEqual(['', '2026-09-24', ''])
    expect([localTime(null), localTime('2026-09-24')]).toEqual(['', '2026-09-24'])
    expect(localTime(new Date(2026, 8, 24, 7, 5).toISOString())).toBe('2026-09-24 07:05')
  })
})
