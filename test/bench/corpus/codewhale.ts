import { join } from 'node:path'
import { contentOf, stepMs, type Call, type Content, type Conversation, type Turn } from './conversation.ts'
import type { Random } from './random.ts'
import { TextFile, writeTextFile } from './text-file.ts'

/** What one session became on the disk. */
export interface Written extends Content {
  id: string
  workspace: string
  path: string
  bytes: number
}

interface Message {
  role: 'user' | 'assistant'
  content: unknown[]
}

interface Placed {
  message: Message
  at: number
}

export interface CodewhaleShape {
  /** Copied from another session: its first turns, which are also the first of this conversation. */
  fork?: { parentId: string; turns: number }
  /** So many of the first turns were compacted away. */
  compacted?: number
  /** 0.9's journal is stamped anew at each save; 0.10's keeps its times. */
  restamped: boolean
}

const systemPrompt = `You are Codewhale, a coding agent. ${'Follow the rules of the workspace, and say what you did. '.repeat(300)}`
const summaryMark =
  'Another language model started to solve this problem and produced a summary of its thinking process. '

/**
 * A session as CodeWhale writes it (0.9.5 to 0.10): serde's pretty JSON, every message twice, as the journal repeats it.
 * A compaction (0.10's) leaves its pair of artifacts and the dead branch.
 */
export function writeCodewhale(random: Random, store: string, made: Conversation, shape: CodewhaleShape): Written {
  const { id, project } = made
  const compacted = shape.compacted ?? 0
  const before = made.turns.slice(0, compacted).flatMap(turn => messagesOf(random, turn, project.workspace))
  const after = made.turns.slice(compacted).flatMap(turn => messagesOf(random, turn, project.workspace))
  const summary: Message = {
    role: 'user',
    content: [
      { type: 'text', text: `${summaryMark}The work on ${made.title} went so far: ${made.turns[0]?.prompt ?? ''}` },
    ],
  }
  const active: Placed[] =
    compacted === 0 ? after : [{ message: summary, at: after[0]?.at ?? made.startedAt }, ...after]
  const endedAt = active.at(-1)?.at ?? made.startedAt
  const copied = shape.fork
    ? made.turns
        .slice(0, shape.fork.turns)
        .flatMap(turn => messageCount(turn))
        .reduce(sum, 0)
    : 0
  let extra = 0
  if (compacted > 0) {
    const pair = join(store, id, 'artifacts', `context-transfer-${random.uuid()}`)
    extra += writeTextFile(`${pair}.json`, JSON.stringify(before.map(({ message }) => message)), endedAt)
    extra += writeTextFile(
      `${pair}.md`,
      `# Context transfer\n\n${made.title}\n\n${made.turns[0]?.prompt ?? ''}\n`,
      endedAt,
    )
  }
  const file = new TextFile(join(store, `${id}.json`))
  file.write(
    `{\n  "schema_version": 1,\n  "metadata": ${indented(metadataOf(random, made, active, endedAt, shape, copied), '  ')},\n`,
  )
  const texts = active.map(({ message }) => JSON.stringify(message, null, 2))
  file.write(`  "messages": [${texts.map(text => `\n    ${text.replaceAll('\n', '\n    ')}`).join(',')}\n  ],\n`)
  writeJournal(random, file, before, active, texts, shape.restamped ? endedAt : null)
  file.write(`  "system_prompt": ${JSON.stringify(systemPrompt)}\n}\n`)
  const bytes = file.close(endedAt) + extra
  const content = contentOf(made.turns.slice(Math.max(compacted, shape.fork?.turns ?? 0)))
  if (compacted > 0) content.records++
  return { id, workspace: project.workspace, path: file.path, bytes, ...content }
}

/** The journal: dead entries first, then those of the active branch, and `leaf_id` twice. */
function writeJournal(
  random: Random,
  file: TextFile,
  dead: readonly Placed[],
  active: readonly Placed[],
  texts: readonly string[],
  stampedAt: number | null,
): void {
  const prefix = random.hex(24)
  const idOf = (n: number) =>
    `${prefix.slice(0, 8)}-${prefix.slice(8, 12)}-4${prefix.slice(12, 15)}-8${prefix.slice(15, 18)}-${n.toString(16).padStart(12, '0')}`
  file.write('  "journal": {\n    "entries": [')
  let n = 0
  const entry = (text: string, at: number, first: boolean) => {
    const parent = first ? '' : `\n        "parent_id": "${idOf(n - 1)}",`
    file.write(
      `${n === 0 ? '' : ','}\n      {\n        "id": "${idOf(n)}",${parent}\n        "kind": "message",\n` +
        `        "message": ${text.replaceAll('\n', '\n        ')},\n` +
        `        "created_at": "${nanoseconds(stampedAt ?? at)}",\n        "spawn_depth": 0\n      }`,
    )
    n++
  }
  dead.forEach(({ message, at }, i) => entry(JSON.stringify(message, null, 2), at, i === 0))
  active.forEach(({ at }, i) => entry(texts[i] ?? '', at, i === 0))
  const leaf = idOf(n - 1)
  file.write(
    `\n    ],\n    "leaf_id": "${leaf}",\n    "schema_version": 1,\n    "spawn_depth": 0\n  },\n  "leaf_id": "${leaf}",\n`,
  )
}

function metadataOf(
  random: Random,
  made: Conversation,
  active: readonly Placed[],
  endedAt: number,
  { fork }: CodewhaleShape,
  copied: number,
): unknown {
  const cost = random.below(40_000) / 10_000
  return {
    id: made.id,
    title: made.title.slice(0, 50),
    created_at: nanoseconds(made.startedAt),
    updated_at: nanoseconds(endedAt),
    message_count: active.length,
    total_tokens: random.below(400_000),
    model: random.pick(['deepseek-v4-pro', 'claude-sonnet-5']),
    model_provider: 'deepseek',
    workspace: made.project.workspace,
    mode: 'agent',
    cost: {
      session_cost_usd: cost,
      session_cost_cny: 0,
      subagent_cost_usd: 0,
      subagent_cost_cny: 0,
      displayed_cost_high_water_usd: cost,
      displayed_cost_high_water_cny: 0,
      priced_turns: made.turns.length,
      unpriced_turns: 0,
      cny_priced_turns: 0,
      cny_unpriced_turns: made.turns.length,
      coverage_recorded: true,
    },
    ...(fork && { parent_session_id: fork.parentId, forked_from_message_count: copied }),
    cumulative_turn_secs: random.below(4000),
    spawn_depth: 0,
  }
}

/** One of a call's results is one message of its own. */
function messageCount({ steps }: Turn): number {
  return 1 + steps.reduce((count, { calls }) => count + 1 + calls.length, 0)
}

function messagesOf(random: Random, turn: Turn, workspace: string): Placed[] {
  let at = turn.at
  const meta = `<turn_meta>\nCurrent local date: ${new Date(at).toISOString().slice(0, 10)}\nCurrent workspace: ${workspace}\nCurrent permission posture: Ask\nCurrent sandbox posture: workspace-write (writes inside the workspace; network blocked) (local OS sandbox applied)\n</turn_meta>`
  const placed: Placed[] = [
    {
      at,
      message: {
        role: 'user',
        content: [
          { type: 'text', text: turn.prompt },
          { type: 'text', text: meta },
        ],
      },
    },
  ]
  for (const { thinking, says, calls } of turn.steps) {
    at += stepMs
    const content: unknown[] = []
    if (thinking !== '') content.push({ type: 'thinking', thinking })
    if (says !== '') content.push({ type: 'text', text: says })
    const results: Message[] = []
    for (const call of calls) {
      const id = `toolu_${random.hex(12)}`
      const { name, input, result } = toolOf(call)
      content.push({ type: 'tool_use', id, name, input })
      results.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...result }] })
    }
    if (content.length === 0) content.push({ type: 'text', text: 'Done.' })
    placed.push({ at, message: { role: 'assistant', content } })
    for (const message of results) placed.push({ at: at + 1000, message })
  }
  return placed
}

function toolOf(call: Call): { name: string; input: unknown; result: { content: string; is_error?: true } } {
  switch (call.kind) {
    case 'command':
      return {
        name: 'bash',
        input: { command: call.command, timeout: 120 },
        result:
          call.exitCode === 0
            ? { content: call.output }
            : { content: `Error: ${call.output}\n\nCommand exited with code ${call.exitCode}`, is_error: true },
      }
    case 'read':
      return { name: 'read', input: { path: call.file.path }, result: { content: call.lines.join('\n') } }
    case 'edit':
      return {
        name: 'edit',
        input: { path: call.path, edits: [{ oldText: call.removed, newText: call.added }] },
        result: { content: `Successfully replaced 1 block(s) in ${call.path}.` },
      }
    case 'write':
      return {
        name: 'write',
        input: { path: call.path, content: call.added },
        result: { content: `Successfully wrote ${call.added.length} bytes to ${call.path}` },
      }
  }
}

function indented(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
}

function nanoseconds(at: number): string {
  return new Date(at).toISOString().replace('Z', '000000Z')
}

const sum = (a: number, b: number): number => a + b
