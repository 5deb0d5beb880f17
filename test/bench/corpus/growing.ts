import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { rareWord } from './words.ts'

/** What is written last, and asked for next. */
export interface NewTurn {
  prompt: string
  answer: string
  question: string
  /** Stands in the answer alone. */
  mark: string
}

/** The n-th turn that settles something which no other place says. */
export function newTurn(n: number): NewTurn {
  const [chosen, other, place, mark] = [1, 2, 3, 4].map(k => rareWord(2_000_000 + 5 * n + k))
  return {
    prompt: `Should the ${place ?? ''} use ${chosen ?? ''} or ${other ?? ''}?`,
    answer: `We decided to use ${chosen ?? ''} instead of ${other ?? ''} for the ${place ?? ''} because of ${mark ?? ''}.`,
    question: `Why did we choose ${chosen ?? ''} over ${other ?? ''} for the ${place ?? ''}?`,
    mark: mark ?? '',
  }
}

/**
 * Makes a CodeWhale session with one more turn, in the messages and in the journal, and gives what saves it: the rename
 * alone, since everything before it is CodeWhale's own time.
 */
export function savedAgain(path: string, { prompt, answer }: NewTurn, at: Date): () => void {
  const before = readFileSync(path, 'utf8')
  const now = at.toISOString().replace('Z', '000000Z')
  const messages = [
    { role: 'user', content: [{ type: 'text', text: prompt }] },
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ].map(message => JSON.stringify(message, null, 2))
  const closes = before.indexOf('\n  ],\n  "journal"')
  const ends = before.lastIndexOf('\n    ],\n    "leaf_id": "')
  const leaf = /"leaf_id": "([^"]+)"/.exec(before.slice(ends))?.[1] ?? ''
  const number = Number.parseInt(leaf.slice(24), 16)
  const id = (n: number) => `${leaf.slice(0, 24)}${(number + n).toString(16).padStart(12, '0')}`
  const entries = messages.map(
    (message, n) =>
      `,\n      {\n        "id": "${id(n + 1)}",\n        "parent_id": "${id(n)}",\n        "kind": "message",\n` +
      `        "message": ${message.replaceAll('\n', '\n        ')},\n        "created_at": "${now}",\n        "spawn_depth": 0\n      }`,
  )
  const head = before
    .slice(0, 8192)
    .replace(/"updated_at": "[^"]+"/, `"updated_at": "${now}"`)
    .replace(/"message_count": (\d+)/, (_, count: string) => `"message_count": ${Number(count) + 2}`)
  const text = [
    head,
    before.slice(8192, closes),
    ...messages.map(message => `,\n    ${message.replaceAll('\n', '\n    ')}`),
    before.slice(closes, ends),
    ...entries,
    before.slice(ends).replaceAll(leaf, id(2)),
  ]
  const draft = `${path}.tmp`
  const file = openSync(draft, 'w', 0o600)
  for (const part of text) writeSync(file, part)
  fsyncSync(file)
  closeSync(file)
  return () => renameSync(draft, path)
}

/** Appends a turn to a Command Code session. */
export function appended(path: string, n: number, { prompt, answer }: NewTurn, at: Date): void {
  const timestamp = at.toISOString()
  const id = (k: number) => (0xa0000000 + 2 * n + k).toString(16)
  const line = (k: number, role: string, source: string, text: string) =>
    `${JSON.stringify({
      type: 'message',
      id: id(k),
      parentId: k === 0 && n === 0 ? null : id(k - 1),
      timestamp,
      message: { role, content: [{ type: 'text', text }], meta: { source, createdAt: at.getTime() } },
    })}\n`
  appendFileSync(path, line(0, 'user', 'user', prompt) + line(1, 'assistant', 'model', answer))
}

/** Begins a Command Code session that `appended` goes on with. */
export function begun(path: string, workspace: string, at: Date): void {
  const id = '0be60000-0000-4000-8000-000000000001'
  appendFileSync(
    path,
    `${JSON.stringify({ type: 'session', version: 3, id, timestamp: at.toISOString(), cwd: workspace })}\n`,
  )
}
