import type { Problem } from '../shared/model.ts'

/** Of one file that are kept. */
const mostProblems = 20
/** These may heal by themselves, so each read tells them anew. */
const healing: ReadonlySet<Problem['code']> = new Set<Problem['code']>(['torn', 'waiting'])

export function lasting(problems: readonly Problem[]): Problem[] {
  return problems.filter(problem => !healing.has(problem.code))
}

/** What a step told, each once: a reader tells all that is wrong with the file as far as it was read. */
export function mostOf(found: readonly Problem[]): Problem[] {
  const byReason = new Map(found.map(problem => [problem.reason, problem]))
  return [...byReason.values()].slice(0, mostProblems)
}

/** As a transcript's row holds them. */
export function parseProblems(text: string | null): Problem[] {
  const value: unknown = text === null ? [] : JSON.parse(text)
  return Array.isArray(value) ? value.filter(isProblem) : []
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'reason' in value
}
