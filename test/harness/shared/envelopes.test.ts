import { expect, test } from 'vitest'
import { withoutEnvelope } from '../../../src/harness/shared/envelopes.ts'

test.each([
  ['one', 'a <note x="1">hidden</note>\n\nb', 'a b'],
  ['nested', '<note>hidden <note>hidden</note> hidden</note>a', 'a'],
  ['several', '<note>hidden</note>a<note>hidden</note>', 'a'],
  ['unclosed', 'a <note>b', 'a <note>b'],
  ['a stray closing tag', 'a</note> b', 'a</note> b'],
  ['another name', '<notes>a</notes>', '<notes>a</notes>'],
])('%s', (_, text, kept) => expect(withoutEnvelope(text, 'note')).toBe(kept))

test('a long text of tags costs its length', () => {
  const begun = performance.now()
  withoutEnvelope('<note>'.repeat(100_000), 'note')
  withoutEnvelope('<note'.repeat(100_000) + '</note>', 'note')
  withoutEnvelope('<note>'.repeat(100_000) + '</note>', 'note')
  expect(performance.now() - begun).toBeLessThan(1_000)
})
