import { parse } from 'smol-toml'
import type { WiringContext } from '../harness/wiring.ts'
import { nodeAt, parseJson, valueOf } from './json/document.ts'
import { bytesOf } from './files.ts'
import type { Wirable } from './plan.ts'

/** Sentences about switches by which the person turned an agent's hooks off. They are told, never touched. */
export function switchedOff(harness: Wirable, context: WiringContext): string[] {
  return (harness.wiring.switches?.(context) ?? []).flatMap(({ file, path, off, says }) => {
    const value = valueIn(file, path)
    const isOff = typeof off === 'string' ? String(value) === off : Array.isArray(value) && value.includes(off.lists)
    return isOff ? [`${file}: ${says}.`] : []
  })
}

function valueIn(file: string, path: readonly string[]): unknown {
  try {
    const text =
      bytesOf(file)
        ?.toString('utf8')
        .replace(/^\uFEFF/, '') ?? ''
    if (!file.endsWith('.toml')) return valueOf(nodeAt(parseJson(text, 'jsonc'), path))
    return path.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      parse(text),
    )
  } catch {
    return undefined // whatever is wrong with the file was said by the installer itself
  }
}
