import type { SessionRecord, SessionRef, Time } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import type { ForgottenFile, ForgottenLine, Tombstone } from '../forgotten-file.ts'
import { contentHash, saidLength } from '../hash.ts'

/** Characters from which a turn said twice is taken for a copy; two such turns, or one of the second length, are proof. */
const tellingLength = 40
const provingLength = 200

interface Covered {
  harness: string
  id: string
  project: string | null
  startedAt: Time
  updatedAt: Time
}

/** What must not come back: in the archive's table for looking up, and in the file beside it. */
export class Tombstones {
  readonly #db
  readonly #file
  readonly #list
  readonly #put
  readonly #drop
  readonly #putTurn
  readonly #dropTurns
  readonly #turnsOf
  readonly #owners
  readonly #has
  #rules: Tombstone[] = []
  #anyTurns = false
  /** Sessions (`harness:id`) that carry turns of forgotten ones, with whose. */
  readonly #carriers = new Map<string, Set<string>>()

  constructor(db: Db, file: ForgottenFile) {
    this.#db = db
    this.#file = file
    this.#list = db.prepare<[], { kind: Tombstone['kind']; harness: string; value: string; at: string }>(
      'SELECT kind, harness, value, at FROM forgotten ORDER BY at, value',
    )
    this.#put = db.prepare<[string, string, string, string]>(
      'INSERT OR REPLACE INTO forgotten (kind, harness, value, at) VALUES (?, ?, ?, ?)',
    )
    this.#drop = db.prepare<[string, string, string]>(
      'DELETE FROM forgotten WHERE kind = ? AND harness = ? AND value = ?',
    )
    this.#putTurn = db.prepare<[number, string, string]>(
      'INSERT OR IGNORE INTO forgotten_turns (hash, harness, sid) VALUES (?, ?, ?)',
    )
    this.#dropTurns = db.prepare<[string, string]>('DELETE FROM forgotten_turns WHERE harness = ? AND sid = ?')
    this.#turnsOf = db.prepare<[string, string], { hash: number }>(
      'SELECT hash FROM forgotten_turns WHERE harness = ? AND sid = ?',
    )
    this.#owners = db.prepare<[number], { harness: string; sid: string }>(
      'SELECT harness, sid FROM forgotten_turns WHERE hash = ?',
    )
    this.#has = db.prepare<[string, string, string], { n: number }>(
      'SELECT count(*) AS n FROM forgotten WHERE kind = ? AND harness = ? AND value = ?',
    )
    this.#sync()
  }

  list(): Tombstone[] {
    return this.#rules
  }

  turnsOf({ harness, id }: SessionRef): number[] {
    return this.#turnsOf.all(harness, id).map(row => row.hash)
  }

  /** Writes tombstones, the file first: from there on they hold, whatever happens. */
  add(stones: readonly Tombstone[]): void {
    this.#file.append(stones)
    this.#db.transaction(() => {
      for (const stone of stones) this.#apply(stone)
    })()
    this.#load()
  }

  /** Takes back a session's tombstone, and what a project's or a date's would still cover. False: nothing covered it. */
  remove(ref: SessionRef, at: string): boolean {
    const lines: ForgottenLine[] = []
    if ((this.#has.get('session', ref.harness, ref.id)?.n ?? 0) > 0) {
      lines.push({ kind: 'unforget', of: 'session', harness: ref.harness, value: ref.id, at })
    }
    if (this.#rules.some(rule => rule.kind === 'project' || rule.kind === 'before') && lines.length > 0) {
      lines.push({ kind: 'except', harness: ref.harness, value: ref.id, at })
    }
    return this.#write(lines)
  }

  /** Takes back a project's or a date's tombstone itself; sessions that it named keep theirs. */
  removeRule(kind: 'project' | 'before', value: string, at: string): boolean {
    if ((this.#has.get(kind, '', value)?.n ?? 0) === 0) return false
    return this.#write([{ kind: 'unforget', of: kind, harness: '', value, at }])
  }

  /** Whether a session is forgotten by its id alone. */
  coversId({ harness, id }: SessionRef): boolean {
    return (this.#has.get('session', harness, id)?.n ?? 0) > 0
  }

  covers(session: Covered): boolean {
    if (this.coversId(session)) return true
    const { harness, id, project, startedAt, updatedAt } = session
    return this.#rules.some(rule => {
      if (rule.kind !== 'project' && rule.kind !== 'before') return false
      const changed = updatedAt ?? startedAt
      const covers =
        rule.kind === 'project'
          ? rule.value === project && ((startedAt ?? updatedAt) === null || (startedAt ?? updatedAt ?? '') < rule.at)
          : changed !== null && changed < rule.value
      return covers && (this.#has.get('except', harness, id)?.n ?? 0) === 0
    })
  }

  /**
   * Looks whether drafts of a session repeat forgotten ones. What then is dropped is told by `turnForgotten`: only turns
   * of those whose copy the session is, so that a common command isn't lost everywhere.
   */
  examine(session: SessionRef, parentId: string | null, drafts: readonly SessionRecord[]): void {
    if (!this.#anyTurns) return
    const key = `${session.harness}:${session.id}`
    const whose = this.#carriers.get(key) ?? new Set<string>()
    if (parentId !== null && this.coversId({ harness: session.harness, id: parentId })) {
      whose.add(`${session.harness}:${parentId}`)
    }
    const told = new Map<string, number>()
    for (const draft of drafts) {
      const length = saidLength(draft)
      if (length < tellingLength || !['prompt', 'answer', 'summary'].includes(draft.kind)) continue
      for (const { harness, sid } of this.#owners.all(contentHash(draft))) {
        const owner = `${harness}:${sid}`
        told.set(owner, (told.get(owner) ?? 0) + (length >= provingLength ? 2 : 1))
      }
    }
    for (const [owner, weight] of told) if (weight >= 2) whose.add(owner)
    if (whose.size > 0) this.#carriers.set(key, whose)
  }

  turnForgotten(session: SessionRef, hash: number): boolean {
    const whose = this.#carriers.get(`${session.harness}:${session.id}`)
    if (!whose) return false
    return this.#owners.all(hash).some(({ harness, sid }) => whose.has(`${harness}:${sid}`))
  }

  #write(lines: readonly ForgottenLine[]): boolean {
    if (lines.length === 0) return false
    this.#file.append(lines)
    this.#db.transaction(() => {
      for (const line of lines) this.#apply(line)
    })()
    this.#carriers.clear()
    this.#load()
    return true
  }

  #apply(line: ForgottenLine): void {
    if (line.kind === 'unforget') {
      this.#drop.run(line.of, line.harness, line.value)
      if (line.of === 'session') this.#dropTurns.run(line.harness, line.value)
      return
    }
    this.#put.run(line.kind, line.harness, line.value, line.at)
    if (line.kind !== 'session') return
    this.#drop.run('except', line.harness, line.value)
    for (const turn of line.turns ?? []) this.#putTurn.run(turn, line.harness, line.value)
  }

  /** Table and file say the same: each may have been lost or be behind. */
  #sync(): void {
    const lines = this.#file.read()
    const known = this.#list.all()
    const inFile = new Set(
      lines.map(line => `${line.kind === 'unforget' ? line.of : line.kind}\n${line.harness}\n${line.value}`),
    )
    const missing = known.filter(row => !inFile.has(`${row.kind}\n${row.harness}\n${row.value}`))
    this.#file.append(missing.map(row => this.#withTurns(row)))
    this.#db.transaction(() => {
      for (const line of lines) this.#apply(line)
    })()
    this.#load()
  }

  #withTurns({
    kind,
    harness,
    value,
    at,
  }: {
    kind: Tombstone['kind']
    harness: string
    value: string
    at: string
  }): Tombstone {
    if (kind === 'session') return { kind, harness, value, at, turns: this.turnsOf({ harness, id: value }) }
    if (kind === 'except') return { kind, harness, value, at }
    return { kind, harness: '', value, at }
  }

  #load(): void {
    this.#rules = this.#list
      .all()
      .map(({ kind, harness, value, at }) =>
        kind === 'session' || kind === 'except' ? { kind, harness, value, at } : { kind, harness: '', value, at },
      )
    this.#anyTurns =
      (this.#db.prepare<[], { n: number }>('SELECT EXISTS (SELECT 1 FROM forgotten_turns) AS n').get()?.n ?? 0) > 0
  }
}
