/** Dates that a text names, as spans of time. What a passage tells is dated by when it was said. */

export interface DateSpan {
  /** Epoch milliseconds, both ends included: UTC days, but the asker's for those that count from now. */
  from: number
  to: number
  /** Where it stands in the text, for leaving its numbers out of the terms. */
  written: string
}

const day = 86_400_000
const names = [
  'jan(?:uary)?|январ[ья]|янв|январе',
  'feb(?:ruary)?|феврал[ья]|февр?|феврале',
  'mar(?:ch)?|марта?|марте',
  'apr(?:il)?|апрел[ья]|апр|апреле',
  'may|ма[йяе]',
  'june?|июн[ья]|июне',
  'july?|июл[ья]|июле',
  'aug(?:ust)?|августа?|авг|августе',
  'sept?(?:ember)?|сентябр[ья]|сент?|сентябре',
  'oct(?:ober)?|октябр[ья]|окт|октябре',
  'nov(?:ember)?|ноябр[ья]|ноя|ноябре',
  'dec(?:ember)?|декабр[ья]|дек|декабре',
]
const month = `(${names.join('|')})`
const monthPatterns = names.map(name => new RegExp(`^(?:${name})$`, 'iu'))
const monthOf = (text: string): number => monthPatterns.findIndex(pattern => pattern.test(text)) + 1
const edge = String.raw`(?<![\p{L}\p{N}])`
const end = String.raw`(?![\p{L}\p{N}])`
const nth = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = String.raw`((?:19|20)\d\d)`

interface Named {
  year?: number
  month: number
  day?: number
}

type Reading = (groups: readonly string[]) => Named

const pattern = (source: string) => new RegExp(`${edge}${source}${end}`, 'giu')
const number = (text: string | undefined): number => Number(text)

/** Most exact first: what one took is gone for the next. */
const readings: readonly [RegExp, Reading][] = [
  [
    pattern(String.raw`${year}[-/.年](\d{1,2})[-/.月](\d{1,2})日?`),
    ([y, m, d]) => ({ year: number(y), month: number(m), day: number(d) }),
  ],
  [
    pattern(`${nth}(?: of)? ${month}\\.?,? ${year}`),
    ([d, m, y]) => ({ year: number(y), month: monthOf(m ?? ''), day: number(d) }),
  ],
  [
    pattern(`${month}\\.? ${nth},? ${year}`),
    ([m, d, y]) => ({ year: number(y), month: monthOf(m ?? ''), day: number(d) }),
  ],
  [pattern(`${month}\\.?,?(?: of)? ${year}`), ([m, y]) => ({ year: number(y), month: monthOf(m ?? '') })],
  [pattern(String.raw`${year}[-年](\d{1,2})月?`), ([y, m]) => ({ year: number(y), month: number(m) })],
  [pattern(`${month}\\.? ${nth}`), ([m, d]) => ({ month: monthOf(m ?? ''), day: number(d) })],
  [pattern(`${nth}(?: of)? ${month}`), ([d, m]) => ({ month: monthOf(m ?? ''), day: number(d) })],
  [/(?<!\d)(\d{1,2})月(\d{1,2})[日号]/gu, ([m, d]) => ({ month: number(m), day: number(d) })],
  // a month alone needs a word before it that makes it one: "may" and "march" are verbs
  [
    pattern(`(?:in|of|during|since|by|until|before|after|early|late|mid|last|this|в|с|до|за)[ -]${month}`),
    ([m]) => ({ month: monthOf(m ?? '') }),
  ],
  [/(?<!\d)(\d{1,2})月(?:份|初|底|中)?(?!\d)/gu, ([m]) => ({ month: number(m) })],
]

function spanOf(named: Named, inYear: number): { from: number; to: number } | undefined {
  if (named.month < 1 || named.month > 12) return undefined
  if (named.day === undefined) {
    return { from: Date.UTC(inYear, named.month - 1, 1), to: Date.UTC(inYear, named.month, 1) - 1 }
  }
  if (named.day < 1 || named.day > 31) return undefined
  const from = Date.UTC(inYear, named.month - 1, named.day)
  return { from, to: from + day - 1 }
}

/** Questions name dates; in a longer text they are something else. Characters. */
const readAtMost = 2_000
/** Something of a date must be there. */
const dated = new RegExp(
  String.raw`\d|${month}|today|yesterday|\blast |[今昨]天|上周|上月|上个|星期|сегодня|вчера|прошл`,
  'iu',
)

const relative: readonly [RegExp, number, number][] = [
  [/\btoday\b|今天|(?<!\p{L})сегодня(?!\p{L})/giu, 0, 0],
  [/\byesterday\b|昨天|(?<!\p{L})вчера(?!\p{L})/giu, 1, 1],
  [/\blast week\b|上周|上个?星期|(?<!\p{L})на прошлой неделе(?!\p{L})/giu, 4, 13],
  [/\blast month\b|上个月|上月|(?<!\p{L})в прошлом месяце(?!\p{L})/giu, 20, 60],
]

/**
 * The spans that `text` names. A month or day without a year means each of `years()`; words like "yesterday" count from `now`
 * and mean nothing without it.
 */
export function datesIn(text: string, years: () => readonly number[], now?: number): DateSpan[][] {
  if (text.length > readAtMost || !dated.test(text)) return []
  const dates: DateSpan[][] = []
  let rest = text
  for (const [expression, read] of readings) {
    rest = rest.replace(expression, (...match: unknown[]) => {
      const groups = match.slice(0, -2).filter((group): group is string => typeof group === 'string')
      const written = groups[0] ?? ''
      const named = read(groups.slice(1))
      const spans = (named.year === undefined ? years() : [named.year]).flatMap(each => {
        const span = spanOf(named, each)
        return span === undefined ? [] : [{ ...span, written }]
      })
      if (spans.length === 0) return written
      dates.push(spans)
      return ' '
    })
  }
  if (now !== undefined) {
    // the asker's days
    const midnight = (daysAgo: number): number => {
      const date = new Date(now)
      return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo).getTime()
    }
    for (const [expression, first, last] of relative) {
      const written = expression.exec(rest)?.[0]
      expression.lastIndex = 0
      if (written !== undefined) dates.push([{ from: midnight(last), to: midnight(first - 1) - 1, written }])
    }
  }
  return dates
}

/** Things are told when they happened or in the days after; less often announced. Days, for the chance to halve and more. */
const toldAfter = 7
const toldBefore = 2

/** How well a time fits a date: 1 within it, a half at most and soon nothing outside. */
export function fitOf(spans: readonly DateSpan[], time: number): number {
  let best = 0
  for (const { from, to } of spans) {
    const days = time > to ? (time - to) / day : time < from ? (from - time) / day : 0
    const fit = days === 0 ? 1 : 0.5 * Math.exp(-days / (time > to ? toldAfter : toldBefore))
    if (fit > best) best = fit
  }
  return best < 0.02 ? 0 : best
}
