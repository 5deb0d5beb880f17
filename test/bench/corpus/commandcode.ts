import { join } from 'node:path'
import type { Written } from './codewhale.ts'
import { contentOf, stepMs, type Call, type Conversation, type Turn } from './conversation.ts'
import type { Random } from './random.ts'
import { TextFile, writeTextFile } from './text-file.ts'

export interface CommandcodeShape {
  /** Copied from another session: its first turns. */
  fork?: { parentPath: string; turns: number; at: number }
  /** A compaction stands before this turn; nothing above it goes. */
  compactedAt?: number
}

/** A v3 transcript (1.64.0): a header, then a line an entry; all lines of a round carry the time of its commit. */
export function writeCommandcode(random: Random, store: string, made: Conversation, shape: CommandcodeShape): Written {
  const { id, project } = made
  const { fork } = shape
  const directory = join(store, slugOf(project.workspace))
  const file = new TextFile(join(directory, `${id}.jsonl`))
  const opened = new Date(fork?.at ?? made.startedAt).toISOString()
  const line = (value: unknown) => file.write(`${JSON.stringify(value)}\n`)
  line({
    type: 'session',
    version: 3,
    id,
    timestamp: opened,
    cwd: project.workspace,
    ...(fork && { parentSession: fork.parentPath }),
  })
  const chain = { last: null as string | null, committed: opened }
  const entry = (type: string, rest: object) => {
    const own = random.hex(8)
    line({ type, id: own, parentId: chain.last, timestamp: chain.committed, ...rest })
    chain.last = own
  }
  made.turns.forEach((turn, n) => {
    if (n === shape.compactedAt) {
      entry('compaction', {
        summary: `So far: ${made.title}. ${turn.prompt}`,
        firstKeptEntryId: chain.last,
        tokensBefore: 150_000,
      })
    }
    writeTurn(random, turn, entry, at => (chain.committed = new Date(at).toISOString()))
  })
  const endedAt = Date.parse(chain.committed)
  const meta = { title: made.title, model: 'stub/stub-model', gitBranch: 'main', traceIds: [random.hex(32)] }
  const bytes = file.close(endedAt)
  writeTextFile(join(directory, `${id}.meta.json`), JSON.stringify(meta, null, 2), endedAt)
  const content = contentOf(made.turns.slice(fork?.turns ?? 0))
  if (shape.compactedAt !== undefined) content.records++
  return { id, workspace: project.workspace, path: file.path, bytes, ...content }
}

type Entry = (type: string, rest: object) => void

function writeTurn(random: Random, turn: Turn, entry: Entry, commit: (at: number) => void): void {
  let at = turn.at
  const said = (role: 'user' | 'assistant', source: string, content: unknown[], rest: object = {}) =>
    entry('message', { message: { role, content, meta: { source, createdAt: at, messageId: random.uuid() } }, ...rest })
  commit(at + stepMs)
  said('user', 'user', [{ type: 'text', text: turn.prompt }])
  for (const { thinking, says, calls } of turn.steps) {
    at += stepMs
    commit(at + 2000)
    const content: unknown[] = []
    if (thinking !== '') content.push({ type: 'thinking', thinking, signature: '' })
    if (says !== '') content.push({ type: 'text', text: says })
    const results: unknown[] = []
    for (const call of calls) {
      const id = `call_${random.hex(10)}`
      const { name, input, text } = toolOf(call)
      content.push({ type: 'tool_use', id, name, input })
      results.push({ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }] })
    }
    const usage = {
      inputTokens: random.below(90_000),
      outputTokens: random.below(3000),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    }
    said('assistant', 'model', content, { usage, model: 'stub/stub-model' })
    if (results.length > 0) said('user', 'tool', results)
  }
}

function toolOf(call: Call): { name: string; input: unknown; text: string } {
  switch (call.kind) {
    case 'command': {
      const text = call.exitCode === 0 ? call.output : `Exit code: ${call.exitCode}\n${call.output}`
      return { name: 'shell_command', input: { command: call.command, description: 'Run it' }, text }
    }
    case 'read': {
      const text = `Read 1/1 file, ${call.lines.length} lines\n${call.lines.map((line, n) => `${n + 1}: ${line}`).join('\n')}`
      return { name: 'read_file', input: { file_path: call.file.path }, text }
    }
    case 'edit':
      return {
        name: 'edit_file',
        input: { file_path: call.path, old_string: call.removed, new_string: call.added },
        text: `Edited ${call.path} (1 replacement)\n\nSnippet (lines 1-9 of 90):\n${call.added}`,
      }
    case 'write':
      return {
        name: 'write_file',
        input: { file_path: call.path, content: call.added },
        text: `File created successfully at: ${call.path}`,
      }
  }
}

/** The client's slug of a plain ASCII path. */
function slugOf(workspace: string): string {
  return workspace
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
