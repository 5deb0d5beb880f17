import { expect, test } from 'vitest'
import { plain } from '../../src/cli/render.ts'
import { errorSignatures } from '../../src/index/errors.ts'
import { searchText } from '../../src/index/full-text.ts'
import { phraseCheck } from '../../src/index/phrase.ts'
import { TermScanner } from '../../src/index/term-scanner.ts'
import { analyse } from '../../src/index/tokens.ts'
import { redact } from '../../src/ingest/redaction/redact.ts'
import { neutral } from '../../src/recall/neutral.ts'
import { questionOf } from '../../src/search/question.ts'

test('texts that make patterns run for ever: 100 KB of each take a moment', () => {
  const size = 100_000
  const long = [
    '<',
    '&lt;',
    '[',
    'a',
    '-',
    '/',
    '"',
    "'",
    ' ',
    '\n',
    '\\',
    '=',
    ':',
    'a-',
    'a.',
    'Ab',
    '在',
    '\u001b[',
    '\u001b]',
    '-----BEGIN ',
    '://',
    'key=',
    'sk-',
    '1.',
    '<deja-',
    '&amp;',
    '%25',
    '`',
  ].map(each => each.repeat(size / each.length))
  const each: [string, (text: string) => unknown][] = [
    ['neutral', neutral],
    ['redact', redact],
    ['analyse', analyse],
    ['searchText', searchText],
    ['terms', text => new TermScanner().scan(text)],
    ['a phrase', text => phraseCheck(['a b', text.slice(0, 100)])?.(text)],
    ['errorSignatures', errorSignatures],
    ['plain', plain],
    ['questionOf', questionOf],
  ]
  const slow: string[] = []
  for (const [name, run] of each)
    for (const long1 of long) {
      const started = performance.now()
      run(long1)
      const took = performance.now() - started
      if (took > 3000) slow.push(`${name} ${JSON.stringify(long1.slice(0, 12))} ${Math.round(took)} ms`)
    }
  expect(slow).toEqual([])
}, 300_000)
