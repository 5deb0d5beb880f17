import type { Call, Turn } from '../corpus/conversation.ts'
import type { Project } from '../corpus/project.ts'
import { Random } from '../corpus/random.ts'
import type { Bank } from './bank/bank.ts'
import type { Failure } from './bank/failure.ts'
import { filled, languages, type Language, type Spoken } from './bank/language.ts'
import type { Topic } from './bank/topic.ts'
import { Scribe, inLanguage, workplace, type History, type Values } from './histories.ts'
import { className, componentNames, projectNames, shuffled, snake, styled, wordsOf } from './names.ts'

/** What was planted in a project, and where. */
export interface Plant {
  kind: 'decision' | 'reversal' | 'value' | 'fix'
  project: string
  language: Language
  values: Values
  spoken: Readonly<Record<string, Spoken>>
  /** The session that holds the answer. */
  session: string
  /** Any of these in a block is the answer. */
  answers: readonly string[]
  topic: Topic | null
  failure: Failure | null
}

export interface World {
  bank: Bank
  /** What each project has heard of. */
  topics: ReadonlyMap<string, ReadonlySet<Topic>>
  projects: readonly Project[]
  /** Components by project. */
  components: ReadonlyMap<string, readonly string[]>
  histories: readonly History[]
  plants: readonly Plant[]
}

export interface WorldSize {
  projects: number
  /** Sessions by project that settle something, and that don't. */
  planted: number
  filler: number
}

/** The newest session's time: a seed gives the same world at any time. */
export const worldNow = Date.UTC(2026, 9, 30)
const spanMs = 150 * 86_400_000
/** Topics of a project; what it settles is among them. */
const spokenOf = 24

export function makeWorld(seed: number, size: WorldSize, bank: Bank): World {
  const random = new Random(seed)
  return new Maker(random, size, bank).make()
}

class Maker {
  readonly #random: Random
  readonly #scribe: Scribe
  readonly #size: WorldSize
  readonly #bank: Bank
  readonly #histories: History[] = []
  readonly #plants: Plant[] = []
  /** What the project that is being made speaks of; the other topics are never heard of in it. */
  #spokenOf: readonly Topic[] = []

  constructor(random: Random, size: WorldSize, bank: Bank) {
    this.#random = random
    this.#scribe = new Scribe(random, bank)
    this.#size = size
    this.#bank = bank
  }

  make(): World {
    const random = this.#random
    const names = projectNames(random)
    const projects = Array.from({ length: this.#size.projects }, (_, n) => workplace(names[n] ?? `project${n}`))
    const components = new Map<string, string[]>()
    const heard = new Map<string, ReadonlySet<Topic>>()
    for (const project of projects) {
      const own = componentNames(random).slice(0, Math.max(3, Math.ceil(this.#size.planted * 0.8)))
      components.set(project.workspace, own)
    }
    projects.forEach((project, n) => {
      this.#spokenOf = shuffled(random, this.#bank.topics).slice(0, spokenOf)
      heard.set(project.workspace, new Set(this.#spokenOf))
      this.#settle(
        project,
        components.get(project.workspace) ?? [],
        this.#plants.filter(plant => n > 0 && plant.project === projects[n - 1]?.workspace),
      )
      for (let i = 0; i < this.#size.filler; i++)
        this.#fill(project, random.pick(components.get(project.workspace) ?? ['core']))
    })
    return { bank: this.#bank, projects, components, topics: heard, histories: this.#histories, plants: this.#plants }
  }

  /** @param neighbours plants of another project, some of which have a look-alike here */
  #settle(project: Project, components: readonly string[], neighbours: readonly Plant[]): void {
    const random = this.#random
    const open = shuffled(random, this.#spokenOf)
    const failing = shuffled(random, this.#bank.failures)
    const alike = shuffled(
      random,
      neighbours.filter(plant => plant.kind === 'decision'),
    )
    for (let left = this.#size.planted; left > 0;) {
      const dice = random.next()
      const component = random.pick(components)
      if (dice < 0.25 && failing.length > 0) {
        const one = failing.pop()
        if (one) this.#fix(project, component, one)
        left -= 1
        continue
      }
      const topic = open.pop()
      if (!topic) break
      if (dice < 0.45) {
        this.#value(project, component, topic)
        left -= 1
      } else if (dice < 0.5) {
        this.#hollow(project, component, topic)
        left -= 1
      } else {
        const twin = random.chance(0.4) ? alike.find(plant => plant.topic && open.includes(plant.topic)) : undefined
        if (twin?.topic) open.splice(open.indexOf(twin.topic), 1)
        const reverses = left > 1 && random.chance(0.3)
        this.#decision(project, twin?.values.c ?? component, twin?.topic ?? topic, reverses)
        left -= reverses ? 2 : 1
      }
    }
  }

  #named(component: string, topic: Topic): Values {
    const random = this.#random
    const [a, b] = shuffled(random, topic.options)
    const words = [...wordsOf(component), ...topic.names]
    return {
      c: component,
      a: a ?? '',
      b: b ?? '',
      id: styled([...words, random.pick(['limit', 'mode', 'window', 'max', 'grace'])], random.below(4)),
      file: random.chance(0.5) ? topic.file : `${snake(component)}/${topic.file}`,
      v: String(random.between(101, 9899)),
    }
  }

  #decision(project: Project, component: string, topic: Topic, reverses: boolean): void {
    const random = this.#random
    const language = this.#language()
    const plain = this.#named(component, topic)
    const spoken = { area: topic.area, why: topic.why }
    const values = inLanguage(plain, spoken, language)
    const at = this.#when(reverses ? 0.6 : 1)
    const first = this.#tell(project, at, language, values, time => {
      const conclusion = this.#scribe.phrase(this.#bank.phrases.decided, language, values)
      const detail = random.chance(0.5)
        ? `${conclusion}${language === 'zh' ? '' : ' '}\`${plain.id ?? ''}\`: ${plain.file ?? ''}.`
        : conclusion
      return this.#scribe.turn(
        time,
        this.#scribe.phrase(this.#bank.phrases.asksToDecide, language, values),
        this.#scribe.answer(detail, language, values),
        [[this.#edit(plain.file ?? '', `use("${plain.b ?? ''}")`, `${plain.id ?? ''} = use("${plain.a ?? ''}")`)]],
      )
    })
    const plant = { project: project.workspace, language, values: plain, spoken, topic, failure: null }
    const answers = [plain.a ?? '']
    if (!reverses) {
      this.#plants.push({ ...plant, kind: 'decision', session: first, answers })
      return
    }
    const other = topic.options.find(option => option !== plain.a && option !== plain.b) ?? plain.b ?? ''
    const turned = random.chance(0.5) ? { ...plain, b: other } : plain
    const later = inLanguage(turned, spoken, language)
    const session = this.#tell(project, at + (worldNow - at) * (0.3 + 0.6 * random.next()), language, later, time =>
      this.#scribe.turn(
        time,
        this.#scribe.phrase(this.#bank.phrases.asksToReverse, language, later),
        this.#scribe.answer(this.#scribe.phrase(this.#bank.phrases.reversed, language, later), language, later),
        [[this.#edit(plain.file ?? '', `use("${turned.a ?? ''}")`, `use("${turned.b ?? ''}")`)]],
      ),
    )
    this.#plants.push({ ...plant, values: turned, kind: 'reversal', session, answers: [turned.b ?? ''] })
  }

  #value(project: Project, component: string, topic: Topic): void {
    const language = this.#language()
    const plain = this.#named(component, topic)
    const spoken = { area: topic.area, why: topic.why }
    const values = inLanguage(plain, spoken, language)
    const session = this.#tell(project, this.#when(1), language, values, time =>
      this.#scribe.turn(
        time,
        this.#scribe.phrase(this.#bank.phrases.asksForValue, language, values),
        this.#scribe.answer(this.#scribe.phrase(this.#bank.phrases.valueSet, language, values), language, values),
        [[this.#edit(plain.file ?? '', `${plain.id ?? ''} = 10`, `${plain.id ?? ''} = ${plain.v ?? ''}`)]],
      ),
    )
    const answers = [values.v ?? '', (values.why ?? '').slice(0, 24)]
    this.#plants.push({
      kind: 'value',
      project: project.workspace,
      language,
      values: plain,
      spoken,
      session,
      answers,
      topic,
      failure: null,
    })
  }

  /** Asked and not known: nothing of it may ever be quoted. */
  #hollow(project: Project, component: string, topic: Topic): void {
    const language = this.#language()
    const values = inLanguage(this.#named(component, topic), { area: topic.area, why: topic.why }, language)
    const answers = {
      en: 'I have no memory of earlier conversations about this. Could you share what was said?',
      zh: '我没有之前对话的记忆,请告诉我当时的内容。',
      ru: 'Я не помню прошлых разговоров об этом. Расскажите, что было решено?',
    }
    this.#tell(project, this.#when(1), language, values, time =>
      this.#scribe.turn(
        time,
        this.#scribe.phrase(this.#bank.phrases.asksToDecide, language, values),
        answers[language],
      ),
    )
  }

  #fix(project: Project, component: string, failure: Failure): void {
    const language = this.#language()
    const plain = failureValues(this.#random, component, failure)
    const spoken = { symptom: failure.symptom }
    const values = inLanguage(plain, spoken, language)
    const fails: Call = { kind: 'command', command: plain.cmd ?? '', exitCode: 1, output: plain.error ?? '' }
    const { edit } = failure
    const mends: Call[] = edit ? [this.#edit(filled(edit.path, plain), edit.removed, edit.added)] : []
    const passes: Call = {
      kind: 'command',
      command: failure.passes ? filled(failure.passes, plain) : (plain.cmd ?? ''),
      exitCode: 0,
      output: 'ok\n',
    }
    const session = this.#tell(project, this.#when(1), language, values, time =>
      this.#scribe.turn(
        time,
        this.#scribe.phrase(this.#bank.phrases.asksToFix, language, values),
        this.#scribe.answer(filled(failure.cause[language], plain), language, values),
        [[fails], mends, [passes]].filter(calls => calls.length > 0),
      ),
    )
    const answers = [filled(failure.answer, plain)]
    this.#plants.push({
      kind: 'fix',
      project: project.workspace,
      language,
      values: plain,
      spoken,
      session,
      answers,
      topic: null,
      failure,
    })
  }

  #fill(project: Project, component: string): void {
    const random = this.#random
    const language = this.#language()
    const history = this.#scribe.history(project, this.#when(1), next =>
      Array.from({ length: random.between(3, 8) }, () =>
        this.#scribe.chore(next(), language, this.#anything(component, language)),
      ),
    )
    this.#histories.push(history)
  }

  /** A session around one turn that counts. @returns its id */
  #tell(project: Project, at: number, language: Language, values: Values, turn: (at: number) => Turn): string {
    const random = this.#random
    const history = this.#scribe.history(project, at, next => {
      const chore = (): Turn => this.#scribe.chore(next(), language, this.#anything(values.c ?? '', language))
      const before = Array.from({ length: random.below(3) }, chore)
      const told = turn(next())
      return [...before, told, ...Array.from({ length: random.below(3) }, chore)]
    })
    this.#histories.push(history)
    return history.made.id
  }

  #anything(component: string, language: Language): Values {
    const topic = this.#random.pick(this.#spokenOf)
    return inLanguage(this.#named(component, topic), { area: topic.area }, language)
  }

  #edit(path: string, removed: string, added: string): Call {
    return { kind: 'edit', path, removed, added }
  }

  #language(): Language {
    return this.#random.pick<Language>(['en', 'en', 'en', ...languages.slice(1)])
  }

  #when(share: number): number {
    return worldNow - spanMs + Math.floor(this.#random.next() * spanMs * 0.98 * share)
  }
}

/** A failure as it shows itself this time: numbers, addresses and temporary paths differ from run to run. */
export function failureValues(random: Random, component: string, failure: Failure): Values {
  const plain = {
    c: snake(component),
    C: className(component),
    n: String(random.between(10, 29)),
    m: String(random.between(100, 999)),
  }
  return { ...plain, cmd: filled(failure.command, plain), error: filled(failure.error, plain) }
}
