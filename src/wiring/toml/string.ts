import type { WiringEdit } from '../../harness/wiring.ts'
import type { Editor, Installed } from '../editor.ts'
import { Unsafe } from '../unsafe.ts'
import { means, parseToml, siteOf, written, writtenKey, placeOfPath, type TomlDocument } from './document.ts'
import { appendBlock, appendToPairs, arrayValue, inserted, removeElement, withArray } from './pairs.ts'

/** One string among others in an array: `[tools] always_load = ["mcp_deja_deja"]`. */
export function tomlStringEditor({ table, key, value }: Extract<WiringEdit, { kind: 'toml-string' }>): Editor {
  const path = { table, key }
  const strings = (document: TomlDocument): string[] =>
    arrayValue(document, path).map(each => {
      if (typeof each === 'string') return each
      throw new Unsafe(`a list of strings was expected under "${table}.${key}"`, placeOfPath(document, [table, key]))
    })
  const startOf = (document: TomlDocument): number => {
    const site = siteOf(document, [table, key])
    return site?.value?.items[strings(document).lastIndexOf(value)]?.start ?? -1
  }

  return {
    install(text, traces): Installed {
      const document = parseToml(text)
      const there = strings(document)
      if (there.includes(value)) return { text, traces: { ...traces }, notes: [] }
      const { splices, made } = appendToPairs(document, path, () => written(value)) ?? {
        splices: [appendBlock(text, [`[${writtenKey([table])}]`, `${writtenKey([key])} = [${written(value)}]`])],
        made: 2,
      }
      const after = inserted(text, splices, made, startOf)
      if (!means(after.text, withArray(document, path, [...there, value])))
        throw new Unsafe("can't be edited without disturbing the rest", placeOfPath(document, [table, key]))
      return { text: after.text, traces: { [value]: after.trace }, notes: [] }
    },

    uninstall(text, traces): string {
      let after = text
      for (;;) {
        const document = parseToml(after)
        const index = strings(document).lastIndexOf(value)
        const site = siteOf(document, [table, key])
        if (index < 0 || !site?.value) return after
        after = removeElement(document, path, { site, value: site.value }, index, traces[value])
      }
    },

    standing: text => (strings(parseToml(text)).includes(value) ? 'wired' : 'absent'),
  }
}
