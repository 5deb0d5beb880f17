/**
 * LoCoMo by the method of the best public figures: one fresh index a dialogue, each `session_<n>` one session dated by its
 * `session_<n>_date_time`, every turn a record "Speaker: text" of the person's. The query is the question, word for word.
 * hit@k: a gold session among the first k. The product's own passages, index and ranking.
 *
 *   npm run bench:locomo -- FILE
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { PassageIndex } from '../../src/index/passage-index.ts'
import { passagesOf, type KeptRecord } from '../../src/index/passage-of.ts'
import type { SessionHead } from '../../src/index/passage.ts'

const dialogues = z.array(
  z.object({
    sample_id: z.string(),
    qa: z.array(
      z.object({
        question: z.string(),
        category: z.number(),
        evidence: z.array(z.string()).optional(),
      }),
    ),
    conversation: z.record(z.string(), z.unknown()),
  }),
)
const turns = z.array(z.object({ speaker: z.string(), text: z.string().default('') }))

const categories = new Map([
  [1, 'multi-hop'],
  [2, 'temporal'],
  [3, 'open-domain'],
  [4, 'single-hop'],
  [5, 'adversarial'],
])

/** `1:56 pm on 8 May, 2023` → ISO. */
function timeOf(written: unknown): string | null {
  const match = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(String(written))
  if (match === null) return null
  const [, hour, minute, half, day, month, year] = match
  const ms = Date.parse(`${day ?? ''} ${month ?? ''} ${year ?? ''} ${hour ?? ''}:${minute ?? ''} ${half ?? ''} UTC`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

function indexOf(conversation: Record<string, unknown>): { index: PassageIndex; numbers: Set<number> } {
  const index = new PassageIndex()
  const numbers = new Set<number>()
  let id = 0
  for (const [name, value] of Object.entries(conversation)) {
    const number = /^session_(\d+)$/.exec(name)?.[1]
    if (number === undefined) continue
    const at = timeOf(conversation[`${name}_date_time`])
    const session: SessionHead = {
      key: Number(number),
      harness: 'locomo',
      id: name,
      title: null,
      workspace: null,
      projects: [],
      parentId: null,
      kind: 'main',
      startedAt: at,
      updatedAt: at,
      deleted: false,
      archived: false,
    }
    const records = turns
      .parse(value)
      .map(({ speaker, text }): KeptRecord => ({ id: ++id, kind: 'prompt', at, text: `${speaker}: ${text}` }))
    index.add(passagesOf(records, session))
    numbers.add(session.key)
  }
  return { index, numbers }
}

interface Tally {
  first: number
  five: number
  all: number
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: npm run bench:locomo -- FILE')

const tallies = new Map<string, Tally>()
function count(name: string, place: number): void {
  const tally = tallies.get(name) ?? { first: 0, five: 0, all: 0 }
  tally.all += 1
  if (place === 0) tally.first += 1
  if (place >= 0 && place < 5) tally.five += 1
  tallies.set(name, tally)
}

for (const { sample_id: dialogue, qa, conversation } of dialogues.parse(JSON.parse(readFileSync(file, 'utf8')))) {
  const { index, numbers } = indexOf(conversation)
  for (const { question, category, evidence = [] } of qa) {
    const gold = new Set<number>()
    for (const id of evidence)
      for (const [, number] of id.matchAll(/D(\d+):\d+/g)) if (numbers.has(Number(number))) gold.add(Number(number))
    if (gold.size === 0) continue
    const ranked = index.search({ text: question, mode: 'person', scope: {}, limit: 5 })
    const place = ranked.findIndex(({ session }) => gold.has(session.key))
    count(dialogue, place)
    count(categories.get(category) ?? String(category), place)
    count('all', place)
  }
}

const percent = (part: number, whole: number) => ((100 * part) / whole).toFixed(1)
const all = tallies.get('all')
for (const [name, { first, five, all: n }] of tallies)
  if (name !== 'all') console.log(`${name}: hit@1 ${percent(first, n)} hit@5 ${percent(five, n)} n=${String(n)}`)
if (all !== undefined)
  console.log(`all: hit@1 ${percent(all.first, all.all)} hit@5 ${percent(all.five, all.all)} n=${String(all.all)}`)
