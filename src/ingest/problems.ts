import type { Problem } from '../shared/model.ts'

/** Of one file that are kept: what is the same goes on for every line. */
const mostProblems = 20
/** These may heal by themselves, so each read tells them anew. */
const healing: ReadonlySet<Problem['code']> = new Set<Problem['code']>(['torn', 'waiting'])

export function lasting(problems: readonly Problem[]): Problem[] {
  return problems.filter(problem => !healing.has(problem.code))
}

/** A file's problems after a read that found some. `whole`: it was read from its start. */
export function problemsNow(known: readonly Problem[], found: readonly Problem[], whole: boolean): Problem[] {
  const problems = whole ? [] : lasting(known)
  for (const problem of found) {
    if (problems.length < mostProblems && !problems.some(({ reason }) => reason === problem.reason))
      problems.push(problem)
  }
  return problems
}

/** As a transcript's row holds them. */
export function parseProblems(text: string | null): Problem[] {
  const value: unknown = text === null ? [] : JSON.parse(text)
  return Array.isArray(value) ? value.filter(isProblem) : []
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'reason' in value
}
