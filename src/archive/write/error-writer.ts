import type { Db } from '../database.ts'
import { recordOf, type RecordRow } from '../rows.ts'

type Neighbour = Pick<RecordRow, 'id' | 'kind' | 'outcome' | 'pos'>

/** Keeps the error signatures of commands that failed. */
export class ErrorWriter {
  readonly #signatures
  readonly #row
  readonly #earlier
  readonly #later
  readonly #clear
  readonly #add

  constructor(db: Db, signatures: (output: string) => string[]) {
    this.#signatures = signatures
    this.#row = db.prepare<[number], RecordRow>('SELECT * FROM records WHERE id = ?')
    this.#earlier = db.prepare<[number, number], Neighbour>(
      'SELECT id, kind, outcome, pos FROM records WHERE session_id = ? AND pos < ? ORDER BY pos DESC LIMIT 40',
    )
    this.#later = db.prepare<[number, number], Neighbour>(
      'SELECT id, kind, outcome, pos FROM records WHERE session_id = ? AND pos > ? ORDER BY pos LIMIT 40',
    )
    this.#clear = db.prepare<[number]>('DELETE FROM errors WHERE record_id = ?')
    this.#add = db.prepare<[number, number, string]>(
      'INSERT OR IGNORE INTO errors (record_id, session_id, signature) VALUES (?, ?, ?)',
    )
  }

  /** `touched`: ids of commands and outputs that were put in or changed. */
  update(touched: readonly number[]): void {
    const outputs = new Set<number>()
    for (const id of touched) {
      const row = this.#row.get(id)
      if (row?.kind === 'output') outputs.add(id)
      if (row?.kind !== 'command') continue
      this.#clear.run(id)
      if (row.outcome !== 'failed') continue
      for (const next of this.#later.all(row.session_id, row.pos)) {
        if (next.kind === 'prompt' || next.kind === 'answer') break
        if (next.kind === 'output') outputs.add(next.id)
      }
    }
    for (const id of outputs) {
      const output = this.#row.get(id)
      if (!output) continue
      const command = ownerOf(this.#earlier.all(output.session_id, output.pos))
      if (command?.kind !== 'command' || command.outcome !== 'failed') continue
      const text = recordOf(output, true).text ?? ''
      for (const signature of this.#signatures(text)) this.#add.run(command.id, output.session_id, signature)
    }
  }
}

/**
 * The call that an output belongs to. Readers give either call, output, call, output or, for calls made at once, all
 * calls and then their outputs in the same order. `earlier` comes nearest first.
 */
function ownerOf(earlier: readonly Neighbour[]): Neighbour | undefined {
  let outputs = 0
  let at = 0
  while (earlier[at]?.kind === 'output') {
    outputs++
    at++
  }
  const calls: Neighbour[] = []
  for (; at < earlier.length; at++) {
    const row = earlier[at]
    if (!row || !['command', 'read', 'edit', 'write'].includes(row.kind)) break
    calls.unshift(row)
  }
  return calls[Math.min(outputs, calls.length - 1)]
}
