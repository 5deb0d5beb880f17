import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { writeCodebuddy } from './codebuddy.ts'
import { writeCodewhale, type Written } from './codewhale.ts'
import { writeCommandcode } from './commandcode.ts'
import { Conversations, type Conversation, type Question } from './conversation.ts'
import { Outputs } from './outputs.ts'
import { makeProject, type Project } from './project.ts'
import { Random } from './random.ts'
import { writeTextFile } from './text-file.ts'
import { Vocabulary } from './words.ts'

type CorpusHarness = 'codewhale' | 'commandcode' | 'codebuddy'

export interface CorpusOptions {
  /** How many records deja makes of it, about: 143,000 are 1,500 sessions and 2 GB. */
  records: number
  seed: number
  /** A whole HOME: the stores go to their usual places in it. */
  home: string
  /** Of the first large CodeWhale session; by default in proportion to the records. */
  largestBytes?: number
}

export interface CorpusFacts {
  records: number
  sessions: number
  /** Of the transcripts and the outputs kept apart. */
  bytes: number
  /** Of the texts that full text takes in last. */
  longCharacters: number
  harnesses: Record<CorpusHarness, { sessions: number; records: number; bytes: number }>
  /** Directories that the sessions were in, the busiest first. */
  workspaces: string[]
  /** The largest CodeWhale session. */
  largest: Written
  /** A file: a JSON array of `Question`. */
  questions: string
  asked: readonly Question[]
}

/** The reference store. What is large there is large in proportion elsewhere, up to the size that agents reach. */
const referenceRecords = 143_000
const largeBytes = 50e6
/** One large session for so many records, in turns of the three stores; the first is CodeWhale's. */
const largeEvery = 16_000
/** The newest session's time. Fixed, so that a seed gives the same bytes at any time. */
const newest = Date.UTC(2026, 9, 30)
const oldest = newest - 200 * 86_400_000
/** A large session's characters to its bytes: what a store makes of a text. */
const swell: Record<CorpusHarness, number> = { codewhale: 2.25, commandcode: 1.15, codebuddy: 2.6 }

/** Writes the three stores from a seed, session by session: the same options give the same sessions. */
export async function writeCorpus({ records, seed, home, largestBytes }: CorpusOptions): Promise<CorpusFacts> {
  const random = new Random(seed)
  const vocabulary = new Vocabulary(random)
  const conversations = new Conversations(random, vocabulary, new Outputs(random))
  const projects = Array.from({ length: Math.min(60, Math.max(3, Math.ceil(records / 3_500))) }, () =>
    makeProject(random, vocabulary),
  )
  const writer = new CorpusWriter(random, conversations, home)
  const scale = Math.min(1, records / referenceRecords)
  let nextLarge = 0
  let large = 0
  while (writer.records < records) {
    const at = oldest + Math.round((newest - oldest) * Math.min(1, writer.records / records)) + random.below(3_600_000)
    const harness = random.pick<CorpusHarness>([
      'codewhale',
      'codewhale',
      'codewhale',
      'commandcode',
      'commandcode',
      'codebuddy',
    ])
    const project = random.zipf(projects)
    if (writer.records >= nextLarge) {
      nextLarge += largeEvery * Math.max(scale, 0.2)
      const turn = large++ % 4
      const one: CorpusHarness = turn === 1 ? 'commandcode' : turn === 3 ? 'codebuddy' : 'codewhale'
      const bytes = (large === 1 ? largestBytes : undefined) ?? Math.max(2e6, largeBytes * scale)
      writer.main(one, project, at, bytes / swell[one])
    } else writer.main(harness, project, at, 0)
    await nextTurn()
  }
  const silences = Math.max(20, Math.round(writer.asked.length / 2))
  for (let n = 0; n < silences; n++) {
    const { workspace } = random.zipf(projects)
    writer.asked.push({ kind: 'silence', question: conversations.silence(), workspace, session: null })
  }
  const questions = join(home, 'questions.json')
  writeTextFile(questions, `${JSON.stringify(writer.asked, null, 1)}\n`, newest)
  const { harnesses, largest, asked } = writer
  if (largest === null) throw new Error(`no CodeWhale session among ${records} records`)
  const all = Object.values(harnesses)
  return {
    records: writer.records,
    sessions: all.reduce((sum, each) => sum + each.sessions, 0),
    bytes: all.reduce((sum, each) => sum + each.bytes, 0),
    longCharacters: writer.longCharacters,
    harnesses,
    workspaces: projects.map(({ workspace }) => workspace),
    largest,
    questions,
    asked,
  }
}

class CorpusWriter {
  records = 0
  longCharacters = 0
  largest: Written | null = null
  readonly harnesses: CorpusFacts['harnesses'] = {
    codewhale: { sessions: 0, records: 0, bytes: 0 },
    commandcode: { sessions: 0, records: 0, bytes: 0 },
    codebuddy: { sessions: 0, records: 0, bytes: 0 },
  }
  readonly asked: Question[] = []
  readonly #random: Random
  readonly #conversations: Conversations
  readonly #stores: Record<CorpusHarness, string>

  constructor(random: Random, conversations: Conversations, home: string) {
    this.#random = random
    this.#conversations = conversations
    this.#stores = {
      codewhale: join(home, '.codewhale', 'sessions'),
      commandcode: join(home, '.commandcode', 'projects'),
      codebuddy: join(home, '.codebuddy', 'projects'),
    }
  }

  /** A session, and now and then a fork of it. */
  main(harness: CorpusHarness, project: Project, at: number, characters: number): void {
    const random = this.#random
    const { conversation, questions } = this.#conversations.make(project, at, characters)
    const { turns, id } = conversation
    const compacts = turns.length >= 8 && characters === 0 && random.chance(0.08)
    const compacted = compacts ? Math.floor(turns.length / 3) : undefined
    const written = this.#write(harness, conversation, compacted, characters > 0)
    for (const asked of questions) this.asked.push({ ...asked, workspace: project.workspace, session: { harness, id } })
    if (!compacts && characters === 0 && random.chance(0.05)) this.#fork(harness, conversation, written)
  }

  #write(harness: CorpusHarness, made: Conversation, compacted: number | undefined, large: boolean): Written {
    const random = this.#random
    const at = compacted === undefined ? {} : { compactedAt: compacted }
    if (harness === 'codewhale') {
      const restamped = compacted === undefined && !large && random.chance(0.5)
      const shape = { restamped, ...(compacted !== undefined && { compacted }) }
      return this.#count(harness, writeCodewhale(random, this.#stores.codewhale, made, shape))
    }
    if (harness === 'commandcode') {
      return this.#count(harness, writeCommandcode(random, this.#stores.commandcode, made, at))
    }
    const subagent = random.chance(0.1) ? this.#subagent(made) : undefined
    const shape = subagent ? { ...at, subagent } : at
    return this.#count(harness, writeCodebuddy(random, this.#stores.codebuddy, made, shape), subagent ? 2 : 1)
  }

  #subagent(parent: Conversation): Conversation {
    const last = parent.turns.at(-1)?.at ?? parent.startedAt
    const turns = this.#conversations.more(parent.project, last + 60_000, 1)
    return { ...parent, id: this.#random.uuid(), startedAt: last + 60_000, turns }
  }

  /** The first half of a session, and a few turns that only the fork has. */
  #fork(harness: CorpusHarness, parent: Conversation, { path }: Written): void {
    const random = this.#random
    const copied = Math.ceil(parent.turns.length / 2)
    const at = (parent.turns.at(-1)?.at ?? parent.startedAt) + 3_600_000
    const own = this.#conversations.more(parent.project, at + 60_000, random.between(1, 4))
    const made = { ...parent, id: random.uuid(), turns: [...parent.turns.slice(0, copied), ...own] }
    const shape = { parentId: parent.id, parentPath: path, turns: copied, at }
    this.#count(
      harness,
      harness === 'codewhale'
        ? writeCodewhale(random, this.#stores.codewhale, made, { fork: shape, restamped: false })
        : harness === 'commandcode'
          ? writeCommandcode(random, this.#stores.commandcode, made, { fork: shape })
          : writeCodebuddy(random, this.#stores.codebuddy, made, { branch: shape }),
    )
  }

  #count(harness: CorpusHarness, written: Written, sessions = 1): Written {
    const counted = this.harnesses[harness]
    counted.sessions += sessions
    counted.records += written.records
    counted.bytes += written.bytes
    this.records += written.records
    this.longCharacters += written.longCharacters
    if (harness === 'codewhale' && written.bytes > (this.largest?.bytes ?? 0)) this.largest = written
    return written
  }
}
