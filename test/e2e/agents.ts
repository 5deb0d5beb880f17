import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import ts from 'typescript'
import { Home, member, type Ran } from './home.ts'

/**
 * An agent's side of its hooks: runs the lines that `install` wrote as that agent does and gives what reaches its
 * model. Where an agent lets nothing be said at a moment, the next event that can carry it is played as well.
 */
export interface Agent {
  readonly id: string
  /** A question that its fixtures answer, and how the answer looks. */
  readonly question: { text: string; answer: RegExp }
  /** A session of its fixtures, one of another harness than none. */
  readonly sample: { id: string; words: string; resume: RegExp | null }
  /** What a new session is told before any prompt; null where nothing said then reaches the model. */
  start: ((session: string) => Promise<string>) | null
  prompt(session: string, text: string): Promise<string>
  /** A file with a history is changed. */
  change(session: string): Promise<string>
  hint: RegExp
  /** A command fails that was made to pass before. */
  fail(session: string): Promise<string>
  fix: RegExp
  /** Its context was compacted: what it hears next, and what another session hears. */
  compact(): Promise<{ owner: string; other: string; again: string }>
  packet: RegExp
  /** Runs a tool call of which nothing is to be said. */
  idle(session: string): Promise<string>
  end(session: string): Promise<void>
}

/** The daemon runs already: a hook that had to wait too long must not leave another one behind the test. */
const noAutostart = { DEJA_NO_AUTOSTART: '1' }

/** A hook's run must be silent on stderr and exit 0. */
function answerOf({ code, stdout, stderr }: Ran): string {
  if (code !== 0 || stderr !== '') throw new Error(`a hook ended with ${String(code)}: ${stderr}`)
  return stdout
}

const textAt = (json: string, ...names: string[]): string => {
  if (json === '') return ''
  const text = member(JSON.parse(json), ...names)
  if (typeof text !== 'string') throw new Error(`no ${names.join('.')} in ${json}`)
  return text
}

async function codewhale(home: Home): Promise<Agent> {
  await home.fixture('codewhale/home')
  await home.done('install', 'codewhale-auto')
  const workspace = '/home/dev/work/tidewatch'

  async function hook(session: string, event: string, stdin: unknown, env: Record<string, string> = {}) {
    const hooks = member(parse(await home.text('.codewhale/config.toml')), 'hooks', 'hooks')
    const lines = (hooks as { event: string; command: string }[]).filter(each => each.event === event)
    const [line] = lines
    if (line === undefined || lines.length > 1) throw new Error(`${lines.length} hooks for ${event}`)
    const ran = await home.run('sh', ['-c', line.command], {
      input: stdin === null ? '' : `${JSON.stringify(stdin)}\n`,
      env: {
        CODEWHALE_SESSION_ID: session,
        DEEPSEEK_SESSION_ID: session,
        DEEPSEEK_WORKSPACE: workspace,
        DEEPSEEK_MODE: 'ACT',
        ...noAutostart,
        ...env,
      },
      reap: true,
    })
    return answerOf(ran)
  }

  async function prompt(session: string, text: string): Promise<string> {
    const about = { session_id: session, workspace, mode: 'ACT', model: 'deepseek-v4-pro' }
    const stdin = {
      event: 'message_submit',
      text,
      text_bytes: Buffer.byteLength(text),
      text_truncated: false,
      ...about,
    }
    const whole = textAt(await hook(session, 'message_submit', stdin), 'text')
    if (whole !== '' && !whole.startsWith(`${text}\n`)) throw new Error(`the person's words come first: ${whole}`)
    return whole.slice(text.length)
  }

  let calls = 0
  async function before(session: string, tool: string, args: unknown, id = `call_${++calls}`): Promise<string> {
    const env = { DEEPSEEK_TOOL_NAME: tool, DEEPSEEK_TOOL_CALL_ID: id, DEEPSEEK_TOOL_ARGS: JSON.stringify(args) }
    return textAt(await hook(session, 'tool_call_before', null, env), 'additionalContext')
  }
  const idle = (session: string): Promise<string> => before(session, 'bash', { command: 'ls src' })

  return {
    id: 'codewhale',
    question: {
      text: 'The gauge downloader fails on flaky networks, did we already add a retry with backoff?',
      answer: /docs\/retry\.md|policy is written down|src\/fetch\.py/,
    },
    sample: { id: '0a7d3f10', words: 'gauge downloader backoff', resume: /^codewhale --resume 0a7d3f10-/m },
    // what session_start prints is thrown away
    start: null,
    prompt,
    change: session => before(session, 'edit', { path: 'src/fetch.py', edits: [{ oldText: 'a', newText: 'b' }] }),
    hint: /fetch\.py/,
    async fail(session) {
      const told = await Home.fixtureJson('codewhale/hooks/tool_call_after.failed_bash.0.10.json')
      const stdin = { ...(member(told, 'stdin') as object), session_id: session }
      const env = { ...(member(told, 'env') as Record<string, string>) }
      const ids = { DEEPSEEK_SESSION_ID: session, CODEWHALE_SESSION_ID: session }
      const said = await hook(session, 'tool_call_after', stdin, { ...env, ...ids })
      if (said !== '') throw new Error(`nothing said there is read: ${said}`)
      return idle(session)
    },
    fix: /PYTHONPATH=\. python -m pytest -q tests\/test_tz\.py/,
    async compact() {
      const [owner, other] = ['sess_00000c01', 'sess_00000c02']
      const id = 'bbbbbbbb-0000-4000-8000-000000000001'
      const text = 'Port the harbour table to DuckDB and keep the column order.'
      await prompt(owner, text)
      await save(home, id, workspace, text, 'Working on it.')
      await home.done('index')
      const pair = `.codewhale/sessions/${id}/artifacts/context-transfer-0f0e0d0c-1111-4222-8333-444455556666`
      const call = {
        type: 'tool_use',
        id: 'c1',
        name: 'bash',
        input: { command: 'duckdb harbour.db -init schema.sql' },
      }
      const history = [
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'created table harbour' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Decided: depth stays a DECIMAL(6,2).' }] },
      ]
      await home.write(`${pair}.json`, JSON.stringify(history))
      await home.write(`${pair}.md`, '# Summary\nPorting the harbour table.\n')
      const heard = { other: await prompt(other, 'go on'), owner: await prompt(owner, 'go on') }
      return { ...heard, again: await prompt(owner, 'go on') }
    },
    packet: /duckdb harbour\.db -init schema\.sql/,
    idle,
    async end(session) {
      await hook(session, 'session_end', null)
    },
  }
}

async function save(home: Home, id: string, workspace: string, asked: string, answered: string): Promise<void> {
  const now = new Date().toISOString()
  const about = { title: asked.slice(0, 48), created_at: now, updated_at: now, message_count: 2, total_tokens: 100 }
  const metadata = { id, ...about, model: 'deepseek-v4-pro', workspace, mode: 'agent', cost: {} }
  const messages = [
    { role: 'user', content: [{ type: 'text', text: asked }] },
    { role: 'assistant', content: [{ type: 'text', text: answered }] },
  ]
  const document = { schema_version: 1, metadata, messages, system_prompt: null }
  await home.write(`.codewhale/sessions/${id}.json`, JSON.stringify(document, null, 2))
}

/** Hooks in the form of a settings.json: the command of the one group of ours that fires. */
async function settingsCommand(home: Home, file: string, event: string, fires: (matcher: string) => boolean) {
  const groups = (member(await home.json(file), 'hooks', event) ?? []) as {
    matcher?: string
    hooks: { command: string }[]
  }[]
  const firing = groups.filter(({ matcher }) => matcher === undefined || fires(matcher))
  const [command, ...more] = firing.flatMap(group => group.hooks.map(each => each.command))
  if (more.length > 0) throw new Error(`${more.length + 1} hooks fire for ${event}`)
  return command
}

async function commandcode(home: Home): Promise<Agent> {
  await home.fixture('commandcode/projects', '.commandcode/projects')
  await home.done('install', 'commandcode-auto')
  await home.write('host.mjs', await commandCodeHost(home))
  const workspace = '/home/dev/acme-api'
  const store = '.commandcode/projects/home-dev-acme-api'

  async function hook(session: string, event: string, more: object, display?: string, transcript?: string) {
    const command = await settingsCommand(home, '.commandcode/settings.json', event, matcher =>
      new RegExp(matcher, 'i').test(display ?? ''),
    )
    if (command === undefined) return ''
    const about = { session_id: session, transcript_path: transcript ?? join(home.path, store, `${session}.jsonl`) }
    const input = JSON.stringify({
      ...about,
      cwd: workspace,
      hook_event_name: event,
      permission_mode: 'default',
      ...more,
    })
    const env = { COMMANDCODE_PROJECT_DIR: workspace, COMMANDCODE_CWD: workspace, COMMANDCODE_SESSION_ID: session }
    const said = answerOf(await home.run('sh', ['-c', command], { input, env: { ...noAutostart, ...env } }))
    return textAt(said, 'hookSpecificOutput', 'additionalContext')
  }

  let calls = 0
  const tool = (name: string, display: string, tool_input: object): object => ({
    tool_use_id: `call_${++calls}`,
    tool_name: name,
    tool_display_name: display,
    tool_input,
  })
  const idle = (session: string): Promise<string> =>
    hook(session, 'PreToolUse', tool('shell_command', 'SHELL', { command: 'ls -la' }), 'SHELL')

  let questions = 0
  return {
    id: 'commandcode',
    question: {
      text: 'Why did the nightly export skip customers without a VAT id?',
      answer: /left join|tax_profile/i,
    },
    sample: { id: '8b7fb59c', words: 'exporting customers VAT', resume: /^cmd --session 8b7fb59c-/m },
    start: session => hook(session, 'SessionStart', { source: 'startup' }),
    // no hook fires for a prompt: the mod asks
    async prompt(session, text) {
      const ran = await home.run(process.execPath, ['host.mjs', session, `m${++questions}`, text])
      return answerOf(ran)
    },
    change: session =>
      hook(
        session,
        'PreToolUse',
        tool('edit_file', 'EDIT', { file_path: `${workspace}/sql/export.sql`, old_string: 'a', new_string: 'b' }),
        'EDIT',
      ),
    hint: /export\.sql/,
    fail: session =>
      hook(
        session,
        'PostToolUse',
        {
          ...tool('shell_command', 'SHELL', { command: 'npm', args: ['test', '--', 'limiter'] }),
          tool_response:
            'Exit code: 1\n\n> acme-api@1.4.0 test\n> vitest run limiter\n\n FAIL  src/limiter.test.ts > burst > rejects the 11th call\nAssertionError: expected 429, got 200\n    at src/limiter.test.ts:44:18',
        },
        'SHELL',
      ),
    fix: /hits \+= 1|src\/limiter\.ts/,
    async compact() {
      const owner = '8b7fb59c-3402-43e2-aa5a-a578e5f624dd'
      const file = `${store}/${owner}.jsonl`
      const lines = (await home.text(file)).trimEnd().split('\n')
      const leaf = member(JSON.parse(lines.at(-1) ?? ''), 'id')
      await idle(owner)
      const line = { type: 'compaction', id: 'c0c0c0c0', parentId: leaf, timestamp: new Date().toISOString() }
      const rest = { summary: 'Left join work.', firstKeptEntryId: leaf, tokensBefore: 90_000 }
      await appendFile(join(home.path, file), `${JSON.stringify({ ...line, ...rest })}\n`)
      const heard = { other: await idle('0c0c0c0c-6b0e-4a55-9d0c-1d6f0a7b2c12'), owner: await idle(owner) }
      return { ...heard, again: await idle(owner) }
    },
    packet: /sql\/export\.sql/,
    idle,
    async end() {
      // the mod's own: it says so when the process that it runs in ends
    },
  }
}

/** Command Code's side of the mod: one process, one question, one model call. Prints what the call got besides it. */
async function commandCodeHost(home: Home): Promise<string> {
  const { outputText } = ts.transpileModule(await home.text('.commandcode/mods/deja.ts'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  await home.write('mod.mjs', outputText)
  return `
import mod from './mod.mjs'
const [session, messageId, text] = process.argv.slice(2)
const none = () => {}
const hooks = {}
const ui = { capabilities: { status: true }, setStatus: () => ({ dispose: none }), notify: none }
await mod({ name: 'deja', cwd: '/home/dev/acme-api', ui, on: none, hooks: more => Object.assign(hooks, more) })
const ctx = { cwd: '/home/dev/acme-api', emit: none, signal: undefined }
await hooks.onSessionStart?.({ source: 'startup', sessionId: session }, ctx)
const messages = [{ role: 'user', content: [{ type: 'text', text }], meta: { source: 'user', messageId } }]
const given = await hooks.transformContext({ messages, state: { sessionId: session, modState: {} }, signal: undefined }, ctx)
const texts = given.flatMap(message => message.content).map(block => block.text)
process.stdout.write(texts.join('\\n').replace(text, '').trim())
await hooks.onSessionEnd?.({ reason: 'shutdown' }, ctx)
process.exit(0)
`
}

/** CodeBuddy, and WorkBuddy, which is the same client with another home. */
async function buddy(home: Home, id: 'codebuddy' | 'workbuddy'): Promise<Agent> {
  for (const name of ['tools', 'compact-auto']) await home.fixture(`codebuddy/${name}/projects`, `.${id}/projects`)
  // the session of compact-auto has not come to its compaction yet
  const compacted = `.${id}/projects/home-dev-acme-api/0ef8d742-1069-4aff-be66-885a8a57e629.jsonl`
  const whole = (await home.text(compacted)).split(/(?<=\n)/)
  const before = whole.findIndex(line => line.includes('"compactType"'))
  await home.write(compacted, whole.slice(0, before).join(''))
  await home.done('install', `${id}-auto`)
  const workspace = '/home/dev/acme-api'

  async function hook(session: string, event: string, more: object, tool?: string): Promise<string> {
    // a matcher counts for PostToolUse alone
    const command = await settingsCommand(home, `.${id}/settings.json`, event, matcher =>
      event === 'PostToolUse' ? new RegExp(matcher).test(tool ?? '') : true,
    )
    if (command === undefined) return ''
    const transcript_path = join(home.path, `.${id}/projects/home-dev-acme-api/${session}.jsonl`)
    const about = { session_id: session, transcript_path, hook_event_name: event, permission_mode: 'default' }
    const where = event === 'SessionStart' ? {} : { cwd: workspace }
    const ran = await home.run('sh', ['-c', command], {
      input: JSON.stringify({ ...about, ...where, client: 'CLI', version: '2.117.0', ...more }),
      env: { ...noAutostart, CODEBUDDY_PROJECT_DIR: workspace, CLAUDE_PROJECT_DIR: workspace },
    })
    return textAt(answerOf(ran), 'hookSpecificOutput', 'additionalContext')
  }

  let calls = 0
  const after = (session: string, tool_name: string, tool_input: object, tool_response: unknown): Promise<string> =>
    hook(session, 'PostToolUse', { tool_name, tool_input, tool_response, call_id: `call_${++calls}` }, tool_name)
  const path = `${workspace}/src/retry.js`

  return {
    id,
    question: {
      text: 'What did we set maxAttempts and delayMs to in src/retry.js?',
      answer: /five attempts|maxAttempts = 5|delayMs = 100/,
    },
    sample: {
      id: '7e38c5a5',
      words: 'retry cap attempts',
      resume: id === 'codebuddy' ? /^codebuddy -r 7e38c5a5-/m : null,
    },
    start: session => hook(session, 'SessionStart', { source: 'startup' }),
    prompt: (session, prompt) => hook(session, 'UserPromptSubmit', { prompt }),
    // what is said before a tool doesn't reach the model, so it is said after the file was touched
    change: session =>
      after(
        session,
        'Edit',
        { file_path: path, old_string: 'a', new_string: 'b' },
        `Successfully edited file: ${path}`,
      ),
    hint: /retry\.js/,
    fail: session =>
      after(
        session,
        'Bash',
        { command: 'node test/retry.test.js' },
        { exitCode: 1, signal: null, tool_error_code: '8002', is_error: true, error: 'expected 5 attempts, got 3\n' },
      ),
    fix: /src\/retry\.js|maxAttempts = 5/,
    async compact() {
      const owner = '0ef8d742-1069-4aff-be66-885a8a57e629'
      const other = '0c0c0c0c-1069-4aff-be66-885a8a57e629'
      for (const session of [owner, other]) await hook(session, 'SessionStart', { source: 'startup' })
      await appendFile(join(home.path, compacted), whole.slice(before).join(''))
      const heard = {
        other: await hook(other, 'SessionStart', { source: 'compact' }),
        owner: await hook(owner, 'SessionStart', { source: 'compact' }),
      }
      return { ...heard, again: await hook(owner, 'UserPromptSubmit', { prompt: 'continue' }) }
    },
    packet: /retry/i,
    idle: session => after(session, 'Bash', { command: 'ls src' }, { exitCode: 0, signal: null, tool_error_code: '0' }),
    async end(session) {
      await hook(session, 'SessionEnd', { reason: 'other' })
    },
  }
}

export const agents: readonly [string, (home: Home) => Promise<Agent>][] = [
  ['codewhale', codewhale],
  ['commandcode', commandcode],
  ['codebuddy', home => buddy(home, 'codebuddy')],
  ['workbuddy', home => buddy(home, 'workbuddy')],
]
