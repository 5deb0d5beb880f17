/** `DEJA_TEST_FULL=1` (`npm run test:faults`, `npm run test:fuzz`): as many rounds as the issue asks for; else a few. */
export const isFull = process.env.DEJA_TEST_FULL === '1'

/** How often, how many or how long: in short, and in full. */
export function rounds(short: number, full: number): number {
  return isFull ? full : short
}

/** A test's time (ms) for so many rounds. */
export function timeFor(perRound: number, count: number): number {
  return 30_000 + perRound * count
}

/** What can't be tried here is said, in one line of the run's output; never left out in silence. */
export function notRun(what: string, why: string): void {
  process.stderr.write(`not run here: ${what} (${why})\n`)
}
