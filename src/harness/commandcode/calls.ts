import type { Time } from '../../shared/model.ts'
import type { ByteSource } from '../harness.ts'
import { parseJson } from '../shared/json.ts'
import { isOwnCommand, isOwnSkill, isOwnTool } from '../shared/own.ts'
import { parseLine, type Part } from './lines.ts'
import type { CallPlace } from './state.ts'
import { detailOf, toolCall, type ToolCall } from './tools.ts'

/** A round's results stand right behind it, so a few are plenty. */
const mostOpen = 200

/** A call whose result hasn't come yet. */
export interface OpenCall {
  tool: string
  detail?: string
  call: ToolCall
  at: Time
  copied: boolean
  /** What it prints is deja's own text. */
  own: boolean
  seq: number
  entry: number
}

/** Where a call was made. */
export type CallSite = Pick<OpenCall, 'at' | 'copied' | 'seq' | 'entry'>

export function openCall(part: Part & { type: 'call' }, workspace: string | null, site: CallSite): OpenCall {
  const call = toolCall(part.tool, part.input, workspace)
  const detail = detailOf(part.tool, part.input)
  const own =
    isOwnTool(part.tool) ||
    (detail !== undefined && isOwnSkill(detail)) ||
    (call.type === 'command' && isOwnCommand(call.command))
  return { tool: part.tool, ...(detail === undefined ? {} : { detail }), call, own, ...site }
}

/** How many records a call may come to: so many places in the order are kept for it. */
export function recordsOf(call: ToolCall): number {
  return call.type === 'other' ? 0 : call.type === 'read' ? call.paths.length : 1
}

/** The calls that wait for their results, those of earlier reads as places in the file. */
export class OpenCalls {
  readonly #calls: Map<string, { place: CallPlace; open?: OpenCall }>

  constructor(places: readonly CallPlace[]) {
    this.#calls = new Map(places.map(place => [place[0], { place }]))
  }

  add(place: CallPlace, open: OpenCall): void {
    this.#calls.delete(place[0])
    this.#calls.set(place[0], { place, open })
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= mostOpen) break
      this.#calls.delete(oldest)
    }
  }

  /** The call that a result answers, no longer waiting. `reopen` makes it anew from its line. */
  take(
    callId: string,
    source: ByteSource,
    reopen: (line: ReturnType<typeof parseLine>, place: CallPlace) => OpenCall | undefined,
  ): OpenCall | undefined {
    const known = this.#calls.get(callId)
    this.#calls.delete(callId)
    if (known === undefined || known.open !== undefined) return known?.open
    const [, offset, bytes] = known.place
    return reopen(parseLine(parseJson(textAt(source, offset, bytes))), known.place)
  }

  places(): CallPlace[] {
    return [...this.#calls.values()].map(({ place }) => place)
  }
}

export function textAt(source: ByteSource, offset: number, bytes: number): string {
  return new TextDecoder().decode(source.read(offset, bytes))
}
