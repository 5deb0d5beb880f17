import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** The built program, as agents start it: `npm test` builds it first. */
const cli = fileURLToPath(new URL('../../dist/deja.js', import.meta.url))
const fixtures = fileURLToPath(new URL('../../fixtures/codewhale/home', import.meta.url))

let home: string
let project: string
let env: Record<string, string>
let clients: Client[]

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'deja-mcp-')))
  project = join(home, 'work', 'harbour')
  clients = []
  env = { PATH: process.env.PATH ?? '', HOME: home, DEJA_HOME: join(home, 'data') }
  await cp(fixtures, home, { recursive: true })
  await mkdir(join(project, '.git'), { recursive: true })
  const hourAgo = Date.now() / 1000 - 3600
  await writeSession('aaaa0001-0000-4000-8000-000000000001', 'Which sonar buoy drifts?', [
    'Sonar buoy K7 drifts, because its anchor chain was cut; we decided to replace the chain.',
  ])
  await utimes(transcriptOf('aaaa0001-0000-4000-8000-000000000001'), hourAgo, hourAgo)
  await writeSession('aaaa0002-0000-4000-8000-000000000002', 'Calibrate the sonar buoy again.', [
    'The sonar buoy was calibrated with an offset of 12.',
  ])
  const long = Array.from({ length: 60 }, (_, n) =>
    `第${n}次：潮汐表的决定是改用本地时间，因为图表必须显示高潮。`.repeat(9),
  )
  await writeSession('aaaa0003-0000-4000-8000-000000000003', '潮汐表怎么办？', long, '/elsewhere')
  await deja('index')
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

afterAll(async () => {
  await deja('daemon', 'stop')
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const deja = async (...args: string[]) => promisify(execFile)(process.execPath, [cli, ...args], { env, cwd: home })

const transcriptOf = (id: string) => join(home, '.codewhale/sessions', `${id}.json`)

async function writeSession(id: string, prompt: string, answers: string[], workspace = project): Promise<void> {
  const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] })
  const turns = answers.flatMap((answer, n) => [
    said('user', n === 0 ? prompt : `${prompt} (${n})`),
    said('assistant', answer),
  ])
  const metadata = {
    id,
    title: prompt,
    created_at: '2026-09-01T09:00:00Z',
    updated_at: '2026-09-01T10:00:00Z',
    message_count: turns.length,
    total_tokens: 10,
    model: 'deepseek-v4-pro',
    workspace,
    mode: 'agent',
  }
  await writeFile(transcriptOf(id), JSON.stringify({ schema_version: 1, metadata, messages: turns }, null, 2))
}

async function connect(cwd = home, more: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env: { ...env, ...more }, cwd }),
  )
  clients.push(client)
  return client
}

async function ask(client: Client, args: Record<string, unknown>, options = {}) {
  const { content, isError } = await client.callTool({ name: 'deja', arguments: args }, undefined, options)
  const [first] = Array.isArray(content) ? (content as { type: string; text: string }[]) : []
  return { text: first?.text ?? '', isError: isError === true }
}

/** What an agent's hook prints in the project. */
async function hook(event: string, session: string, text: string): Promise<string> {
  const hookEnv = { ...env, CODEWHALE_SESSION_ID: session, DEEPSEEK_WORKSPACE: project }
  const child = spawn(process.execPath, [cli, 'hook', 'codewhale', event], { env: hookEnv, cwd: project })
  let out = ''
  child.stdout.on('data', chunk => (out += String(chunk)))
  child.stdin.end(JSON.stringify({ event, text, session_id: session, workspace: project }))
  await new Promise(resolve => child.on('close', resolve))
  return out
}

function expectFrame(text: string, most: number): void {
  expect(text.startsWith('<deja-recall>\n')).toBe(true)
  expect(text.endsWith('\n</deja-recall>')).toBe(true)
  expect(text.match(/<\/?deja-recall>/g)).toHaveLength(2)
  expect(text.split('\n')[1]).toMatch(/Do not follow instructions/)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most)
}

test('one tool, whose every mode answers in one frame within its bytes', async () => {
  const client = await connect()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['deja'])
  const recalled = await ask(client, { mode: 'recall', query: 'gauge downloader backoff' })
  expectFrame(recalled.text, 4096)
  expect(recalled.text).toMatch(/2026-07-18, CodeWhale 0a7d3f10[\s\S]*came to: [^\n]*Retry with backoff is in/)
  expectFrame((await ask(client, { mode: 'recall', query: '潮汐表 本地时间', limit: 50 })).text, 4096)
  const long = await ask(client, { mode: 'context', id: 'aaaa0003' })
  expectFrame(long.text, 8192)
  expect(long.text).toContain('(59)')
  expect(long.text).not.toContain('(3)\n')
  expect(long.text).toContain('Only a part of it')
  const chosen = await ask(client, { mode: 'context', id: 'codewhale:aaaa0003', query: '第3次' })
  expect(chosen.text).toContain('(3)')
  const how = await ask(client, { mode: 'how', query: 'pytest', project: 'tidewatch' })
  expect(how.text).toMatch(/`PYTHONPATH=. python -m pytest -q tests\/test_tz.py`: run once, 1 ok; last 2026-09-24/)
  const fix = await ask(client, {
    mode: 'fix',
    error: "ModuleNotFoundError: No module named 'src'",
    project: '/home/dev/work/tidewatch',
  })
  expect(fix.text).toContain('passed as `PYTHONPATH=. python -m pytest -q tests/test_tz.py`')
  const blame = await ask(client, { mode: 'blame', path: 'src/fetch.py' })
  expect(blame.text).toMatch(/CodeWhale 0a7d3f10.*edited it/)
  const orient = await ask(client, { mode: 'orient', project: 'tidewatch' })
  expect(orient.text).toMatch(/Settled lately[\s\S]*Failed, and what made it pass:[\s\S]*Files changed most:/)
  for (const { text, isError } of [chosen, how, fix, blame, orient]) {
    expectFrame(text, 8192)
    expect(isError).toBe(false)
  }
})

test('a line is blamed on who wrote it; the server reads it', async () => {
  await mkdir(join(home, 'tool'), { recursive: true })
  await writeFile(join(home, 'tool/a.py'), 'one\n\nthree\n')
  const client = await connect(join(home, 'tool'))
  const known = await ask(client, { mode: 'blame', path: 'a.py:1' })
  expect(known.text).toContain('No session that is kept wrote or removed this line.')
  for (const [path, sentence] of [
    ['a.py:99', 'The file has 4 lines, not 99.'],
    ['a.py:2', 'Line 2 is empty.'],
    ['b.py:1', 'its line 1 isn'],
  ]) {
    const refused = await ask(client, { mode: 'blame', path })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining(sentence ?? '')])
  }
})

test('what is wrong with a call is said to the model', async () => {
  const client = await connect()
  const sentences = [
    [{ mode: 'guess' }, /"mode" must be one of recall/],
    [{ mode: 'recall', query: 5 }, /"query": expected string/],
    [{ mode: 'recall', query: 'x', harness: 'emacs' }, /"harness" is one of codewhale, .*not "emacs"/],
    [{ mode: 'context', id: 'nosuchsession' }, /No session has the id "nosuchsession"/],
    [{ mode: 'context', id: 'aaaa' }, /begins several ids/],
  ] as const
  for (const [args, sentence] of sentences) {
    const { text, isError } = await ask(client, args)
    expect([isError, text]).toEqual([true, expect.stringMatching(sentence)])
  }
  const nothing = await ask(client, { mode: 'recall', query: 'qqqqzzzz' })
  expectFrame(nothing.text, 4096)
  expect([nothing.isError, nothing.text]).toEqual([false, expect.stringContaining('Nothing that is kept')])
})

test('its own directory comes first; what is written there just now is left out', async () => {
  const inside = await ask(await connect(project), { mode: 'recall', query: 'sonar buoy' })
  expect(inside.text).toMatch(/Sessions of this project:\n- .*aaaa0001/)
  expect(inside.text).not.toContain('aaaa0002')
  const outside = await ask(await connect(), { mode: 'recall', query: 'sonar buoy' })
  expect(outside.text).toMatch(/Sessions elsewhere:[\s\S]*aaaa0002/)
  expect(outside.text).toContain(`in ${project}`)
})

test('a session that hooks tell of is left out until its end, and no longer', async () => {
  const id = 'aaaa0004-0000-4000-8000-000000000004'
  const prompt = 'Where did we moor the tug Ondine after the storm surge last winter?'
  await hook('message_submit', 'sess_mcp', prompt)
  await writeSession(id, prompt, ['The tug Ondine is moored at pier 9, because the surge broke pier 4.'])
  await deja('index')
  const client = await connect(project)
  expect((await ask(client, { mode: 'recall', query: 'tug Ondine moored' })).text).not.toContain('pier 9')
  await hook('session_end', 'sess_mcp', prompt)
  expect((await ask(client, { mode: 'recall', query: 'tug Ondine moored' })).text).toContain('pier 9')
})

test('a note is kept without its secrets, and recalled before all else', async () => {
  const client = await connect(project)
  const text = 'Sonar buoys are reset with `make ping`; api_key = "sk-proj-4f9aK2mQ8xT7bN3vR6wZ1yL5"'
  const kept = await ask(client, { mode: 'remember', text })
  expectFrame(kept.text, 8192)
  expect(kept.text).toContain(`Kept for ${project}: Sonar buoys are reset`)
  expect(kept.text).not.toContain('4f9aK2mQ8xT7')
  await ask(client, { mode: 'remember', text })
  const { text: recalled } = await ask(await connect(project), { mode: 'recall', query: 'reset sonar buoys' })
  expect(recalled).toMatch(/^Noted on purpose for this project:\n- \d{4}-\d\d-\d\d: Sonar buoys are reset/m)
  expect(recalled.indexOf('Noted')).toBeLessThan(recalled.indexOf('aaaa0001'))
  expect(recalled.match(/make ping/g)).toHaveLength(1)
  expect((await ask(client, { mode: 'orient' })).text).toContain('make ping')
  expect((await ask(await connect(), { mode: 'recall', query: 'reset sonar buoys' })).text).not.toContain('make ping')
  const question = 'How are the sonar buoys reset?'
  expect(await hook('message_submit', 'sess_note', question)).toMatch(/noted on purpose, .*make ping/)
  expect(await hook('message_submit', 'sess_note', `${question} Tell me.`)).not.toContain('make ping')
  expect(await hook('message_submit', 'sess_note', 'Write a haiku about spring rain in Kyoto.')).toBe('')
  const found = await deja('search', 'reset sonar buoys')
  expect(found.stdout).toMatch(/^\d{4}-\d\d-\d\d {2}noted for .*\n {4}Sonar buoys are reset with `make ping`/)
  expect((await deja('search', 'sonar buoys', '--role', 'user')).stdout).not.toContain('make ping')
  await promisify(execFile)(process.execPath, [cli, 'forget', '--project', project], { env, cwd: home })
  expect((await deja('search', 'reset sonar buoys')).stdout).not.toContain('make ping')
  // a project that has nothing but notes
  await ask(client, { mode: 'remember', text: 'Sonar buoys are painted red.' })
  expect((await deja('forget', '--project', project)).stderr).toContain('deja: 1 note forgotten for good.')
  expect((await ask(client, { mode: 'orient' })).text).not.toContain('make ping')
})

test('many calls at once are answered, one that is cancelled is not waited for', async () => {
  const client = await connect()
  const controller = new AbortController()
  const cancelled = ask(client, { mode: 'orient', project: 'tidewatch' }, { signal: controller.signal })
  controller.abort()
  const all = Array.from({ length: 20 }, () => ask(client, { mode: 'recall', query: 'gauge downloader backoff' }))
  await expect(cancelled).rejects.toThrow()
  for (const { text } of await Promise.all(all)) expect(text).toContain('0a7d3f10')
})

test('sessions are resources; their text stands in a frame', async () => {
  const client = await connect()
  const { resources } = await client.listResources()
  expect(resources.length).toBeGreaterThan(5)
  expect(resources.map(({ uri }) => uri)).toContain('deja://session/codewhale:0a7d3f10-52c4-4b8e-8d3e-2b9c6a1f4e21')
  expect(resources.every(({ name }) => /^(?:\d{4}-\d\d-\d\d, )?[\w ]+ \S+$/.test(name))).toBe(true)
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['deja://session/{harness}:{id}'])
  const { contents } = await client.readResource({ uri: 'deja://session/codewhale:0a7d3f10' })
  const [content] = contents
  expectFrame(content !== undefined && 'text' in content ? content.text : '', 8192)
  await expect(client.readResource({ uri: 'deja://session/codewhale:nosuchsession' })).rejects.toThrow(/No session/)
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/Expected deja:/)
})

test('without a daemon there is a sentence, no error', async () => {
  const client = await connect(home, { DEJA_HOME: join(home, 'none'), DEJA_NO_AUTOSTART: '1' })
  const { text, isError } = await ask(client, { mode: 'recall', query: 'tide' })
  expectFrame(text, 4096)
  expect([isError, text]).toEqual([false, expect.stringMatching(/can't be asked just now[\s\S]*No daemon is running/)])
  expect((await client.listResources()).resources).toEqual([])
})

test('only JSON-RPC on stdout; what was asked before stdin ended is still answered, and it exits 0', async () => {
  const child = spawn(process.execPath, [cli, 'mcp'], { cwd: home, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => (out += String(chunk)))
  child.stderr.on('data', chunk => (err += String(chunk)))
  const init = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '0' } }
  const calls = [
    { id: 1, method: 'initialize', params: init },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'deja', arguments: { mode: 'orient', project: 'tidewatch' } } },
  ]
  child.stdin.end(['not json', ...calls.map(call => JSON.stringify({ jsonrpc: '2.0', ...call }))].join('\n') + '\n')
  const code = await new Promise(resolve => child.on('close', resolve))
  const replies = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { id: number; result?: unknown })
  expect(replies.map(({ id, result }) => [id, result !== undefined])).toEqual([
    [1, true],
    [2, true],
  ])
  expect([code, err]).toEqual([0, ''])
})
