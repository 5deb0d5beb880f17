import type { Outcome } from '../shared/model.ts'

/** What the shim passed on: an event's name, stdin and the harness's environment variables, DEJA_RECALL included. */
export interface HookCall {
  event: string
  stdin: string
  env: Readonly<Record<string, string>>
}

/** What a tool call is about, told the same way for every harness. */
export type ToolUse =
  | { type: 'command'; command: string }
  | { type: 'file'; path: string; changes: boolean }
  /** A search, a list, a web page: nothing to say about. */
  | { type: 'other' }

interface MomentBase {
  /** The id that the agent's hooks give themselves. Not always the transcript's id (`sessionIsTranscript`). */
  agentSession: string
  /** True where `agentSession` is the id of the session in the store. */
  sessionIsTranscript: boolean
  /** As the agent said it; only ever looked up among the known transcripts, never opened by it. */
  transcriptPath: string | null
  workspace: string | null
  /** A sub-agent's own event, under its parent's session id. */
  subagent: boolean
}

/** Why an agent calls, told the same way for every harness. */
export type Moment = MomentBase &
  (
    | { type: 'session-start'; source: 'startup' | 'resume' | 'clear' }
    | {
        type: 'prompt'
        text: string
        cut: boolean
        /** The message's own id: asked for again, it gets the same bytes again. */
        messageId?: string
        /** A message that went out before: only what was given with it then, nothing new. */
        replay?: boolean
      }
    | { type: 'before-tool'; callId: string | null; tool: ToolUse }
    | {
        type: 'after-tool'
        callId: string | null
        /** Null where the event doesn't say (CodeWhale 0.9): joined with its before-tool by `callId`. */
        tool: ToolUse | null
        outcome: Outcome
        exitCode: number | null
        /** What the tool printed, as far as the event holds it. */
        output: string
        /** The call itself didn't run, so what was said at its before-tool never arrived. */
        swallowed: boolean
      }
    | { type: 'compaction' }
    | { type: 'session-end' }
  )

export type ItemKind = 'digest' | 'recall' | 'hint' | 'fix' | 'packet'

/** What may be said at an event, and how much. */
export interface Channel {
  /** Characters for everything in one reply, frame included. 0: nothing said here ever reaches the model. */
  room: number
  /** Which kinds this event carries. What is due and has no place waits (parked). */
  carries: readonly ItemKind[]
  /** Room for a packet here, when smaller than the usual 4,000. */
  packetRoom?: number
}

export interface HookAdapter {
  /** The names of environment variables that the shim passes on (exact; never a secret). */
  readonly environment: readonly string[]
  /** A hook session's id differs from its transcript's: they are bound by the texts that pass. */
  readonly bindsByText: boolean
  /**
   * Whether a session start's answer reaches the model; where not, the digest rides the first prompt. Even where it
   * does, a source whose channel doesn't carry a `digest` (a resumed CodeBuddy session) leaves it to the first prompt.
   */
  readonly digestAtStart: boolean
  /** The event as a moment, or null: not for us, or malformed. Pure; never throws. */
  parse(call: HookCall): Moment | null
  channel(moment: Moment): Channel
  /** The whole stdout for a block (`frame`) at this moment, or '' where nothing can be said. */
  render(moment: Moment, frame: string, call: HookCall): string
}
