import type { Problem, Time } from '../../shared/model.ts'
import { isObject } from '../shared/json.ts'
import { emptyTree, type TreeState } from './tree.ts'

/** The newest format that is known (1.0 and later write it). The client refuses a higher one, too. */
export const newestVersion = 3

/** A call without a result yet: its id, offset and bytes of its line, its first `seq`, its entry in the tree. */
export type CallPlace = [id: string, offset: number, bytes: number, seq: number, entry: number]

/**
 * What is kept between reads. No text of the conversation is in it, since it is written as it is and the archive holds
 * redacted text only: calls without a result and the title are places in the file.
 */
export interface State {
  format: 1
  offset: number
  lines: number
  next: number
  /** Whether there is a message at all. */
  talked: boolean
  id: string | null
  workspace: string | null
  /** The transcript that a fork was taken from, and when: what is older is a copy. */
  parentId: string | null
  forkedAt: Time
  startedAt: Time
  updatedAt: Time
  model: string | null
  /** [offset, bytes] of the newest name. */
  name: [number, number] | null
  calls: CallPlace[]
  tree: TreeState
  /** How many lines were dropped, and of the first ones why. */
  dropped: number
  problems: Problem[]
  /** The version that is too new: nothing of the file is read. */
  unsupported: number | null
}

export const fresh: State = {
  format: 1,
  offset: 0,
  lines: 0,
  next: 0,
  talked: false,
  id: null,
  workspace: null,
  parentId: null,
  forkedAt: null,
  startedAt: null,
  updatedAt: null,
  model: null,
  name: null,
  calls: [],
  tree: emptyTree,
  dropped: 0,
  problems: [],
  unsupported: null,
}

export function isState(value: unknown): value is State {
  return isObject(value) && value.format === 1
}
