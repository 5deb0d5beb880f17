import { datesIn, type DateSpan } from '../index/dates.ts'
import { searchText, termsMatch } from '../index/full-text.ts'
import { phraseCheck } from '../index/phrase.ts'

/** A search as it was typed, taken apart. */
export interface Question {
  /** What stood in quotes: word for word, in this order. */
  phrases: string[]
  /** The other words, once each, as typed; an identifier or a path is one, a run of CJK too. */
  words: string[]
  /** All of it without the quotes, for ranking. */
  text: string
  /** When it was: a hint. What says so is none of the words. */
  dates: DateSpan[]
}

const quoted = /"([^"]+)"|“([^”]+)”|«([^»]+)»|「([^」]+)」|『([^』]+)』/g
const parting = /[\s"“”«»「」『』，。；：！？、（）［］【】《》〈〉…,;!?]+/u
const cjk = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ー`
/** CJK and what is not: `scheduler调度器` is two words, in whatever order and however joined they were said. */
const scripts = new RegExp(String.raw`[${cjk}]+|[[^]--[${cjk}]]+`, 'gv')
/** Words that only join or ask. */
const joining = /的|为什么|為什麼|怎么|怎麼|如何|什么|什麼/u

/** Dates are named in questions; in what was pasted they are something else. Characters. */
const datedAtMost = 200

/** @param now where dates such as "yesterday" count from; without it they are words */
export function questionOf(query: string, now?: number): Question {
  const phrases: string[] = []
  const rest = query.replace(quoted, (...match: unknown[]) => {
    const phrase = match.slice(1, 6).find((group): group is string => typeof group === 'string')
    if (phrase !== undefined && searchText(phrase) !== '') phrases.push(phrase)
    return ' '
  })
  const { dates, undated } = now === undefined ? { dates: [], undated: rest } : partDates(rest, now)
  return { phrases, words: wordsOf(undated), text: [...phrases, ...wordsOf(rest)].join(' '), dates }
}

function wordsOf(text: string): string[] {
  const words = text
    .split(parting)
    .flatMap(piece => piece.match(scripts) ?? [])
    .flatMap(piece => piece.split(joining))
    .filter(word => searchText(word) !== '')
  return [...new Set(words)]
}

function partDates(text: string, now: number): { dates: DateSpan[]; undated: string } {
  if (text.length > datedAtMost) return { dates: [], undated: text }
  const year = new Date(now).getFullYear()
  const dates: DateSpan[] = []
  let undated = text
  for (const spans of datesIn(text, () => [year, year - 1], now)) {
    const written = spans[0]?.written ?? ''
    const at = undated.indexOf(written)
    // a part of a file's name or of a time is no date
    const joint = /[\w./\\:+-]/
    if (written === '' || at < 0) continue
    if (joint.test(undated[at - 1] ?? '') || joint.test(undated[at + written.length] ?? '')) continue
    dates.push(...spans)
    undated = `${undated.slice(0, at)} ${undated.slice(at + written.length)}`
  }
  return { dates, undated }
}

/** What full text is asked for. */
export interface Match {
  /** Of two that are equal, all else is. */
  key: string
  /** FTS5's expression: terms that all stand in a record. */
  match: string
  /** Whether they stand there as they were asked for: side by side, what is more than one term. Null: they do. */
  accepts: ((text: string) => boolean) | null
}

/** Records that have each of `texts` word for word: a phrase, a path, an identifier, a run of CJK. Null: no word is in them. */
export function matchOf(texts: readonly string[]): Match | null {
  const match = termsMatch(texts)
  return match === null ? null : { key: texts.join('\0'), match, accepts: phraseCheck(texts) }
}

/** Of a longer question, nothing has all words in one place; and each costs. */
const wordsAtMost = 16

/** Records that have all of a question. Null when there is nothing to be matched, or too much. */
export function allMatch({ phrases, words }: Pick<Question, 'phrases' | 'words'>): Match | null {
  const parts = [...phrases, ...words]
  return parts.length > wordsAtMost ? null : matchOf(parts)
}
