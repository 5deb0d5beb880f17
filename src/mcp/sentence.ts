import { frameOf } from '../recall/frame.ts'
import type { DejaError, ErrorCode } from '../shared/errors.ts'

/** Characters: within every mode's cap, whatever script it is in. */
const room = 1300

/** The caller asked for something that there isn't; all else is no fault of the caller's. */
const callersFault: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['usage', 'ambiguous', 'unknown-id', 'refused'])

/**
 * An error as an agent is to read it, in a frame, since it may quote what was recorded. `isError` only for what another
 * call can do better: a memory that can't be asked just now is no failure of the agent's work.
 */
export function sentenceFor({ code, message, hint }: DejaError): { text: string; isError: boolean } {
  const isError = callersFault.has(code)
  const lines = message.split('\n')
  const items = isError
    ? [...lines, ...(hint === undefined ? [] : [hint])]
    : ["deja's memory can't be asked just now; go on without it, or ask again in a while.", ...lines]
  const framed = frameOf([{ heading: null, items }], room)
  return { text: framed?.text ?? '', isError }
}
