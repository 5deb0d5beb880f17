import type { Call, Conversation, Step, Turn } from '../corpus/conversation.ts'
import type { Project } from '../corpus/project.ts'
import type { Random } from '../corpus/random.ts'
import type { Bank } from './bank/bank.ts'
import { filled, type Language, type Spoken, type Ways } from './bank/language.ts'

export type Store = 'codewhale' | 'commandcode' | 'codebuddy'

/** A session as it goes into a store. */
export interface History {
  store: Store
  made: Conversation
}

export type Values = Readonly<Record<string, string>>

const stores: readonly Store[] = ['codewhale', 'codewhale', 'commandcode', 'codebuddy']
const minute = 60_000

/** A directory that agents work in. The corpus's writers need no more of it than its workspace. */
export const workplace = (name: string): Project => ({
  name,
  workspace: `/home/dev/work/${name}`,
  identifiers: [],
  files: [],
  code: [],
  logged: [],
  tests: [],
  commands: [],
})

/** Everything said in one language; a name stands for itself. */
export const inLanguage = (values: Values, spoken: Readonly<Record<string, Spoken>>, language: Language): Values => {
  const told: Record<string, string> = { ...values }
  for (const [name, each] of Object.entries(spoken)) told[name] = filled(each[language], values)
  return told
}

/** Builds sessions turn by turn. */
export class Scribe {
  readonly #random: Random
  readonly #bank: Bank

  constructor(random: Random, bank: Bank) {
    this.#random = random
    this.#bank = bank
  }

  phrase(ways: Ways, language: Language, values: Values): string {
    return filled(this.#random.pick(ways[language]), values)
  }

  /** A conclusion as agents put it: with a sentence in front or behind, in one paragraph or several, now and then a list. */
  answer(conclusion: string, language: Language, values: Values): string {
    const random = this.#random
    const before = random.chance(0.6) ? [this.phrase(this.#bank.phrases.opening, language, values)] : []
    const behind = random.chance(0.6) ? [this.phrase(this.#bank.phrases.closing, language, values)] : []
    const joint = random.pick(language === 'zh' ? ['', '\n\n'] : [' ', ' ', '\n\n'])
    if (random.chance(0.15)) return [...before, '', ...[conclusion, ...behind].map(line => `- ${line}`)].join('\n')
    return [...before, conclusion, ...behind].join(joint)
  }

  turn(at: number, prompt: string, answer: string, calls: readonly (readonly Call[])[] = []): Turn {
    const random = this.#random
    const steps: Step[] = calls.map(some => ({
      thinking: random.chance(0.3) ? 'I look at what is there before I change it.' : '',
      says: '',
      calls: some,
    }))
    return { at, prompt, steps: [...steps, { thinking: '', says: answer, calls: [] }] }
  }

  /** A turn that settles nothing. */
  chore(at: number, language: Language, values: Values): Turn {
    const random = this.#random
    const calls: Call[] = []
    if (random.chance(0.5)) calls.push(this.#look(values))
    if (random.chance(0.4)) calls.push(this.#passes(values))
    return this.turn(
      at,
      this.phrase(this.#bank.everyday.chores, language, values),
      this.phrase(this.#bank.everyday.done, language, values),
      calls.map(call => [call]),
    )
  }

  history(project: Project, startedAt: number, make: (at: () => number) => Turn[], store?: Store): History {
    const random = this.#random
    let at = startedAt
    const next = (): number => (at += random.between(2, 30) * minute)
    const turns = make(next)
    const title = (turns[0]?.prompt ?? '').replaceAll(/\s+/g, ' ').slice(0, 48)
    return {
      store: store ?? random.pick(stores),
      made: { id: random.uuid(), project, title, startedAt, turns },
    }
  }

  #look({ file = 'src/index.ts', c = 'core', id = 'value' }: Values): Call {
    const lines = [`import { ${id} } from './${c}'`, '', `export const size = ${this.#random.below(90)}`]
    return { kind: 'read', file: { path: file, start: 0, length: lines.length }, lines }
  }

  #passes({ c = 'core' }: Values): Call {
    const command = this.#random.pick([`npm test -- ${c}`, 'git status --short', `make check-${c}`, 'npm run lint'])
    return { kind: 'command', command, exitCode: 0, output: `ok ${c}\n${this.#random.between(3, 90)} passed\n` }
  }
}
