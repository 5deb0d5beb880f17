import { expect, test } from 'vitest'
import { keepRetention } from '../../src/daemon/retention.ts'

type Forget = Parameters<typeof keepRetention>[1]['forget']

/** Notes what it is asked to forget; `matches` sessions fit. */
function forgetting(matches: number): { asked: string[]; forget: Forget } {
  const asked: string[] = []
  const session = { key: 1, harness: 'codewhale', id: 'a', title: null, records: 1 }
  const forget: Forget = (target, options) => {
    if ('before' in target && options?.dryRun !== true) asked.push(target.before)
    return Promise.resolve(Array.from({ length: matches }, () => session))
  }
  return { asked, forget }
}

const now = () => new Date('2026-10-31T12:00:00Z')
const unexpected = (error: unknown) => expect.unreachable(String(error))

test('sessions older than the settings say are forgotten at the start', async () => {
  const { asked, forget } = forgetting(2)
  keepRetention(30, { forget }, now, unexpected)()
  await new Promise(resolve => setImmediate(resolve))
  expect(asked).toEqual(['2026-10-01'])
})

test('a day on which nothing fits leaves no trace, and no setting keeps everything', async () => {
  const { asked, forget } = forgetting(0)
  keepRetention(30, { forget }, now, unexpected)()
  keepRetention(null, { forget: forgetting(2).forget }, now, unexpected)()
  await new Promise(resolve => setImmediate(resolve))
  expect(asked).toEqual([])
})
