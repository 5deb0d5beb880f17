import type { ReadStep } from '../harness/harness.ts'
import type { Redactor } from '../archive/redactor.ts'
import { redactRecord } from '../archive/write/redact-again.ts'
import type { SessionFacts } from '../shared/model.ts'

/** Everything in a step that goes to the disk, redacted. The reader's state is looked at by `cleanState`. */
export function redactStep(step: ReadStep, redactor: Redactor): ReadStep {
  const { redact } = redactor
  return {
    ...step,
    session: step.session && redactFacts(step.session, redactor),
    records: step.records.map(record => redactRecord(record, redactor)),
    problems: step.problems.map(problem => ({ ...problem, reason: redact(problem.reason) })),
  }
}

function redactFacts(facts: SessionFacts, { redact }: Redactor): SessionFacts {
  return {
    ...facts,
    title: facts.title === null ? null : redact(facts.title),
    workspace: facts.workspace === null ? null : redact(facts.workspace),
    model: facts.model === null ? null : redact(facts.model),
  }
}

/** Strings too short for a secret, and those that the rules leave alone anyway: most of a state is ids and hashes. */
const harmless = /^(?:.{0,7}|[0-9a-f-]{8,64}|[\w.:+-]{8,40}Z)$/

/**
 * A reader's state as JSON, or null when something in it would be redacted. It may hold what it was told and waits to
 * complete (a command whose result is to come), and the reader must get that back as it was. So a state that holds a
 * secret is kept in memory alone: the archive keeps the last clean one, and after a restart the bytes since then are
 * read once more, giving the same records under the same numbers.
 */
export function cleanState(state: unknown, { redact }: Redactor): string | null {
  const clean = (value: unknown): boolean => {
    if (typeof value === 'string') return harmless.test(value) || redact(value) === value
    if (Array.isArray(value)) return value.every(clean)
    if (typeof value !== 'object' || value === null) return true
    return Object.entries(value).every(([key, item]) => clean(key) && clean(item))
  }
  return clean(state) ? JSON.stringify(state) : null
}
