import type { Spoken, Ways } from './language.ts'

/**
 * A command that fails and what mends it. `{c}` stands for the component, `{C}` for it as a class is named, `{n}` and `{m}`
 * for numbers that differ from run to run, `{tmp}` for a temporary path.
 */
export interface Failure {
  /** What people call it. */
  symptom: Spoken
  command: string
  error: string
  /** Another form of the command that passes; else `edit` mends it. */
  passes?: string
  edit?: { path: string; removed: string; added: string }
  /** What the agent says it was; holds the answer. */
  cause: Spoken
  /** Literal in every language's `cause`. */
  answer: string
  vague: Ways
}

const spoken = ([en, zh, ru]: readonly [string, string, string]): Spoken => ({ en, zh, ru })

/** A failure from its parts: English, Chinese, Russian. */
export const failure = (
  symptom: readonly [string, string, string],
  run: Pick<Failure, 'command' | 'error' | 'passes' | 'edit'>,
  answer: string,
  cause: readonly [string, string, string],
  vague: readonly [string, string, string],
): Failure => ({
  symptom: spoken(symptom),
  ...run,
  answer,
  cause: spoken(cause),
  vague: { en: [vague[0]], zh: [vague[1]], ru: [vague[2]] },
})
