import type { Outputs } from './outputs.ts'
import type { Project, SourceFile } from './project.ts'
import type { Random } from './random.ts'
import { capital, type Vocabulary } from './words.ts'

/** What an agent did, whichever agent it was; each store writes it down in its own way. */
export type Call =
  | { kind: 'command'; command: string; exitCode: number; output: string }
  | { kind: 'read'; file: SourceFile; lines: string[] }
  | { kind: 'edit'; path: string; removed: string; added: string }
  | { kind: 'write'; path: string; added: string }

export interface Step {
  thinking: string
  /** '' where the agent only calls. */
  says: string
  calls: readonly Call[]
}

export interface Turn {
  /** Epoch ms; each step takes a while. */
  at: number
  prompt: string
  /** The last one has no calls: it is the answer. */
  steps: readonly Step[]
}

export interface Conversation {
  id: string
  project: Project
  title: string
  startedAt: number
  turns: readonly Turn[]
}

/** A question that one session answers; null: one that none does, and that deserves silence. */
export interface Question {
  kind: 'decision' | 'error' | 'file' | 'silence'
  question: string
  workspace: string
  session: { harness: string; id: string } | null
}

export const stepMs = 9_000

export class Conversations {
  readonly #random: Random
  readonly #vocabulary: Vocabulary
  readonly #outputs: Outputs

  constructor(random: Random, vocabulary: Vocabulary, outputs: Outputs) {
    this.#random = random
    this.#vocabulary = vocabulary
    this.#outputs = outputs
  }

  /**
   * @param characters an ordinary session holds what its turns come to; a large one goes on until it holds so many
   * @returns the session, and the questions that only it answers
   */
  make(project: Project, startedAt: number, characters = 0): { conversation: Conversation; questions: Asked[] } {
    const random = this.#random
    const turns: Turn[] = []
    const questions: Asked[] = []
    const count = Math.round(Math.min(80, Math.max(3, random.lognormal(12, 0.7))))
    // what it settles stands near its end: a compaction takes the beginning away
    const settles = Math.floor(count * 0.8)
    let at = startedAt
    let length = 0
    for (let n = 0; n < count || length < characters; n++) {
      const turn =
        n === settles
          ? this.#decision(project, at, questions)
          : random.chance(0.12)
            ? this.#failure(project, at, questions, n > count / 2)
            : this.#work(project, at, characters > 0)
      turns.push(turn)
      length += sizeOf(turn)
      at += turn.steps.length * stepMs + random.between(20_000, 900_000)
    }
    const title = capital(this.#vocabulary.words(random.between(3, 6)))
    return { conversation: { id: random.uuid(), project, title, startedAt, turns }, questions }
  }

  /** More turns on top of a conversation. */
  more(project: Project, at: number, count: number): Turn[] {
    return Array.from({ length: count }, (_, n) => this.#work(project, at + n * 300_000, false))
  }

  prompt(project: Project): string {
    const random = this.#random
    if (random.chance(0.04))
      return `${this.#vocabulary.foreign(random.between(6, 14))} ${random.zipf(project.identifiers)}`
    if (random.chance(0.15)) return random.pick(['go on', 'yes, do that', 'ok, commit it', 'run the tests', 'continue'])
    return this.#vocabulary.prose(random.between(1, 3), () => this.#names(project, 0.5))
  }

  silence(): string {
    const random = this.#random
    return random.pick([
      'ok thanks, go on',
      'yes, please do that now',
      `write a haiku about ${this.#vocabulary.unheard()} and ${this.#vocabulary.unheard()}`,
      `what is ${random.between(2, 99)} times ${random.between(2, 99)}?`,
      `explain how a ${this.#vocabulary.unheard()} differs from a ${this.#vocabulary.unheard()}`,
      'run the tests again and show me what fails',
    ])
  }

  #names(project: Project, share: number): string[] {
    const random = this.#random
    if (!random.chance(share)) return []
    return [random.chance(0.7) ? random.zipf(project.identifiers) : random.zipf(project.files).path]
  }

  #prose(project: Project, least: number, most: number): string {
    return this.#vocabulary.prose(this.#random.between(least, most), () => this.#names(project, 0.4))
  }

  #thinking(project: Project): string {
    return this.#random.chance(0.5) ? this.#prose(project, 1, 8) : ''
  }

  #work(project: Project, at: number, large: boolean): Turn {
    const random = this.#random
    const calls = large ? random.between(2, 8) : Math.min(8, Math.floor(random.lognormal(1.3, 0.8)))
    const steps: Step[] = []
    for (let done = 0; done < calls;) {
      const several = Math.min(calls - done, random.chance(0.2) ? 2 : 1)
      const says = random.chance(0.3) ? this.#prose(project, 1, 1) : ''
      steps.push({
        thinking: this.#thinking(project),
        says,
        calls: Array.from({ length: several }, () => this.#call(project)),
      })
      done += several
    }
    steps.push({ thinking: this.#thinking(project), says: this.#prose(project, 2, 9), calls: [] })
    return { at, prompt: this.prompt(project), steps }
  }

  #call(project: Project): Call {
    const random = this.#random
    const dice = random.next()
    if (dice < 0.5) {
      const command = random.zipf(project.commands)
      return {
        kind: 'command',
        command,
        exitCode: 0,
        output: this.#outputs.command(project, command, this.#outputs.size()),
      }
    }
    const file = random.zipf(project.files)
    if (dice < 0.8) return { kind: 'read', file, lines: this.#outputs.file(project, file, 50_000) }
    if (dice < 0.95) return this.#edit(project, file)
    return { kind: 'write', path: file.path, added: this.#outputs.file(project, file, 12_000).join('\n') }
  }

  #edit(project: Project, file: SourceFile): Call {
    const random = this.#random
    const from = random.below(Math.max(1, file.length - 10))
    const lines = project.code.slice(file.start + from, file.start + from + random.between(1, 8))
    const removed = lines.join('\n')
    const added = [...lines, `  ${random.zipf(project.identifiers)}(${random.below(1000)})`].join('\n')
    return { kind: 'edit', path: file.path, removed, added }
  }

  #decision(project: Project, at: number, questions: Asked[]): Turn {
    const vocabulary = this.#vocabulary
    const [chosen, other, place] = [vocabulary.unheard(), vocabulary.unheard(), vocabulary.unheard()]
    const name = `${chosen}${capital(place)}`
    questions.push({ kind: 'decision', question: `Why did we choose ${chosen} over ${other} for the ${place}?` })
    const says = `We decided to use ${chosen} instead of ${other} for the ${place}, because ${other} ${vocabulary.words(5)}. It is set in \`${name}\`. ${vocabulary.sentence()}`
    const file = this.#random.zipf(project.files)
    const steps = [
      { thinking: this.#thinking(project), says: '', calls: [this.#edit(project, file)] },
      { thinking: '', says, calls: [] },
    ]
    return { at, prompt: `Should the ${place} use ${chosen} or ${other}? ${vocabulary.sentence()}`, steps }
  }

  /** A command that fails, what mends it, and the command again. */
  #failure(project: Project, at: number, questions: Asked[], asks: boolean): Turn {
    const random = this.#random
    const vocabulary = this.#vocabulary
    const [thing, cause] = [vocabulary.unheard(), vocabulary.unheard()]
    const command = random.zipf(project.commands)
    const file = random.zipf(project.files)
    const error = random.pick([
      `TypeError: Cannot read properties of undefined (reading '${thing}')`,
      `ModuleNotFoundError: No module named '${thing}'`,
      `AssertionError: expected ${thing} to equal ${random.below(900)}`,
      `error TS2339: Property '${thing}' does not exist on type '${capital(random.zipf(project.identifiers))}'.`,
    ])
    const size = Math.min(4_000, this.#outputs.size())
    const trace = `    at ${random.zipf(project.identifiers)} (${project.workspace}/${file.path}:${random.below(400)}:${random.below(80)})`
    const failed = `${this.#outputs.command(project, command, size)}\n${error}\n${trace}\n`
    const green = this.#outputs.command(project, command, Math.min(3_000, this.#outputs.size()))
    if (asks && questions.length < 2) {
      questions.push({ kind: 'error', question: `I get ${error} again, what was it last time?` })
    }
    const steps: Step[] = [
      {
        thinking: this.#thinking(project),
        says: '',
        calls: [{ kind: 'command', command, exitCode: 1, output: failed }],
      },
      { thinking: this.#thinking(project), says: `The ${cause} is missing.`, calls: [this.#edit(project, file)] },
      { thinking: '', says: '', calls: [{ kind: 'command', command, exitCode: 0, output: green }] },
      {
        thinking: '',
        says: `Fixed: the cause was that ${cause} never set ${thing}. ${vocabulary.sentence()}`,
        calls: [],
      },
    ]
    return { at, prompt: this.prompt(project), steps }
  }
}

type Asked = Pick<Question, 'kind' | 'question'>

function sizeOf(turn: Turn): number {
  let size = turn.prompt.length
  for (const step of turn.steps) {
    size += step.says.length + step.thinking.length
    for (const call of step.calls) {
      if (call.kind === 'command') size += call.output.length
      else if (call.kind === 'read') size += call.lines.reduce((sum, line) => sum + line.length + 1, 0)
      else size += call.added.length
    }
  }
  return size
}

/** What deja makes of turns: what was said, what was done, and what that printed (a change prints nothing new). */
export function contentOf(turns: readonly Turn[]): Content {
  const content: Content = { records: 0, longCharacters: 0 }
  const add = (length: number) => {
    content.records++
    if (length > longFrom) content.longCharacters += length
  }
  for (const { prompt, steps } of turns) {
    add(prompt.length)
    for (const { says, calls } of steps) {
      if (says !== '') add(says.length)
      for (const call of calls) {
        add(call.kind === 'edit' || call.kind === 'write' ? call.added.length : 0)
        if (call.kind === 'command') add(call.output.length)
        if (call.kind === 'read') add(call.lines.reduce((sum, line) => sum + line.length + 1, 0))
      }
    }
  }
  return content
}

export interface Content {
  records: number
  /** Of the texts that full text takes in last. */
  longCharacters: number
}

const longFrom = 4096
