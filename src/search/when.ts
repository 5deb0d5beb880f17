import { DejaError } from '../shared/errors.ts'
import { localDay } from '../shared/shown.ts'

const words: Readonly<Record<string, number>> = {
  today: 0,
  yesterday: 1,
  今天: 0,
  昨天: 1,
  前天: 2,
  сегодня: 0,
  вчера: 1,
  позавчера: 2,
}
const spans: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 }

/**
 * A bound that a person wrote (`--since`, `--until`, `--before`), as text that compares with the archive's times: a date
 * (`2026-09-27`), a time in ISO 8601, `yesterday`, `last week`, or an age (`3d`, `2w`, `6m`, `1y`). Days are local, and
 * `until` takes in the whole of its day.
 * @param option as it is called in the error. Throws `usage`.
 */
export function whenOf(text: string, bound: 'since' | 'until', now: Date, option: string = bound): string {
  const written = text.trim().toLowerCase()
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  const back = (days: number) => {
    // by the calendar: where clocks are changed a day has 23 or 25 hours
    const date = new Date(midnight)
    date.setDate(date.getDate() - days)
    return dayBound(date, bound)
  }
  const named = words[written]
  if (named !== undefined) return back(named)
  if (/^(?:last week|上周|на прошлой неделе)$/u.test(written)) return back(7)
  if (/^(?:last month|上个?月|в прошлом месяце)$/u.test(written)) return back(30)
  const [, count, unit = ''] = /^(\d{1,4})\s*([dwmy])(?:ays?|eeks?|onths?|ears?)?(?: ago)?$/.exec(written) ?? []
  if (count !== undefined) return back(Number(count) * (spans[unit] ?? 1))
  if (/^\d{4}-\d\d?-\d\d?$/.test(written)) {
    const [y = 0, m = 0, d = 0] = written.split('-').map(Number)
    const date = new Date(y, m - 1, d)
    if (date.getMonth() === m - 1 && date.getDate() === d) return dayBound(date, bound)
  }
  const time = /^\d{4}-\d\d-\d\dT/i.test(written) ? Date.parse(text.trim()) : NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new DejaError('usage', `--${option}: "${text}" is no date.`, {
    hint: 'Write 2026-09-27, yesterday, "last week", or an age such as 3d or 2w.',
  })
}

/** Times where only the day is known are dates alone, so that the wider of the two spellings is taken. */
function dayBound(midnight: Date, bound: 'since' | 'until'): string {
  const date = new Date(midnight)
  if (bound === 'until') date.setDate(date.getDate() + 1)
  const utc = date.toISOString()
  const local = localDay(utc)
  return bound === 'since' ? (local < utc ? local : utc) : local > utc ? local : utc
}
