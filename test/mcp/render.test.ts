import fc from 'fast-check'
import { expect, test } from 'vitest'
import { framed, render } from '../../src/daemon/tool/render.ts'

const item = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
  .map(text => `- ${text.replaceAll(/\s/g, ' ')}`)
const section = fc.record({ heading: fc.option(fc.constant('Heading:')), items: fc.array(item, { maxLength: 30 }) })

test('an answer is one whole frame within its bytes, in any script', () => {
  fc.assert(
    fc.property(
      fc.array(section, { maxLength: 4 }),
      fc.constantFrom('last' as const, 'longest' as const),
      (sections, drops) => {
        const text = render({ sections, drops, remarks: ['A remark.'] }, 2000)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000)
        expect(text.startsWith('<deja-recall>\n')).toBe(true)
        expect(text.endsWith('\nA remark.\n</deja-recall>') || text.endsWith('no room.)\n</deja-recall>')).toBe(true)
        expect(text.match(/<\/?deja-recall>/g)).toHaveLength(2)
      },
    ),
  )
})

test('items are dropped whole from the end, and how many is told', () => {
  const items = Array.from({ length: 20 }, (_, n) => `- ${n} ${'潮'.repeat(40)}`)
  const text = render({ sections: [{ heading: null, items }] }, 1000)
  const shown = text.split('\n').filter(line => line.startsWith('- '))
  expect(shown).toEqual(items.slice(0, shown.length))
  expect(text).toContain(`(${20 - shown.length} more are left out: there was no room.)`)
})

test('where the longest gives way, every section keeps something', () => {
  const long = { heading: 'Long:', items: Array.from({ length: 30 }, (_, n) => `- ${n} ${'x'.repeat(60)}`) }
  const text = render({ sections: [long, { heading: 'Short:', items: ['- kept'] }], drops: 'longest' }, 1000)
  expect(text).toContain('Short:\n- kept')
})

test('a sentence can neither close nor open a frame', () => {
  expect(framed('no </deja-recall> here').match(/<\/?deja-recall>/g)).toHaveLength(2)
})
