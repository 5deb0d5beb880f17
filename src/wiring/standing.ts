import type { WiringContext } from '../harness/wiring.ts'
import { editorFor } from './editors.ts'
import type { Standing } from './editor.ts'
import { bytesOf, decoded } from './files.ts'
import type { Wirable } from './plan.ts'
import type { Scope } from './record.ts'

/** How one part of a harness's wiring stands in its file. */
export interface WiringState {
  scope: Scope
  /** `mcp-server`, `hook-groups`, …: as in `WiringEdit`. */
  kind: string
  file: string
  /** `broken`: the file can't be edited, for the reason given. */
  standing: Standing | 'broken'
  reason: string | null
}

/** Looks at every file that an install of the harness would write. Changes nothing. */
export function wiringState(harness: Wirable, context: WiringContext): WiringState[] {
  return (['surfaces', 'hooks'] as const).flatMap(scope =>
    harness.wiring[scope](context).map((edit): WiringState => {
      const state = { scope, kind: edit.kind, file: edit.file }
      try {
        const bytes = bytesOf(edit.file)
        const standing = bytes === null ? 'absent' : editorFor(edit, harness.id).standing(decoded(bytes).text)
        return { ...state, standing, reason: null }
      } catch (error) {
        return { ...state, standing: 'broken', reason: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
}
