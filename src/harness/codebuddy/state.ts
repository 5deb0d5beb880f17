import { isObject, numberOf, objectOf, parseJson, textOf } from '../shared/json.ts'
import { metaOf, placeOf } from './store.ts'
import type { RecordDraft, SessionFacts, SessionKind, Time } from '../../shared/model.ts'
import type { ReaderOptions, TranscriptFile } from '../harness.ts'
import type { ToolCall } from './tools.ts'

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

/** A call whose result wasn't seen yet. */
export interface Pending {
  seq: number
  call: ToolCall
  at: Time
  workspace: string | null
  copied: boolean
}

/** A result whose whole text stands in a file of its own. */
export interface Awaited {
  /** Of the output. */
  seq: number
  tool: string
  at: Time
  /** The command that it came from, while its exit code isn't known otherwise. */
  command: RecordDraft | null
}

export interface State {
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
  titles: { custom: string | null; ai: string | null; topic: string | null; prompt: string | null }
  pending: Record<string, Pending>
  awaited: Record<string, Awaited>
  /** Item types that were met and not known, each reported once. */
  unknownTypes: string[]
}

export function newState(basis: Basis): State {
  return {
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
    titles: { custom: null, ai: null, topic: null, prompt: null },
    pending: {},
    awaited: {},
    unknownTypes: [],
  }
}

export function isState(value: unknown): value is State {
  return (
    isObject(value) &&
    typeof value.offset === 'number' &&
    typeof value.seq === 'number' &&
    [value.basis, value.titles, value.pending, value.awaited].every(isObject) &&
    Array.isArray(value.heads) &&
    Array.isArray(value.unknownTypes)
  )
}

/** Titles that the client passes over. */
const NO_TITLE = /^(?:\(No content\)|\/compact\b.*|<image_local_path>[^\n]*)$/s

export function titleOf(text: string | null): string | null {
  const title = text?.trim() ?? ''
  return title === '' || NO_TITLE.test(title) ? null : title
}

const TITLE_LENGTH = 120

/** A prompt as a title: its first line, at most 120 characters. */
export function titleFromPrompt(text: string): string | null {
  const line = titleOf(text)?.split('\n', 1)[0]?.trim() ?? null
  if (line === null) return null
  const characters = Array.from(line.slice(0, 4 * TITLE_LENGTH))
  return characters.length <= TITLE_LENGTH ? line : characters.slice(0, TITLE_LENGTH - 1).join('') + '…'
}

/** The session so far; null while nothing was said, and for a sub-agent that is left out. */
export function factsOf(state: State): SessionFacts | null {
  const { basis, titles } = state
  if (!state.began || (basis.kind === 'subagent' && basis.subagents === 'none')) return null
  // A file that goes on from another has its first prompt there.
  const fallback = state.continues === true ? null : titles.prompt
  const forked = basis.forkedAt === null ? null : timeOf(basis.forkedAt)
  return {
    id: basis.id,
    title: titles.custom ?? titles.ai ?? titles.topic ?? fallback,
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
