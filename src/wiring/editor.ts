import type { Trace } from './trace.ts'

/** What was inserted for an edit, by the names that its editor gives (an event; `deja`). */
type Traces = Readonly<Record<string, Trace>>

export interface Installed {
  text: string
  traces: Record<string, Trace>
  /** What the person should know: something of theirs was left as it is. */
  notes: string[]
}

/** How an edit stands in a file. `other`: something that isn't ours stands in its place, and stays. */
export type Standing = 'absent' | 'wired' | 'old' | 'off' | 'other'

/** Carries out one kind of edit on a file's text. Throws `Unsafe` where it can't be done without risk. */
export interface Editor {
  /** Gives the text with our part in its present form. Twice gives the same. */
  install(text: string, traces: Traces): Installed
  /** Gives the text without our part. */
  uninstall(text: string, traces: Traces): string
  standing(text: string): Standing
}
