import type { WiringEdit } from '../harness/wiring.ts'
import type { Editor } from './editor.ts'
import { hookGroupsEditor } from './json/hooks.ts'
import { serverEditor } from './json/server.ts'
import { statusLineEditor } from './json/status-line.ts'
import { textFileEditor } from './sealed.ts'
import { tomlHooksEditor } from './toml/hooks.ts'
import { tomlStringEditor } from './toml/string.ts'

export function editorFor(edit: WiringEdit, harness: string): Editor {
  switch (edit.kind) {
    case 'mcp-server':
      return serverEditor(edit)
    case 'hook-groups':
      return hookGroupsEditor(edit, harness)
    case 'status-line':
      return statusLineEditor(edit)
    case 'toml-string':
      return tomlStringEditor(edit)
    case 'toml-hooks':
      return tomlHooksEditor(edit, harness)
    case 'text-file':
      return textFileEditor(edit)
  }
}
