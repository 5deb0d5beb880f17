import { appendFileSync, readFileSync } from 'node:fs'
import type { Call } from '../corpus/conversation.ts'
import type { Project } from '../corpus/project.ts'
import { Random } from '../corpus/random.ts'
import type { Bank } from './bank/bank.ts'
import type { Failure } from './bank/failure.ts'
import { destructiveRemedies, packetParts, saidOfFile } from './bank/files.ts'
import { filled, languages } from './bank/language.ts'
import { Bed } from './bed.ts'
import { Scribe, inLanguage, workplace, type Values } from './histories.ts'
import { componentNames, projectNames, shuffled, snake } from './names.ts'
import { failureValues, worldNow } from './world.ts'

/** How a moment did: of those that have something to say how many said it, of the others how many spoke. */
export interface MomentTally {
  name: string
  planted: number
  told: number
  negatives: number
  spoke: number
  /** Characters of what was said. */
  sizes: number[]
  /** Characters that a reply may have. */
  room: number
}

interface Case {
  ask: () => Promise<string>
  /** Any of these is the answer; null: silence is. */
  answers: readonly string[] | null
}

const day = 86_400_000
const limits = { hint: 500, fix: 500, packet: 3_000 }

/** Hints before a tool, fixes after a failure and packets after a compaction, asked by Command Code's hooks. */
export async function measureMoments(seed: number, count: number, bank: Bank): Promise<MomentTally[]> {
  const stage = new Stage(seed, bank)
  const hints = Array.from({ length: count }, (_, n) => stage.hint(n)).flat()
  const fixes = Array.from({ length: count }, (_, n) => stage.fix(n)).flat()
  const packets = Array.from({ length: Math.ceil(count / 3) }, () => stage.packet()).flat()
  try {
    await stage.bed.open()
    return [
      await tallied('hint', hints, limits.hint),
      await tallied('fix', fixes, limits.fix),
      await tallied('packet', packets, limits.packet),
    ]
  } finally {
    await stage.bed.end()
  }
}

async function tallied(name: string, cases: readonly Case[], room: number): Promise<MomentTally> {
  const tally: MomentTally = { name, planted: 0, told: 0, negatives: 0, spoke: 0, sizes: [], room }
  for (const { ask, answers } of cases) {
    const said = contextOf(await ask())
    if (said !== '') tally.sizes.push(Array.from(said).length)
    if (answers === null) {
      tally.negatives++
      if (said !== '') tally.spoke++
    } else {
      tally.planted++
      if (answers.every(answer => said.includes(answer))) tally.told++
    }
  }
  return tally
}

function contextOf(stdout: string): string {
  if (stdout === '') return ''
  const reply = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } }
  return reply.hookSpecificOutput?.additionalContext ?? ''
}

class Stage {
  readonly bed: Bed
  readonly #random: Random
  readonly #bank: Bank
  readonly #scribe: Scribe
  readonly #here: Project
  readonly #elsewhere: Project
  readonly #components: string[]
  #sessions = 0

  constructor(seed: number, bank: Bank) {
    this.bed = new Bed(seed)
    this.#bank = bank
    this.#random = new Random(seed * 31 + 5)
    this.#scribe = new Scribe(this.#random, bank)
    const [one = 'one', other = 'other'] = projectNames(this.#random)
    this.#here = workplace(one)
    this.#elsewhere = workplace(other)
    this.#components = componentNames(this.#random)
  }

  /** A file of which something was settled; one that was merely changed; one of which another project settled something. */
  hint(n: number): Case[] {
    const random = this.#random
    const language = random.pick(languages)
    const topic = random.pick(this.#bank.topics)
    const [a = '', b = ''] = shuffled(random, topic.options)
    const component = this.#component(n)
    const of = (name: string): Values =>
      inLanguage(
        { c: component, a, b, id: `${component}Size`, file: `${snake(component)}/${name}${n}.ts` },
        { area: topic.area, why: topic.why },
        language,
      )
    const [settled, touched, foreign] = [of('settled'), of('touched'), of('foreign')]
    const change = ({ file = '' }: Values): Call => ({
      kind: 'edit',
      path: file,
      removed: `old(${n})`,
      added: `next(${n})`,
    })
    const tell = (project: Project, values: Values): void =>
      this.#tell(project, `Change ${values.file ?? ''}.`, this.#scribe.phrase(saidOfFile, language, values), [
        [change(values)],
      ])
    tell(this.#here, settled)
    tell(this.#elsewhere, foreign)
    this.#tell(this.#here, 'Go on.', 'Renamed it, and its two callers follow.', [[change(touched)]])
    return [
      { ask: () => this.#edits(settled.file ?? ''), answers: [a] },
      { ask: () => this.#edits(touched.file ?? ''), answers: null },
      { ask: () => this.#edits(foreign.file ?? ''), answers: null },
      {
        ask: () => this.#runs(random.pick(['ls -la', 'git status', `cat ${settled.file ?? ''}`, 'git diff HEAD~1'])),
        answers: null,
      },
    ]
  }

  /** A failure that was mended; and those of which nothing may be told. */
  fix(n: number): Case[] {
    const { failures } = this.#bank
    const failure = failures[n % failures.length]
    if (!failure) return []
    const component = this.#component(n + 17)
    const round = Math.floor(n / failures.length)
    const name = `${snake(component)}${round === 0 ? '' : round}`
    const mended = this.#failing(this.#here, `${name}a`, failure, 'mended')
    const cases: Case[] = [{ ask: this.#fails(failure, `${name}a`), answers: [filled(failure.answer, mended)] }]
    // another form passed: the one that fails is known
    if (failure.passes !== undefined)
      cases.push({ ask: () => this.#runs(mended.cmd ?? ''), answers: [filled(failure.answer, mended)] })
    const kinds = ['never', 'destructive', 'elsewhere', 'heredoc'] as const
    const kind = kinds[n % kinds.length] ?? 'never'
    const values = this.#failing(kind === 'elsewhere' ? this.#here : this.#elsewhere, `${name}b`, failure, kind)
    cases.push({
      ask: this.#fails(failure, `${name}b`, kind === 'heredoc' ? values.cmd : undefined, this.#elsewhere),
      answers: null,
    })
    return cases
  }

  /** A session that is compacted: its owner gets the packet once, a stranger nothing. */
  packet(): Case[] {
    const random = this.#random
    const [a = '', b = ''] = shuffled(random, random.pick(this.#bank.topics).options)
    const component = this.#component(this.#sessions)
    const values = { c: component, a, b, file: `${snake(component)}/reader.ts` }
    const part = (name: keyof typeof packetParts): string => filled(random.pick<string>(packetParts[name]), values)
    const [objective, rule, decision, rejected, open] = [
      part('objective'),
      part('rule'),
      part('decision'),
      part('rejected'),
      part('open'),
    ]
    const check = `npm test -- ${snake(component)}`
    const change: Call = { kind: 'edit', path: values.file, removed: `read${b}()`, added: `read("${a}")` }
    const run = (exitCode: number): Call => ({
      kind: 'command',
      command: check,
      exitCode,
      output: exitCode === 0 ? 'ok\n' : 'Error: expected 2 readers\n',
    })
    const history = this.#scribe.history(
      this.#here,
      worldNow - 2 * day,
      next => [
        this.#scribe.turn(next(), `${objective} ${rule}`, `${decision} ${rejected}`, [[change]]),
        this.#scribe.turn(next(), 'Run the tests.', `They pass now. ${open}`, [[run(1)], [run(0)]]),
      ],
      'commandcode',
    )
    const path = this.bed.write(history)
    const compact = async (): Promise<string> => {
      const last = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '{}') as { id?: string }
      // the first call makes the session one that is worked in
      await this.#hook(
        'PreToolUse',
        { tool_name: 'shell_command', tool_input: { command: 'ls' } },
        history.made.id,
        path,
      )
      const line = {
        type: 'compaction',
        id: random.hex(8),
        parentId: last.id,
        timestamp: new Date(worldNow).toISOString(),
        summary: 'Work on the readers.',
        firstKeptEntryId: last.id,
        tokensBefore: 90_000,
      }
      appendFileSync(path, `${JSON.stringify(line)}\n`)
      await this.bed.settle()
      return again()
    }
    const again = (): Promise<string> =>
      this.#hook('PreToolUse', { tool_name: 'shell_command', tool_input: { command: 'ls -la' } }, history.made.id, path)
    return [
      {
        ask: compact,
        answers: [
          objective,
          rule,
          decision.slice(0, 40),
          'reader.ts',
          `\`${check}\`: passed`,
          rejected.slice(0, 30),
          open.slice(0, 24),
        ],
      },
      { ask: again, answers: null },
      { ask: () => this.#runs('ls -la'), answers: null },
    ]
  }

  #component(n: number): string {
    return this.#components[n % this.#components.length] ?? 'core'
  }

  #tell(project: Project, prompt: string, answer: string, calls: readonly (readonly Call[])[]): void {
    const at = worldNow - Math.floor(this.#random.next() * 90 * day) - day
    this.bed.write(this.#scribe.history(project, at, next => [this.#scribe.turn(next(), prompt, answer, calls)]))
  }

  #failing(
    project: Project,
    name: string,
    failure: Failure,
    kind: 'mended' | 'never' | 'destructive' | 'elsewhere' | 'heredoc',
  ): Values {
    const plain = failureValues(this.#random, name, failure)
    const command = kind === 'heredoc' ? `bash -s <<'EOF'\n${plain.cmd ?? ''}\necho ${name}\nEOF` : (plain.cmd ?? '')
    const fails: Call = { kind: 'command', command, exitCode: 1, output: plain.error ?? '' }
    const run = (ran: string): Call => ({ kind: 'command', command: ran, exitCode: 0, output: 'ok\n' })
    const { edit } = failure
    const mends: Call[] = edit
      ? [{ kind: 'edit', path: filled(edit.path, plain), removed: edit.removed, added: edit.added }]
      : []
    const passes = run(failure.passes ? filled(failure.passes, plain) : command)
    const calls: Call[][] =
      kind === 'never'
        ? [[fails], [{ ...fails }]]
        : kind === 'destructive'
          ? [[fails], [run(this.#random.pick(destructiveRemedies))], [run(command)]]
          : kind === 'heredoc'
            ? [[fails], [run(command.replace('echo', 'printf %s'))]]
            : [[fails], mends, [passes]].filter(some => some.length > 0)
    const ends = kind === 'never' ? 'It still fails; I stop here.' : 'It passes now.'
    this.#tell(project, `Make ${name} pass.`, ends, calls)
    return { ...plain, cmd: command }
  }

  /** The same failure, with other numbers. */
  #fails(failure: Failure, name: string, command?: string, project = this.#here): () => Promise<string> {
    const { cmd = '', error = '' } = failureValues(this.#random, name, failure)
    return () =>
      this.#hook('PostToolUse', {
        tool_name: 'shell_command',
        tool_input: { command: command ?? cmd },
        tool_response: `Exit code: 1\n${error}`,
        cwd: project.workspace,
      })
  }

  #edits(file: string): Promise<string> {
    return this.#hook('PreToolUse', {
      tool_name: 'edit_file',
      tool_input: { file_path: `${this.#here.workspace}/${file}`, old_string: 'a', new_string: 'b' },
    })
  }

  #runs(command: string): Promise<string> {
    return this.#hook('PreToolUse', { tool_name: 'shell_command', tool_input: { command } })
  }

  #hook(event: string, more: object, session?: string, path?: string): Promise<string> {
    const n = ++this.#sessions
    const id = session ?? `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    const stdin = JSON.stringify({
      session_id: id,
      transcript_path: path ?? `/home/dev/.commandcode/projects/x/${id}.jsonl`,
      cwd: this.#here.workspace,
      hook_event_name: event,
      permission_mode: 'default',
      tool_use_id: `call_${n}`,
      tool_display_name: 'TOOL',
      ...more,
    })
    return this.bed.hook('commandcode', { event, stdin, env: {} })
  }
}
