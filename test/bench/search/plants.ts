import type { SearchRequest } from '../../../src/search/search.ts'
import type { Call, Conversation, Step, Turn } from '../corpus/conversation.ts'
import type { Project } from '../corpus/project.ts'
import type { Random } from '../corpus/random.ts'
import { capital } from '../corpus/words.ts'
import * as bank from './bank.ts'

const harnessIds = ['codewhale', 'commandcode', 'codebuddy'] as const
type PlantHarness = (typeof harnessIds)[number]

export interface Planted {
  harness: PlantHarness
  made: Conversation
}

/** A search and the session that it is for. */
export interface Labelled {
  kind: string
  query: string
  gold: { harness: string; id: string }
  /** Must stand in the record that the first snippet names. */
  shows: string
  /** Something else than the words themselves was taken, and `why` must say so. */
  resembles: boolean
  deleted: boolean
  filters: Pick<SearchRequest, 'harness' | 'project' | 'role' | 'since' | 'until'>
}

interface Told {
  prompt?: string
  answer?: string
  calls?: readonly Call[]
  /** Days before now; by default any time. */
  daysAgo?: number
  harness?: PlantHarness
  project?: Project
}

type Pair = readonly [string, string]

const day = 86_400_000
const minute = 60_000

/** A project of which nothing but its name is told. */
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

/** Sessions with something to be found in them, and decoys that have some of the same words. */
export class Plants {
  readonly sessions: Planted[] = []
  readonly labelled: Labelled[] = []
  readonly #random: Random
  readonly #projects: readonly Project[]
  readonly #now: number

  constructor(random: Random, projects: readonly Project[], now: number) {
    this.#random = random
    this.#projects = projects
    this.#now = now
  }

  plant(each: number): void {
    const kinds = [
      this.#exact,
      this.#phrase,
      this.#inflected,
      this.#typo,
      this.#parts,
      this.#path,
      this.#identifier,
      this.#error,
      this.#deep,
      this.#chinese,
      this.#mixed,
      this.#fullWidth,
      this.#traditional,
      this.#russian,
      this.#dated,
      this.#deleted,
      this.#filtered,
    ]
    for (const kind of kinds) for (let n = 0; n < each; n++) kind.call(this, n)
  }

  #exact(): void {
    const [a, b, c, d] = this.#four()
    const gold = this.#tell({ answer: `The ${a} of the ${b} is kept beside the ${c}, away from any ${d}.` })
    this.#tell({ answer: `The ${a} of the ${b} is kept in the ${d}.` })
    this.#tell({ prompt: `Does the ${c} need a ${b}?`, answer: `It has a ${d}.` })
    this.#label('exact words', `${c} ${a} ${b}`, gold, `kept beside the ${c}`)
  }

  #phrase(): void {
    const [a, b, c] = this.#four()
    const gold = this.#tell({ answer: `We keep the ${a} behind ${b} ${c} for now.`, daysAgo: 120 })
    this.#tell({ answer: `We keep the ${b} behind ${a} ${c}, and ${c} ${a} ${b} behind it.`, daysAgo: 3 })
    this.#tell({ answer: `The ${c} ${b} stands behind the ${a}. Behind ${c} ${b}: the ${a}.`, daysAgo: 9 })
    this.#label('quoted phrase', `"the ${a} behind ${b} ${c}"`, gold, `behind ${b} ${c}`)
  }

  #inflected(n: number): void {
    const [a, b, c] = this.#four()
    const forms = bank.verbs[n % bank.verbs.length] ?? []
    const [written = '', asked = ''] = this.#two(forms)
    const gold = this.#tell({ answer: `${capital(bank.plural(a))} are ${written} before any ${b} leaves.` })
    this.#tell({ answer: `Each ${a} is weighed before the ${c} leaves, with its ${b}.` })
    this.#tell({ answer: `The ${c} is ${written} when a ${b} is near.` })
    this.#label('inflected', `${asked} ${a} ${bank.plural(b)}`, gold, written, { resembles: true })
  }

  #typo(n: number): void {
    const [a, b] = this.#four()
    const word = this.#name() + this.#random.pick(['flow', 'gate', 'sync', 'port'])
    const gold = this.#tell({ answer: `The ${word} job reads one ${b} a night.` })
    this.#tell({ answer: `The ${a} job reads one ${b} a night.` })
    const at = this.#random.between(2, word.length - 3)
    const wrong = [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
      `${word.slice(0, at)}${word[at] === 'x' ? 'q' : 'x'}${word.slice(at + 1)}`,
    ][n % 3]
    this.#label('typo', n % 2 === 0 ? (wrong ?? '') : `${wrong ?? ''} ${b}`, gold, word, { resembles: true })
  }

  #parts(n: number): void {
    const [a, b, c] = this.#four()
    const name = `${a}${capital(b)}${capital(c)}`
    const gold = this.#tell({ answer: `It is \`${name}\` that decides.` })
    this.#tell({ answer: `The ${a} and a ${this.#four()[3]} decide.` })
    this.#tell({ answer: `The ${b} decides, not a ${this.#four()[3]}.` })
    const query = [`${a} ${b} ${c}`, `${b}${c}`, name.slice(0, -3)][n % 3] ?? ''
    this.#label('word parts', query, gold, name)
  }

  #path(n: number): void {
    const [a, b, c, d] = this.#four()
    const path = `src/${a}/${b}-${c}.ts`
    const edit = (file: string): Call => ({
      kind: 'edit',
      path: file,
      removed: `limit = ${n}`,
      added: `limit = ${n + 1}`,
    })
    const gold = this.#tell({ answer: 'Changed the limit.', calls: [edit(path)] })
    this.#tell({ answer: 'Changed the limit.', calls: [edit(`src/${d}/${b}-${c}.ts`)] })
    this.#tell({ answer: `See src/${a} and its ${b}.`, calls: [edit(`src/${a}/${c}.ts`)] })
    this.#label('path', n % 2 === 0 ? path : `${a}/${b}-${c}.ts`, gold, path)
  }

  #identifier(n: number): void {
    const [a, b, c] = this.#four()
    const camel = `${a}${capital(b)}${capital(c)}`
    const snake = `${a}_${b}_${c}`
    const gold = this.#tell({ answer: `Use \`${camel}\` there.` })
    this.#tell({ answer: `Use \`${a}${capital(c)}\` and \`${b}${capital(c)}\` there, ${a} ${b} ${c}.` })
    this.#label('identifier', n % 2 === 0 ? camel : snake, gold, camel)
  }

  #error(n: number): void {
    const [a, b] = this.#four()
    const template = bank.errors[n % bank.errors.length] ?? ''
    const shape = (w: string) =>
      template
        .replaceAll('{w}', w)
        .replaceAll('{n}', () => String(this.#random.between(11, 240)))
        .replaceAll('{h}', () => this.#random.hex(8))
    const word = a + capital(b)
    const fails = (w: string): Call => ({
      kind: 'command',
      command: `make ${b}`,
      exitCode: 2,
      output: `make: entering\n${shape(w)}\n`,
    })
    const gold = this.#tell({ answer: 'The cause was a missing line; mended.', calls: [fails(word)] })
    this.#tell({ answer: 'Mended.', calls: [fails(b + capital(a))] })
    this.#tell({ answer: `The ${a} of the ${b} threw an error while opening.` })
    this.#label('error', shape(word), gold, word)
  }

  #deep(): void {
    const [a, b, c, d] = this.#four()
    const line = (): string => `${this.#random.hex(6)} ok ${this.#random.pick(bank.nouns)} ${this.#random.below(1e6)}`
    const lines = Array.from({ length: 3_000 }, line)
    lines[this.#random.between(1_000, 2_000)] = `warn: ${a}-${d} drained ${b} into ${c}`
    const command = { kind: 'command', command: 'make audit', exitCode: 0, output: lines.join('\n') } as const
    const gold = this.#tell({ answer: 'The audit is through.', calls: [command] })
    this.#tell({ answer: `The ${a} of the ${d} was drained.` })
    this.#tell({ answer: `It went into the ${c}, and the ${b} was drained.` })
    this.#label('deep in output', `${a}-${d} drained ${b}`, gold, `drained ${b} into ${c}`)
  }

  #chinese(n: number): void {
    const [thing, cause, way] = this.#hans()
    const gold = this.#tellHan(thing, cause, way, 0)
    const query = [`${thing[0]}${cause[0]}`, `${cause[0]}引起${thing[0]}`, `为什么${thing[0]}${way} ${cause[0]}`][n % 3]
    this.#label('CJK', query ?? '', gold, cause[0])
  }

  #mixed(n: number): void {
    const [thing, cause] = this.#hans()
    const [a, b] = [this.#name(), this.#name()]
    const gold = this.#tell({ answer: `今天查明${a} ${thing[0]}会丢任务，因为${cause[0]}。` })
    this.#tell({ answer: `今天查明${b} ${thing[0]}会丢任务。` })
    this.#tell({ answer: `今天查明${a}会丢任务，因为${cause[0]}。` })
    const query = [`${a}${thing[0]}`, `${thing[0]}${a}`, `${a}的${thing[0]}`][n % 3] ?? ''
    this.#label('CJK with Latin', query, gold, thing[0])
  }

  #fullWidth(n: number): void {
    const [thing, cause] = this.#hans()
    const [a, b] = [this.#name(), this.#name()]
    const wide = (text: string) => text.replace(/[!-~]/g, c => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
    const gold = this.#tell({ answer: `${thing[0]}（${a}）：${cause[0]}，见${b}！` })
    this.#tell({ answer: `${thing[0]}（${b}）：没有问题。` })
    this.#tell({ answer: `没有问题，见${a}！` })
    const query = [`${thing[0]}，${cause[0]}，${b}`, `${wide(a)}：${cause[0]}`, `「${cause[0]}」${b}（${a}）`][n % 3]
    this.#label('full-width', query ?? '', gold, cause[0])
  }

  #traditional(n: number): void {
    const [thing, cause, way] = this.#hans()
    const [written, asked] = n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
    const gold = this.#tellHan(thing, cause, way, written)
    this.#label('traditional/simplified', `${thing[asked]} ${cause[asked]}`, gold, cause[written])
  }

  #russian(): void {
    const nouns = this.#some(bank.russianNouns, 4)
    const [a = [], b = [], c = [], d = []] = nouns
    const gold = this.#tell({
      answer: `Ошибку с ${a[2] ?? ''} исправили: она возникала из-за ${b[1] ?? ''}, а ${c[0] ?? ''} тут ни при чём.`,
    })
    this.#tell({ answer: `Проверили ${d[0] ?? ''}: всё дело в ${a[2] ?? ''}.` })
    this.#tell({ answer: `Из-за ${b[1] ?? ''} пропал ${d[0] ?? ''}, ${c[0] ?? ''} цела.` })
    this.#label('Russian inflections', `${a[0] ?? ''} ${b[0] ?? ''} ${c[1] ?? ''}`, gold, b[1] ?? '', {
      resembles: true,
    })
  }

  #dated(n: number): void {
    const [a, b] = this.#four()
    const [hint, daysAgo] = (
      [
        ['yesterday', 1],
        ['last week', 7],
        ['昨天', 1],
        ['上周', 7],
        ['вчера', 1],
        ['на прошлой неделе', 7],
        ['today', 0],
        ['last month', 30],
      ] as const
    )[n % 8] ?? ['yesterday', 1]
    const text = `The ${a} of the ${b} was settled.`
    const days = [0, 1, 3, 7, 30, 75, 140].filter(each => each !== daysAgo)
    const gold = this.#tell({ answer: text, daysAgo })
    for (const each of this.#some(days, 3)) this.#tell({ answer: text, daysAgo: each })
    this.#label('date words', n % 3 === 0 ? `${hint} ${a} ${b}` : `${a} ${b} ${hint}`, gold, a)
  }

  #deleted(): void {
    const [a, b, c, d] = this.#four()
    const gold = this.#tell({ answer: `The ${a} came by ${b}, with a ${c} in hand.` })
    this.#tell({ answer: `The ${a} came by ${d}, with a ${c} in hand.` })
    this.#label('deleted', `${a} ${b} ${c}`, gold, `by ${b}`, { deleted: true })
  }

  #filtered(n: number): void {
    const [a, b] = this.#four()
    const text = `A ${a} stands for each ${b}.`
    const [project, other] = this.#two(this.#projects)
    const [harness, another] = this.#two(harnessIds)
    if (!project || !other || !harness || !another) return
    const answer = { answer: text, project: other, harness: another, daysAgo: 5 }
    const made = [
      [{ harness }, { harness }],
      [{ project }, { project: project.workspace }],
      [{ daysAgo: 60 }, { until: this.#iso(50) }],
      [{ prompt: `Why does ${text}`, answer: 'It just does.' }, { role: 'user' }],
    ] as const
    const [told, filters] = made[n % 4] ?? [{}, {}]
    const gold = this.#tell({ ...answer, ...told })
    this.#tell(answer)
    this.#tell({ ...answer, daysAgo: 2 })
    this.#label('filters', `${a} ${b}`, gold, a, { filters })
  }

  #label(kind: string, query: string, gold: Planted, shows: string, more: Partial<Labelled> = {}): void {
    this.labelled.push({
      kind,
      query,
      gold: { harness: gold.harness, id: gold.made.id },
      shows,
      resembles: false,
      deleted: false,
      filters: {},
      ...more,
    })
  }

  #tellHan(thing: Pair, cause: Pair, way: string, script: 0 | 1): Planted {
    const tell = (a: Pair, b: Pair) =>
      this.#tell({ answer: `昨晚高峰期${a[script]}${way}，原因是${b[script]}，现已修复并补了测试。` })
    const gold = tell(thing, cause)
    const decoys = [
      [thing, this.#random.pick(bank.chineseCauses)],
      [this.#random.pick(bank.chineseThings), cause],
    ] as const
    for (const [a, b] of decoys) {
      // by chance it may be another's answer
      if (this.#drawn.has(`${a[0]} ${b[0]}`)) continue
      this.#drawn.add(`${a[0]} ${b[0]}`)
      tell(a, b)
    }
    return gold
  }

  #tell({ prompt, answer = '', calls = [], daysAgo, harness, project }: Told): Planted {
    const random = this.#random
    const age = daysAgo === undefined ? random.next() * 180 * day + day : daysAgo * day
    const startedAt = this.#now - age - 40 * minute
    let at = startedAt
    const turn = ([asks, says]: readonly [string, string], made: readonly Call[] = []): Turn => {
      const steps: Step[] = made.map(call => ({ thinking: '', says: '', calls: [call] }))
      at += random.between(1, 6) * minute
      return { at, prompt: asks, steps: [...steps, { thinking: '', says, calls: [] }] }
    }
    const around = (): Turn[] => Array.from({ length: random.below(3) }, () => turn(random.pick(bank.chores)))
    const turns = [...around(), turn([prompt ?? 'Look into it, please.', answer], calls), ...around()]
    const planted = {
      harness: harness ?? random.pick(harnessIds),
      made: {
        id: random.uuid(),
        project: project ?? random.pick(this.#projects),
        title: 'A day of work',
        startedAt,
        turns,
      },
    }
    this.sessions.push(planted)
    return planted
  }

  /** Triples that no other plant has. */
  readonly #drawn = new Set<string>()
  #four(): [string, string, string, string] {
    for (;;) {
      const [a = '', b = '', c = '', d = ''] = this.#some(bank.nouns, 4)
      if (this.#drawn.has(`${a} ${b}`)) continue
      this.#drawn.add(`${a} ${b}`).add(`${b} ${a}`)
      return [a, b, c, d]
    }
  }

  /** A program's name that no other plant has. */
  #name(): string {
    for (;;) {
      const name = this.#random.pick(bank.nouns) + this.#random.pick(['ctl', 'hub', 'kit', 'lab', 'bus', 'mux'])
      if (this.#drawn.has(name)) continue
      this.#drawn.add(name)
      return name
    }
  }

  #hans(): [Pair, Pair, string] {
    for (let tries = 0; ; tries++) {
      const [thing, cause] = [this.#random.pick(bank.chineseThings), this.#random.pick(bank.chineseCauses)]
      if (tries < 200 && this.#drawn.has(`${thing[0]} ${cause[0]}`)) continue
      this.#drawn.add(`${thing[0]} ${cause[0]}`)
      return [thing, cause, this.#random.pick(bank.chineseWays)]
    }
  }

  #iso(daysAgo: number): string {
    return new Date(this.#now - daysAgo * day).toISOString()
  }

  #two<T>(from: readonly T[]): T[] {
    return this.#some(from, 2)
  }

  #some<T>(from: readonly T[], count: number): T[] {
    const left = [...from]
    return Array.from({ length: count }, () => left.splice(this.#random.below(left.length), 1)).flat()
  }
}
