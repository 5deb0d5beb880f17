import type { WiringEdit } from '../../harness/wiring.ts'
import type { Editor, Installed, Standing } from '../editor.ts'
import { isOff, isOurStatusline } from '../ours.ts'
import { renewed } from '../trace.ts'
import { isObject, jsonOf, nodeAt, parseJson, valueOf, writtenAt, type Json } from './document.ts'
import { remove, set } from './engine.ts'

const NAME = 'statusLine'

/** The status line, which has room for one program: a person's own stays. */
export function statusLineEditor({ dialect, command }: Extract<WiringEdit, { kind: 'status-line' }>): Editor {
  const found = (text: string): Json | undefined => {
    const node = nodeAt(parseJson(text, dialect), [NAME])
    return node ? valueOf(node) : undefined
  }
  const standing = (text: string): Standing => {
    const there = found(text)
    if (there === undefined) return 'absent'
    if (!isObject(there) || !isOurStatusline(there.command)) return 'other'
    if (isOff(there)) return 'off'
    return there.command === command ? 'wired' : 'old'
  }
  return {
    standing,
    install(text, traces): Installed {
      switch (standing(text)) {
        case 'absent': {
          const { text: after, trace } = set(text, [NAME], jsonOf({ type: 'command', command }), dialect)
          return { text: after, traces: trace ? { [NAME]: trace } : {}, notes: [] }
        }
        case 'old': {
          const after = set(text, [NAME, 'command'], command, dialect).text
          const trace = renewed(traces[NAME], writtenAt(text, [NAME], dialect), writtenAt(after, [NAME], dialect))
          return { text: after, traces: trace ? { [NAME]: trace } : {}, notes: [] }
        }
        case 'other':
          return { text, traces: {}, notes: ['your own status line stays'] }
        default:
          return { text, traces: { ...traces }, notes: [] }
      }
    },
    uninstall(text, traces): string {
      const there = found(text)
      const ours = isObject(there) && isOurStatusline(there.command)
      return ours ? remove(text, [NAME], dialect, traces[NAME]) : text
    },
  }
}
