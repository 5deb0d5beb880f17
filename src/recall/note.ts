/** One thing to say, ready to be put into a frame. */
export interface Note {
  /** Its name in the ledger. */
  name: string
  /** One line, or several that belong together. Neutral. */
  text: string
  /** The archive's session that it comes from. */
  sessionKey: number
  /** `harness:id` of that session. */
  source: string
  /** `deja why`: what made it be chosen. */
  because: Because
}

/** How a note was chosen: terms and scores, no text of its own. */
export interface Because {
  score: number
  parts: Record<string, number>
  terms: string[]
}

export function isNote(value: unknown): value is Note {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'text' in value &&
    typeof value.text === 'string' &&
    'sessionKey' in value &&
    typeof value.sessionKey === 'number' &&
    'source' in value &&
    typeof value.source === 'string' &&
    'because' in value
  )
}
