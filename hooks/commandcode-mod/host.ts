/**
 * Command Code's mod interface, as far as the published client shows it (1.64.0; its package `@commandcode/harness` is
 * not on npm). The mod itself imports nothing of it: it is one file. Our build checks that it fits.
 */

export interface ModMessage {
  /** `user` or `assistant`; tool results are messages of the user. */
  readonly role: string
  readonly content: string | readonly ModBlock[]
  readonly meta?: ModMeta
}

export interface ModMeta {
  readonly source?: string
  readonly messageId?: string
  readonly createdAt?: number
  readonly isMeta?: boolean
  readonly isAutomated?: boolean
  readonly isSummary?: boolean
}

/** `text`, `thinking`, `tool_use`, `tool_result`, `image`, each with fields of its own. */
export interface ModBlock {
  readonly type: string
  readonly text?: string
  readonly [field: string]: unknown
}

export interface ModContext {
  emit: (event: string, data?: unknown) => void
  signal: AbortSignal | undefined
  cwd: string
  session?: unknown
}

export interface ModHooks {
  /** Awaited before every model call of a turn, without a limit. The same array means no change; nothing is stored. */
  transformContext?(
    input: {
      messages: readonly ModMessage[]
      state: { sessionId: string; modState: unknown }
      signal: AbortSignal | undefined
    },
    context: ModContext,
  ): Promise<readonly ModMessage[]> | readonly ModMessage[]
  /** Not awaited; again whenever a session is bound. `sessionId` is undocumented. */
  onSessionStart?(input: { source: 'startup' | 'resume'; sessionId?: string }, context?: ModContext): unknown
  /** At exit the process waits at most 300 ms for it. */
  onSessionEnd?(input: { reason: 'shutdown' | 'replaced' }, context?: ModContext): unknown
}

export interface ModHost {
  readonly name: string
  readonly cwd: string
  readonly ui: {
    readonly capabilities: { readonly status: boolean }
    setStatus(text: string | null): { dispose(): void }
    notify(text: string): void
  }
  hooks(hooks: ModHooks): void
  on(event: string, listener: (event: unknown) => void): void
}

/** A mod's default export. */
export type ModFactory = (cmd: ModHost) => void | Promise<void>
