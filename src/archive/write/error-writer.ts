import type { SessionRecord } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { recordOf, type RecordRow } from '../rows.ts'
import type { Touched } from './conversation.ts'

/** Records that are looked at around one, for the call that an output belongs to. */
const neighbours = 40

/** Keeps the error signatures of commands that failed. */
export class ErrorWriter {
  readonly #signatures
  readonly #place
  readonly #around
  readonly #clear
  readonly #add

  constructor(db: Db, signatures: (output: string) => string[]) {
    this.#signatures = signatures
    this.#place = db.prepare<[number], { pos: number }>('SELECT pos FROM records WHERE id = ?')
    this.#around = db.prepare<[{ session: number; pos: number }], RecordRow>(
      `SELECT * FROM (SELECT * FROM records WHERE session_id = @session AND pos < @pos ORDER BY pos DESC LIMIT ${neighbours})
       UNION ALL
       SELECT * FROM (SELECT * FROM records WHERE session_id = @session AND pos >= @pos ORDER BY pos LIMIT ${neighbours})
       ORDER BY pos, id`,
    )
    this.#clear = db.prepare<[number]>('DELETE FROM errors WHERE record_id = ?')
    this.#add = db.prepare<[number, number, string]>(
      'INSERT OR IGNORE INTO errors (record_id, session_id, signature) VALUES (?, ?, ?)',
    )
  }

  /** `touched`: what one write put in or changed, in order. */
  update(session: number, touched: readonly Touched[]): void {
    for (const { id, record } of touched) if (record.kind === 'command') this.#clear.run(id)
    const inOrder = this.#keep(session, touched)
    // at its edges the write may hold half of a pair: the other half is in the archive already
    const edges = [touched[0], touched.at(-1)].filter(
      edge => edge?.record.kind === 'output' || edge?.record.kind === 'command',
    )
    for (const edge of edges) {
      if (!edge || (inOrder.has(edge.id) && touched.length > 1)) continue
      const place = this.#place.get(edge.id)
      if (!place) continue
      const rows = this.#around.all({ session, pos: place.pos })
      this.#keep(
        session,
        rows.map(row => ({ id: row.id, record: recordOf(row, true) })),
      )
    }
  }

  /** Gives the ids of outputs and commands that were paired. */
  #keep(session: number, records: readonly Touched[]): Set<number> {
    const paired = new Set<number>()
    for (const { call, output } of callsWithOutputs(records)) {
      paired.add(call.id).add(output.id)
      const { kind, outcome } = call.record
      if (kind !== 'command' || outcome !== 'failed') continue
      for (const signature of this.#signatures(output.record.text ?? '')) this.#add.run(call.id, session, signature)
    }
    return paired
  }
}

/**
 * Which output belongs to which call. Readers give either call, output, call, output or, for calls made at once, all
 * calls and then their outputs in the same order; a call that changed nothing leaves an output alone.
 */
function* callsWithOutputs(records: readonly Touched[]): Generator<{ call: Touched; output: Touched }> {
  let calls: Touched[] = []
  let answered = false
  for (const touched of records) {
    if (isCall(touched.record)) {
      if (answered) calls = []
      answered = false
      calls.push(touched)
    } else if (touched.record.kind === 'output') {
      answered = true
      const at = calls.findIndex(({ record }) => record.tool === touched.record.tool)
      const call = calls[at]
      if (!call) continue
      calls = calls.slice(at + 1)
      yield { call, output: touched }
    } else calls = []
  }
}

function isCall({ kind }: SessionRecord): boolean {
  return kind === 'command' || kind === 'read' || kind === 'edit' || kind === 'write'
}
