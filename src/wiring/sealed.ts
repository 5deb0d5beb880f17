import { createHash } from 'node:crypto'
import type { WiringEdit } from '../harness/wiring.ts'
import type { Editor, Installed, Standing } from './editor.ts'
import { Unsafe } from './unsafe.ts'

/**
 * A whole file of ours. Its last line is a seal: a hash of what stands above it. So a file that deja wrote, by whatever
 * version and on whatever record, is told from a person's own and from one that a person went on to edit.
 */
export function textFileEditor({ comment, text: wanted }: Extract<WiringEdit, { kind: 'text-file' }>): Editor {
  const present = sealed(wanted, comment)
  const standing = (text: string): Standing => {
    if (text === '') return 'absent'
    if (text === present) return 'wired'
    return state(text) === 'ours' ? 'old' : 'other'
  }
  return {
    standing,
    install(text): Installed {
      if (text === '' || state(text) === 'ours') return { text: present, traces: {}, notes: [] }
      if (state(text) === 'edited') return { text, traces: {}, notes: ['was edited since deja wrote it, and stays so'] }
      throw new Unsafe("a file stands here that isn't deja's: move it away", null)
    },
    uninstall: text => (state(text) === 'ours' ? '' : text),
  }
}

const seal = /^(?:<!-- deja:([0-9a-f]{16}) -->|\/\/ deja:([0-9a-f]{16}))\r?\n?$/

function sealed(text: string, comment: 'html' | 'slashes'): string {
  const body = text.endsWith('\n') ? text : `${text}\n`
  return `${body}${comment === 'html' ? `<!-- deja:${hash(body)} -->` : `// deja:${hash(body)}`}\n`
}

function state(text: string): 'ours' | 'edited' | 'foreign' {
  const at = Math.max(text.lastIndexOf('<!-- deja:'), text.lastIndexOf('// deja:'))
  if (at < 0) return 'foreign'
  const [, html, slashes] = seal.exec(text.slice(at)) ?? []
  return (html ?? slashes) === hash(text.slice(0, at)) ? 'ours' : 'edited'
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
