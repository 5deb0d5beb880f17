import type { Readable } from 'node:stream'
import type { ClientContext } from '../client/start.ts'

/** What a command works with: nothing in src/cli reads the process itself. */
export interface CliContext extends ClientContext {
  platform: NodeJS.Platform
  cwd: string
  now: () => Date
  stdin: Readable
  /** Data. */
  out: (text: string) => void
  /** Everything else. */
  err: (text: string) => void
  terminal: Terminal
}

/** How stdout shows things. */
export interface Terminal {
  /** Somebody looks at it: progress and the start screen make sense. */
  interactive: boolean
  colour: boolean
  /** Columns. */
  width: number
}
