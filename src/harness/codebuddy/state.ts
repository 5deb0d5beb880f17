import { isObject, numberOf, objectOf, parseJson, textOf } from '../shared/json.ts'
import { metaOf, placeOf } from './store.ts'
import type { Problem, SessionFacts, SessionKind, Time } from '../../shared/model.ts'
import type { ReaderOptions, TranscriptFile } from '../harness.ts'

/** What the path and the sidecar say of a session, before a line is read. */
export interface Basis {
  id: string
  kind: SessionKind
  parentId: string | null
  /** `/branch`: items up to then (epoch ms) are copies of the parent's. */
  forkedAt: number | null
  /** How much of a sub-agent is read. */
  subagents: ReaderOptions['subagents']
}

/** Null: the path is no transcript's. */
export function basisOf(file: TranscriptFile, options: ReaderOptions): Basis | null {
  const place = placeOf(file.relative)
  if (place === null) return null
  const meta = objectOf(parseJson(file.sidecars[metaOf(file.relative)] ?? ''))
  const forkedFrom = textOf(meta.forkedFrom)
  // A team's member may stand beside its parent, told by its sidecar alone.
  const parent = place.parent ?? (forkedFrom === null ? textOf(meta.parentSessionId) : null)
  return {
    id: place.id,
    kind: parent !== null ? 'subagent' : forkedFrom !== null ? 'fork' : 'main',
    parentId: parent ?? forkedFrom,
    forkedAt: parent === null && forkedFrom !== null ? numberOf(meta.forkedAt) : null,
    subagents: options.subagents,
  }
}

/** A line of the transcript: byte offset and length. */
export type LinePlace = [offset: number, bytes: number]

/** A call whose result wasn't seen yet: where it stands, and its first record's `seq`. */
export interface Pending {
  line: LinePlace
  seq: number
}

/** A result whose whole text stands in a file of its own. */
export interface Awaited {
  /** Of the output. */
  seq: number
  tool: string
  detail?: string
  at: Time
  /** The command that it came from, while its exit code isn't known otherwise: the length tells where it ends in the result. */
  command: { seq: number; at: Time; length: number } | null
}

/** From the one that counts most to the least. */
export type TitleSource = 'custom' | 'ai' | 'topic' | 'prompt'

/**
 * What is kept between reads. No text of the conversation is in it, since it is kept as it is and the archive holds
 * redacted text only: calls and titles are places in the file.
 */
export interface State {
  format: 1
  /** Bytes that were read, up to the last whole line. */
  offset: number
  /** The next record's. */
  seq: number
  basis: Basis
  /** Whether anything was said at all: else the file holds no session. */
  began: boolean
  /**
   * Whether the file goes on from another one: resumed in another directory, the new turns stand in that project's
   * folder, and the first item's parent in the old file (2.117.0). Null: no item was seen yet.
   */
  continues: boolean | null
  /** Ids before the first item that has a parent. */
  heads: string[]
  workspace: string | null
  model: string | null
  startedAt: Time
  updatedAt: Time
  titles: Partial<Record<TitleSource, LinePlace>>
  pending: Record<string, Pending>
  awaited: Record<string, Awaited>
  /** Lines that were dropped, and where the first was. */
  corrupt: { count: number; first: number } | null
  oversized: number
  /** Item types that were met and not known. */
  unknownTypes: string[]
}

export function newState(basis: Basis): State {
  return {
    format: 1,
    offset: 0,
    seq: 0,
    basis,
    began: false,
    continues: null,
    heads: [],
    workspace: null,
    model: null,
    startedAt: null,
    updatedAt: null,
    titles: {},
    pending: {},
    awaited: {},
    corrupt: null,
    oversized: 0,
    unknownTypes: [],
  }
}

export function isState(value: unknown): value is State {
  return isObject(value) && value.format === 1 && isObject(value.basis)
}

/** All that is wrong with the file as far as it was read, not with one step alone. `waiting`: bytes behind the last whole line. */
export function problemsOf(state: State, waiting: number): Problem[] {
  const { corrupt, oversized, unknownTypes, offset } = state
  const problems: Problem[] = []
  if (corrupt !== null) {
    const lines = corrupt.count === 1 ? 'One line was' : `${corrupt.count} lines were`
    const reason = `${lines} left out: not a JSON object, at byte ${corrupt.first}${corrupt.count > 1 ? ' first' : ''}.`
    problems.push({ code: 'corrupt', reason })
  }
  if (oversized > 0) {
    problems.push({ code: 'oversized', reason: `Lines longer than 64 MiB that were left out: ${oversized}.` })
  }
  if (unknownTypes.length > 0) {
    const reason = `Items of types that are not known were left out: ${unknownTypes.join(', ')}.`
    problems.push({ code: 'unsupported', reason })
  }
  if (waiting > 0) {
    problems.push({ code: 'waiting', reason: `The line at byte ${offset} isn't complete yet (${waiting} bytes).` })
  }
  return problems
}

/** Where the title stands, by the client's order; null: the session has none. */
export function titlePlace(state: State): LinePlace | null {
  const { custom, ai, topic, prompt } = state.titles
  // A file that goes on from another has its first prompt there.
  return custom ?? ai ?? topic ?? (state.continues === true ? null : (prompt ?? null))
}

/** The session so far; null while nothing was said, and for a sub-agent that is left out. */
export function factsOf(state: State, title: string | null): SessionFacts | null {
  const { basis } = state
  if (!state.began || (basis.kind === 'subagent' && basis.subagents === 'none')) return null
  const forked = basis.forkedAt === null ? null : timeOf(basis.forkedAt)
  return {
    id: basis.id,
    title,
    workspace: state.workspace,
    startedAt: forked ?? state.startedAt,
    updatedAt: later(forked, state.updatedAt),
    parentId: basis.parentId,
    kind: basis.kind,
    model: state.model,
    archived: false,
  }
}

/** Epoch milliseconds, as every item has them; null for anything else. */
export function timeOf(value: unknown): Time {
  const ms = numberOf(value)
  return ms === null || Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString()
}

export function later(one: Time, other: Time): Time {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
