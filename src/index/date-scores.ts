import { fitOf, type DateSpan } from './dates.ts'
import { timeOf, type Session } from './places.ts'

/** By its passages' own times where they have any: a long session is not all of one day. */
function fitOfSession(session: Session, spans: readonly DateSpan[]): number {
  const { startedAt, updatedAt } = session.head
  const first = timeOf(startedAt ?? updatedAt)
  const last = timeOf(updatedAt ?? startedAt)
  let best = first === 0 ? 0 : Math.max(fitOf(spans, first), fitOf(spans, last))
  if (best === 1 || (first > 0 && spans.every(({ from, to }) => to < first || from > last))) return best
  for (const { ms } of session.passages) if (ms > 0) best = Math.max(best, fitOf(spans, ms))
  return best
}

/** As rare as a date gets (one session in 24): in a large archive it would drown every word otherwise. */
const rarest = 3.2

/** What the dates of a query are worth to each session that fits one: like a term's weight, the more the fewer fit. */
export function dateScores(
  dates: readonly DateSpan[][],
  sessions: readonly Session[],
  weight: number,
): Map<Session, number> {
  const scores = new Map<Session, number>()
  for (const spans of dates) {
    const fits = sessions.map(session => ({ session, fit: fitOfSession(session, spans) }))
    const mass = fits.reduce((sum, { fit }) => sum + fit, 0)
    if (mass === 0) continue
    const worth = weight * Math.min(rarest, Math.log(1 + sessions.length / mass))
    for (const { session, fit } of fits) if (fit > 0) scores.set(session, (scores.get(session) ?? 0) + worth * fit)
  }
  return scores
}
