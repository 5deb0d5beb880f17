import type { WiringEdit } from '../../harness/wiring.ts'
import type { Editor, Installed, Standing } from '../editor.ts'
import { isOff, isOurServer } from '../ours.ts'
import { renewed } from '../trace.ts'
import { Unsafe } from '../unsafe.ts'
import {
  isObject,
  jsonOf,
  nodeAt,
  parseJson,
  placeOf,
  same,
  valueOf,
  writtenAt,
  type Json,
  type JsonPath,
} from './document.ts'
import { remove, set } from './engine.ts'

const NAME = 'deja'

/** The MCP server among others. Keys that the person added to it (time-outs, a switch, variables) stay. */
export function serverEditor({ dialect, containers, server }: Extract<WiringEdit, { kind: 'mcp-server' }>): Editor {
  const wanted = jsonOf(server)
  if (!isObject(wanted)) throw new Error('a server is an object')

  const container = (text: string): string => {
    const root = parseJson(text, dialect)
    const present = containers.filter(name => nodeAt(root, [name]) !== null)
    const [first, second] = present
    if (first !== undefined && second !== undefined)
      throw new Unsafe(
        `both "${first}" and "${second}" stand here, which mean the same`,
        placeOf(root, [second])?.start ?? null,
      )
    return first ?? containers[0] ?? 'mcpServers'
  }
  const found = (text: string, path: JsonPath): Json | undefined => {
    const node = nodeAt(parseJson(text, dialect), path)
    return node ? valueOf(node) : undefined
  }

  return {
    install(text, traces): Installed {
      const path = [container(text), NAME]
      const there = found(text, path)
      if (there === undefined) {
        const { text: after, trace } = set(text, path, wanted, dialect)
        return { text: after, traces: trace ? { [NAME]: trace } : {}, notes: [] }
      }
      if (!isOurServer(there)) {
        const start = placeOf(parseJson(text, dialect), path)?.start ?? null
        throw new Unsafe(`a server named "${NAME}" stands here that isn't deja's`, start)
      }
      if (isOff(there)) return { text, traces: { ...traces }, notes: ['the MCP server stays switched off'] }
      const after = updated(text, path, there, wanted)
      const trace = renewed(traces[NAME], writtenAt(text, path, dialect), writtenAt(after, path, dialect))
      return { text: after, traces: trace ? { [NAME]: trace } : {}, notes: [] }
    },

    uninstall(text, traces): string {
      let after = text
      for (const name of containers) {
        const path = [name, NAME]
        if (isOurServer(found(after, path))) after = remove(after, path, dialect, traces[NAME])
      }
      return after
    },

    standing(text): Standing {
      const there = found(text, [container(text), NAME])
      if (there === undefined) return 'absent'
      if (!isOurServer(there)) return 'other'
      if (isOff(there)) return 'off'
      return contains(there, wanted) ? 'wired' : 'old'
    },
  }

  /** The members that differ, one after the other; an object's members each for themselves. */
  function updated(text: string, path: JsonPath, there: Json, now: { [key: string]: Json }): string {
    let after = text
    for (const [key, value] of Object.entries(now)) {
      const old = isObject(there) ? there[key] : undefined
      if (same(old, value)) continue
      if (isObject(old) && isObject(value)) after = updated(after, [...path, key], old, value)
      else after = set(after, [...path, key], value, dialect).text
    }
    return after
  }
}

function contains(there: Json | undefined, wanted: Json): boolean {
  if (!isObject(wanted)) return same(there, wanted)
  return isObject(there) && Object.entries(wanted).every(([key, value]) => contains(there[key], value))
}
