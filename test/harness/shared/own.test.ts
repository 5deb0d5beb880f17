import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOwnCommand, isOwnJson, isOwnTool, stripRecall } from '../../../src/harness/shared/own.ts'

describe('stripRecall', () => {
  test.each([
    ['raw', 'why?\n\n<deja-recall>\nSECRET\n</deja-recall>', 'why?'],
    ['unclosed', 'why?\n\n<deja-recall>\nSECRET', 'why?'],
    ['unclosed on one line', 'why? <deja-recall> SECRET', 'why?'],
    ['nested', 'a\n<deja-recall>\n<deja-recall>SECRET</deja-recall> SECRET\n</deja-recall>', 'a'],
    ['nested and unclosed', 'a <deja-recall> <deja-recall>SECRET</deja-recall> SECRET', 'a'],
    ['escaped', 'a &lt;deja-recall&gt;SECRET&lt;/deja-recall&gt; b', 'a  b'],
    ['escaped twice', 'a &amp;lt;deja-recall&amp;gt;SECRET&amp;lt;/deja-recall&amp;gt;', 'a'],
    ['by number', 'a &#60;deja-recall&#x3e;SECRET&#60;/deja-recall&#62;', 'a'],
    ['in JSON', String.raw`{"a":"\u003cdeja-recall\u003e SECRET <\/deja-recall>"}`, '{"a":""}'],
    ['loosely spelled', 'a < DEJA-Recall > SECRET < / deja-recall >', 'a'],
    ['a stray closing tag', 'the TTL is 30s. </deja-recall> and more', 'the TTL is 30s.  and more'],
    ['several', '<deja-recall>SECRET</deja-recall>a<deja-recall>SECRET</deja-recall>b', 'ab'],
    ['a mention', 'grep -c "<deja-recall>" src', 'grep -c "<deja-recall>" src'],
    ['none', 'deja-recall is a package', 'deja-recall is a package'],
  ])('%s', (_, text, kept) => expect(stripRecall(text)).toBe(kept))

  test('a long text that only looks like frames costs its length', () => {
    const begun = performance.now()
    expect(stripRecall('\\'.repeat(100_000) + ' deja-recall')).toHaveLength(100_012)
    expect(stripRecall('"<deja-recall>" '.repeat(20_000))).toContain('"<deja-recall>"')
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  test('whatever stands around and inside a frame, what is inside never stays', () => {
    const words = fc.stringMatching(/^[a-z <>/&;\n]{0,40}$/)
    fc.assert(
      fc.property(words, words, words, (before, inside, after) => {
        const kept = stripRecall(`${before}\n<deja-recall>\n${inside} SECRET\n</deja-recall>${after}`)
        expect(kept).not.toContain('SECRET')
        expect(kept.startsWith(before.trimEnd())).toBe(true)
      }),
    )
  })
})

test.each([
  ['deja search gauge', true],
  ['cd /w && deja show 1234 | head', true],
  ['NO_COLOR=1 /usr/local/bin/deja last', true],
  ['npx -y deja-recall search x', true],
  ['node dist/deja.js search x', true],
  ['ls deja', false],
  ['git commit -m "deja vu"', false],
  ['npm i deja-recall', false],
  ['./dejavu.sh', false],
])('isOwnCommand: %s', (command, own) => expect(isOwnCommand(command)).toBe(own))

test.each([
  ['mcp_deja_deja', true],
  ['mcp__deja__deja', true],
  ['mcp_docs_deja', false],
  ['bash', false],
])('isOwnTool: %s', (tool, own) => expect(isOwnTool(tool)).toBe(own))

test('isOwnJson knows the answers of --json and nothing else', () => {
  expect(isOwnJson('{\n  "schemaVersion": 1, "query": "x", "tookMs": 1, "total": 0, "hits": []}')).toBe(true)
  expect(isOwnJson('{"schemaVersion":1,"session":{},"total":1,"records":[]}')).toBe(true)
  expect(isOwnJson('{"schemaVersion":1,"name":"x"}')).toBe(false)
  expect(isOwnJson('hits: 1')).toBe(false)
})
