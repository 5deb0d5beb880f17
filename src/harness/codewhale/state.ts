import { createHash } from 'node:crypto'
import type { RecordDraft } from '../../shared/model.ts'
import { isObject } from '../shared/json.ts'
import { emptyMemory, type Memory, type Message } from './conversation.ts'

/** What is known of the records that a document gave, in its order. */
export interface Known {
  /** One of `HASH` characters for each record, parted by spaces: in one piece they would look like a secret. */
  hashes: string
  /** The `seq` of each; -1 for one that isn't this session's own to change (a fork's copy). */
  seqs: number[]
}

/** What the reader keeps between readings of a session file. JSON. */
export interface State {
  v: 1
  /** How many messages were taken in, and where the last one stands (from the layout's base) with its hash. */
  messages: number
  start: number
  end: number
  last: string
  /** Whether the journal's times are used. */
  timed: boolean
  memory: Memory
  /** The records of the document as it was last seen, and those that it no longer holds. */
  known: Known
  gone: Known
}

/** 36 bits: enough where order decides as well, and short, as there is one a record. */
const HASH = 6

export function emptyState(): State {
  const none = (): Known => ({ hashes: '', seqs: [] })
  return {
    v: 1,
    messages: 0,
    start: 0,
    end: 0,
    last: '',
    timed: false,
    memory: emptyMemory(),
    known: none(),
    gone: none(),
  }
}

/** A state that this reader wrote, else null. */
export function stateOf(value: unknown): State | null {
  return isObject(value) && value.v === 1 && isObject(value.known) && isObject(value.memory)
    ? // Written by this reader's version alone: the caller keeps versions apart.
      (value as unknown as State)
    : null
}

/** Of what a message is, whatever its layout. */
export function messageHash(message: Message): string {
  return createHash('sha1').update(JSON.stringify(message)).digest('base64url').slice(0, 16)
}

/** Of what a record says, not of when or how it ended. */
export function recordHash(record: RecordDraft): string {
  const { kind, text, command, path, removed, added } = record
  const said = [kind, text ?? command ?? '', path ?? '', removed ?? '', added ?? ''].join('\0')
  return createHash('sha1').update(said).digest('base64url').slice(0, HASH)
}

export function hashList(known: Known): string[] {
  return known.seqs.map((_, index) => known.hashes.slice(index * (HASH + 1), index * (HASH + 1) + HASH))
}

export function remember(known: Known, hash: string, seq: number): void {
  known.hashes += known.hashes === '' ? hash : ` ${hash}`
  known.seqs.push(seq)
}
