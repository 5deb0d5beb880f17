import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openArchiveReader, type ArchiveReader } from '../../src/archive/read/archive-reader.ts'
import type { HookCall } from '../../src/harness/hooks.ts'
import { harnesses } from '../../src/harness/registry.ts'
import { PassageIndex } from '../../src/index/passage-index.ts'
import { REDACTION_VERSION, redact } from '../../src/ingest/redaction/redact.ts'
import { River } from '../../src/ingest/river.ts'
import { Recall, type RecallAnswer } from '../../src/recall/recall.ts'
import { loadSettings, type Settings } from '../../src/settings/settings.ts'

const fixtures = new URL('../../fixtures', import.meta.url).pathname

/** A home with stores, and both rivers: what the daemon holds together, without its doors. */
export class House {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'deja-recall-')))
  readonly data = join(this.home, 'deja')
  index = new PassageIndex()
  /** Added to the clock, in milliseconds. */
  ahead = 0
  settings: Settings
  #river: River | null = null
  #running: Promise<void> | null = null
  #reader: ArchiveReader | null = null
  #recall: Recall | null = null

  constructor() {
    mkdirSync(this.data, { recursive: true, mode: 0o700 })
    this.settings = loadSettings(this.data)
  }

  get recall(): Recall {
    if (!this.#recall) throw new Error('the house is closed')
    return this.#recall
  }

  get archive(): ArchiveReader {
    if (!this.#reader) throw new Error('the house is closed')
    return this.#reader
  }

  fixture(name: string, to = '.'): void {
    cpSync(join(fixtures, name), join(this.home, to), { recursive: true })
  }

  write(name: string, text: string): void {
    const path = join(this.home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.tmp`, text)
    renameSync(`${path}.tmp`, path)
  }

  /** What was copied was written yesterday. */
  age(directory: string): void {
    const yesterday = new Date(Date.now() - 86_400_000)
    for (const name of readdirSync(join(this.home, directory), { recursive: true, encoding: 'utf8' }))
      utimesSync(join(this.home, directory, name), yesterday, yesterday)
  }

  now = (): number => Date.now() + this.ahead

  /** Reads all that is there, and answers from then on. */
  async open(): Promise<void> {
    const path = join(this.data, 'archive.db')
    const river = new River(
      {
        archive: path,
        environments: () => [{ HOME: this.home }],
        harnesses,
        redactor: { version: REDACTION_VERSION, redact },
        exclude: { projects: [], paths: [] },
        reader: { subagents: 'default' },
        now: () => Date.now(),
      },
      event => {
        if (event.type === 'passages') {
          this.index.add(event.upserts)
          this.index.remove(event.removed)
        } else if (event.type === 'session') this.index.updateSession(event.session)
        else if (event.type === 'forgotten') for (const key of event.sessions) this.index.forgetSession(key)
        this.#recall?.onIngest(event)
        setImmediate(() => river.taken())
      },
    )
    this.#river = river
    this.#reader = openArchiveReader(path, { version: REDACTION_VERSION, redact })
    this.#recall = new Recall({
      index: this.index,
      archive: this.#reader,
      dataDir: this.data,
      settings: this.settings,
      redactor: { version: REDACTION_VERSION, redact },
      now: this.now,
      peek: async (file, deadlineMs) => {
        await Promise.race([river.peek(file), new Promise(resolve => setTimeout(resolve, deadlineMs))])
      },
      agentName: id => harnesses.find(harness => harness.id === id)?.name ?? id,
    })
    this.#running = river.run()
    await river.settle()
  }

  async settle(): Promise<void> {
    await this.#river?.settle()
  }

  async forget(harness: string, id: string): Promise<void> {
    await this.#river?.forget({ sessions: [{ harness, id }] }, false)
  }

  async close(): Promise<void> {
    this.#river?.stop()
    await this.#running
    this.#recall?.close()
    this.#reader?.close()
    this.#river = this.#reader = this.#recall = null
    this.index = new PassageIndex()
  }

  async reopen(): Promise<void> {
    await this.close()
    await this.open()
  }

  async end(): Promise<void> {
    await this.close()
    rmSync(this.home, { recursive: true, force: true })
  }

  /** A hook's call; the answer arrives unless `arrives` says otherwise. */
  async hook(
    harnessId: string,
    call: HookCall,
    arrives: 'given' | 'owed' | 'open' | undefined = 'given',
  ): Promise<string> {
    const answer = await this.ask(harnessId, call)
    if (arrives === 'given') answer?.given()
    if (arrives === 'owed') answer?.owed()
    return answer?.stdout ?? ''
  }

  async ask(harnessId: string, call: HookCall): Promise<RecallAnswer | null> {
    const harness = harnesses.find(({ id }) => id === harnessId)
    if (!harness) throw new Error(`no harness ${harnessId}`)
    return this.recall.answer(harness, call)
  }
}

export const tidewatch = '/home/dev/work/tidewatch'

interface Submission {
  session?: string
  workspace?: string
  env?: Record<string, string>
  arrives?: 'given' | 'owed' | 'open'
  extra?: object
}

/** CodeWhale's hooks, as its launcher calls them. */
export class CodeWhale {
  readonly house: House

  constructor(house: House) {
    this.house = house
  }

  install(): void {
    this.house.fixture('codewhale/home')
  }

  /** What the message becomes behind its own words; '' where nothing was said. */
  async submit(
    text: string,
    { session = 'sess_0a1b2c3d', workspace = tidewatch, env = {}, arrives = 'given', extra = {} }: Submission = {},
  ): Promise<string> {
    const stdin = JSON.stringify({
      event: 'message_submit',
      text,
      text_truncated: false,
      session_id: session,
      workspace,
      ...extra,
    })
    const out = await this.house.hook(
      'codewhale',
      { event: 'message_submit', stdin, env: { ...this.#env(session), DEEPSEEK_WORKSPACE: workspace, ...env } },
      arrives,
    )
    return out === '' ? '' : String(field(out, 'text')).slice(text.length)
  }

  async before(
    name: string,
    args: unknown,
    callId: string,
    session = 'sess_0a1b2c3d',
    arrives: 'given' | 'owed' = 'given',
  ): Promise<string> {
    const env = {
      ...this.#env(session),
      DEEPSEEK_TOOL_NAME: name,
      DEEPSEEK_TOOL_CALL_ID: callId,
      DEEPSEEK_TOOL_ARGS: JSON.stringify(args),
    }
    const out = await this.house.hook('codewhale', { event: 'tool_call_before', stdin: '', env }, arrives)
    return out === '' ? '' : String(field(out, 'additionalContext'))
  }

  /** 0.10.1's receipt. */
  async after(
    command: string,
    exitCode: number,
    output: string,
    callId: string,
    session = 'sess_0a1b2c3d',
  ): Promise<string> {
    const receipt = {
      schema_version: 1,
      execution: 'started',
      completion: exitCode === 0 ? 'completed' : 'failed',
      command,
      command_truncated: false,
      exit_code: exitCode,
      stdout: output,
      stderr: '',
    }
    const stdin = JSON.stringify({
      event: 'tool_call_after',
      session_id: session,
      tool_call_id: callId,
      tool_name: 'bash',
      execution_receipt: receipt,
    })
    const env = {
      ...this.#env(session),
      DEEPSEEK_TOOL_NAME: 'bash',
      DEEPSEEK_TOOL_CALL_ID: callId,
      DEEPSEEK_TOOL_SUCCESS: String(exitCode === 0),
      DEEPSEEK_TOOL_EXIT_CODE: String(exitCode),
      DEEPSEEK_TOOL_RESULT: output,
    }
    return this.house.hook('codewhale', { event: 'tool_call_after', stdin, env })
  }

  async fixtureHook(name: string, event: string, env: Record<string, string> = {}): Promise<string> {
    const value: unknown = JSON.parse(readFileSync(join(fixtures, 'codewhale/hooks', name), 'utf8'))
    const stdin = field(value, 'stdin')
    return this.house.hook('codewhale', {
      event,
      stdin: typeof stdin === 'string' ? stdin : JSON.stringify(stdin),
      env: { ...(field(value, 'env') as Record<string, string>), ...env },
    })
  }

  async end(session = 'sess_0a1b2c3d'): Promise<void> {
    await this.house.hook('codewhale', { event: 'session_end', stdin: '', env: this.#env(session) })
  }

  /** Saves a session as CodeWhale does: by a temporary file and a rename, and waits until it was read. */
  async save(
    id: string,
    turns: readonly (readonly [string, string?, ...object[]])[],
    more: { workspace?: string; updated?: string; parent?: string | null } = {},
  ): Promise<void> {
    this.put(id, turns, more)
    await this.house.settle()
  }

  /** The same without waiting. */
  put(
    id: string,
    turns: readonly (readonly [string, string?, ...object[]])[],
    {
      workspace = tidewatch,
      updated = new Date().toISOString(),
      parent = null,
    }: { workspace?: string; updated?: string; parent?: string | null } = {},
  ): void {
    const messages = turns.flatMap(([person, agent, ...blocks]) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: person },
          { type: 'text', text: '<turn_meta>\nCurrent local date: 2026-10-02\n</turn_meta>' },
        ],
      },
      ...(blocks as { role: string }[]),
      ...(agent ? [{ role: 'assistant', content: [{ type: 'text', text: agent }] }] : []),
    ])
    const metadata = {
      id,
      title: turns[0]?.[0].slice(0, 48),
      created_at: updated,
      updated_at: updated,
      message_count: messages.length,
      total_tokens: 100,
      model: 'm',
      workspace,
      mode: 'agent',
      cost: {},
      ...(parent ? { parent_session_id: parent } : {}),
    }
    this.house.write(
      `.codewhale/sessions/${id}.json`,
      JSON.stringify({ schema_version: 1, metadata, messages, system_prompt: null }, null, 2),
    )
  }

  #env(session: string): Record<string, string> {
    return { DEEPSEEK_SESSION_ID: session, CODEWHALE_SESSION_ID: session, DEEPSEEK_WORKSPACE: tidewatch }
  }
}

/** A tool call of CodeWhale and its result, as messages. */
export const ran = (id: string, command: string, output: string, exitCode = 0): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: { command } }] },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: id,
        content: exitCode === 0 ? output : `Error: ${output}\n\n\nCommand exited with code ${exitCode}`,
        ...(exitCode === 0 ? {} : { is_error: true }),
      },
    ],
  },
]

export const edited = (id: string, path: string, oldText: string, newText: string): object[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'edit', input: { path, edits: [{ oldText, newText }] } }],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: `Successfully replaced 1 block(s) in ${path}.` }],
  },
]

/** What stands in a text's one frame, which must be whole and must warn. */
export function framed(text: string): string {
  if (text.match(/<\/?deja-recall>/g)?.length !== 2) throw new Error(`not one frame: ${text.slice(0, 300)}`)
  const inside = /<deja-recall>\n([\s\S]*)<\/deja-recall>\s*$/.exec(text)?.[1]
  if (inside === undefined || !/instruct|follow|obey/i.test(inside.split('\n')[0] ?? ''))
    throw new Error(`no frame with a warning: ${text.slice(0, 300)}`)
  return inside
}

export function field(value: unknown, name: string): unknown {
  const object: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[name] : undefined
}
