import type { Ingest } from '../ingest/ingest.ts'

const day = 86_400_000

/**
 * Forgets what is older than the settings let it grow, at the start and once a day: as `deja forget --before` does.
 * `null`: everything is kept. Gives what ends it.
 */
export function keepRetention(
  days: number | null,
  ingest: Pick<Ingest, 'forget'>,
  now: () => Date,
  onError: (error: unknown) => void,
): () => void {
  if (days === null) return () => undefined
  const forget = async (): Promise<void> => {
    const before = new Date(now().getTime() - days * day).toISOString().slice(0, 10)
    // a day on which nothing fits leaves no trace in the list of what was forgotten
    if ((await ingest.forget({ before }, { dryRun: true })).length > 0) await ingest.forget({ before })
  }
  const run = () => void forget().catch(onError)
  run()
  const timer = setInterval(run, day)
  timer.unref()
  return () => clearInterval(timer)
}
