import { compareTimes } from '../archive/recall-queries.ts'
import { errorLines } from '../index/errors.ts'
import type { SessionHead } from '../index/passage.ts'
import { kinship, type Asker } from './asker.ts'
import { conclusionOf, promptLine } from './evidence.ts'
import { askingOf } from './asking.ts'
import type { Gate } from './gates.ts'
import type { HintSources } from './hint.ts'
import { fairShare, HitFinder, takesBack, type AlreadyGiven, type Found, type Hit } from './hits.ts'
import { isAlike, labelOf, shownPath } from './label.ts'
import type { Note } from './note.ts'
import { notesDue } from './noted.ts'
import { personsWords, silenceFor } from './persons-words.ts'
import { aboutOf } from './subject.ts'

/** A session that was thought of, and what became of it. For `deja why`. */
export interface Candidate {
  session: SessionHead
  score: number
  parts: Record<string, number>
  terms: string[]
  /** Null: shown. */
  gate: Gate | null
}

export interface PromptRecall {
  notes: Note[]
  candidates: Candidate[]
  /** Why nothing was looked for at all. */
  silence: 'slash-command' | 'machine-made' | 'chatter' | 'no-subject' | null
}

const mostSearched = 12
const mostShown = 3
const pastedLimit = 1_500
/** A prompt whose words tell less than this together has no subject. */
const leastSubject = 0.35

/** The words to search by: a long paste comes down to its prose and its error lines. */
function queryTextOf(words: string): string {
  if (words.length <= pastedLimit) return words
  const prose: string[] = []
  let fenced = false
  for (const line of words.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced && !looksPasted(line)) prose.push(line)
  }
  return [prose.join('\n').slice(0, 6_000), ...errorLines(words)].join('\n')
}

/** A line of a log, a trace, a listing or a program. */
const looksPasted = (line: string): boolean =>
  line.length > 400 ||
  /^\s*(?:at \S+|File "|\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\d+[:|]\s|[+-]{3}\s|@@|\$ |> |[{}<>|#*]\s*$|(?:INFO|DEBUG|WARN|TRACE)\b)/.test(
    line,
  ) ||
  (line.match(/[{}();=<>|\\]/g) ?? []).length > line.length / 6

/** What earlier sessions of the project have to say to a prompt; usually nothing. */
export function recallFor(prompt: string, asker: Asker, given: AlreadyGiven, sources: HintSources): PromptRecall {
  const { checks } = sources
  const silence = checks.silence ? silenceFor(prompt) : null
  if (silence) return { notes: [], candidates: [], silence }
  const words = personsWords(prompt)
  const text = queryTextOf(words)
  const about = aboutOf(text)
  if (about().total < leastSubject) return { notes: [], candidates: [], silence: 'no-subject' }
  const accepts = (session: SessionHead) => kinship(asker, session) === null
  const scope = checks.project ? { projects: [asker.project], accepts } : { accepts }
  const ranked = sources.index.search({ text, mode: 'hook', scope, limit: mostSearched, now: asker.now })
  const subject = about(
    ranked.flatMap(each => each.terms),
    checks.rarity,
  )
  const asking = askingOf(text)
  const finder = new HitFinder({ words, subject, asking, asker, given }, sources)
  const found = finder.find(ranked)
  const candidates = found.map(candidateOf)
  const hits = found.flatMap(each => (typeof each.found === 'string' ? [] : [each.found]))
  const noted = notesDue(text, subject, asking, asker, given, sources.notes)
  return { notes: [...noted, ...chosen(hits, words, asker, sources, candidates)], candidates, silence: null }
}

function candidateOf({ ranked, found }: Found): Candidate {
  const { session, score, parts, terms } = ranked
  return {
    session,
    score,
    parts,
    terms: terms.slice(0, 8).map(term => `${term.written} ${term.rarity.toFixed(2)}`),
    gate: typeof found === 'string' ? found : null,
  }
}

/** Which was said later; where passages know only the day, by their sessions. */
function byTime(a: Hit, b: Hit): number {
  const [one, other] = [a.ranked.session.updatedAt, b.ranked.session.updatedAt]
  return compareTimes(a.passage.at ?? one, b.passage.at ?? other) || compareTimes(one, other)
}

function chosen(
  hits: Hit[],
  words: string,
  asker: Asker,
  sources: HintSources,
  candidates: readonly Candidate[],
): Note[] {
  const { checks } = sources
  hits.sort((a, b) => b.score - a.score)
  const [best] = hits
  if (!best) return []
  const refuse = (hit: Hit, gate: Gate): void => {
    const candidate = candidates.find(each => each.session.key === hit.ranked.session.key)
    if (candidate) candidate.gate = gate
  }
  const fair = hits.filter(hit => {
    const enough =
      !checks.fair ||
      (hit.score >= fairShare * best.score &&
        hit.bearing.told >= fairShare * best.bearing.told &&
        (hit.settled || !best.settled))
    if (!enough) refuse(hit, 'weaker')
    return enough
  })
  const standing = fair.filter(hit => {
    const later = checks.superseded ? fair.find(other => supersedes(other, hit)) : undefined
    if (later) refuse(hit, 'superseded')
    return !later
  })
  // of what bears alike on the question the newest is told first
  standing.sort((a, b) => (Math.abs(a.score - b.score) <= 0.15 * best.score ? byTime(b, a) : b.score - a.score))
  const notes: Note[] = []
  const said: string[] = []
  for (const hit of standing) {
    const conclusion = conclusionOf(hit.evidence, hit.weights, notes.length === 0 ? 420 : 280)
    if (notes.length >= mostShown) refuse(hit, 'weaker')
    else if (said.some(line => isAlike(line, conclusion))) refuse(hit, 'alike')
    else {
      said.push(conclusion)
      notes.push(noteOf(hit, conclusion, words, asker, sources))
    }
  }
  return notes
}

/** A later session that says of the same thing that it is otherwise now. Forks and branches are trials, not decisions. */
function supersedes(later: Hit, earlier: Hit): boolean {
  if (later === earlier || later.ranked.session.kind !== 'main') return false
  if (byTime(later, earlier) <= 0) return false
  const mine = new Set(later.passage.terms.filter(term => term.rarity >= 0.42).map(term => term.term))
  const shared = earlier.passage.terms.filter(term => term.rarity >= 0.42 && mine.has(term.term)).length
  return shared >= 2 && shared >= 0.6 * mine.size && takesBack(later.evidence)
}

function noteOf(hit: Hit, conclusion: string, words: string, asker: Asker, { agentName }: HintSources): Note {
  const { session } = hit.ranked
  const { prompt, changed } = hit.evidence
  const lines = [`- ${labelOf(session, hit.passage.at, agentName)}`]
  const asked = promptLine(personsWords(prompt), hit.weights, 150)
  // the question itself, asked before, tells nothing
  if (asked !== '' && silenceFor(prompt) === null && !isAlike(prompt, words)) lines.push(`  asked: ${asked}`)
  lines.push(`  came to: ${conclusion}`)
  const directories = [session.workspace, asker.agent.workspace, asker.project]
  if (changed.length > 0) {
    const shown = changed.slice(-4).map(path => shownPath(path, directories))
    lines.push(`  changed: ${shown.join(', ')}${changed.length > 4 ? ` and ${changed.length - 4} more` : ''}`)
  }
  return {
    name: `passage:${hit.passage.id}`,
    text: lines.join('\n'),
    sessionKey: session.key,
    source: `${session.harness}:${session.id}`,
    because: {
      score: hit.score,
      parts: { ...hit.ranked.parts, told: hit.bearing.told, share: hit.bearing.share },
      terms: hit.passage.terms.slice(0, 8).map(term => `${term.written} ${term.rarity.toFixed(2)}`),
    },
  }
}
