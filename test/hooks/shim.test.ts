import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeLauncher, type ShimForm } from '../../src/client/launcher.ts'
import { parseHookBody } from '../../src/daemon/hook-body.ts'
import type { HookCall } from '../../src/harness/hooks.ts'

const SECRET = 'ab'.repeat(32)
const TOKEN = 'cd'.repeat(32)
/** 300 ms by the contract, and room for a machine that is busy with other tests. */
const LIMIT_MS = 900

let dataDir: string
let servers: Server[]
let sockets: Set<Socket>
let starts: string

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), "deja shim'")), 'home')
  servers = []
  sockets = new Set()
  starts = join(dataDir, 'starts')
  await mkdir(join(dataDir, 'run'), { recursive: true, mode: 0o700 })
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  await rm(join(dataDir, '..'), { recursive: true, force: true, maxRetries: 5 })
})

async function listen(behave: (socket: Socket) => void): Promise<number> {
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    behave(socket)
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** What a daemon publishes, in its order. */
async function publish(port: number, more: { protocol?: number; secret?: string } = {}): Promise<void> {
  const { protocol = 1, secret = SECRET } = more
  const state = { pid: 1, startedAt: '2026-01-01T00:00:00.000Z', version: '0.1.0', protocol, instanceId: 'i' }
  const rest = { host: '127.0.0.1', port, token: TOKEN, replySecret: secret, socket: join(dataDir, 'run/daemon.sock') }
  await writeFile(join(dataDir, 'run/daemon.json'), JSON.stringify({ ...state, ...rest }) + '\n')
}

/** Collects one request, whole, then answers. */
function answering(
  text: string | null,
  secret = SECRET,
  seen: (call: HookCall | null, head: string) => void = () => undefined,
) {
  return (socket: Socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('data', chunk => {
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\r\n\r\n')
      const head = bytes.toString('latin1', 0, Math.max(end, 0))
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN)
      const chunked = /transfer-encoding: chunked/i.test(head)
      if (end === -1 || chunked || bytes.length < end + 4 + length) return
      seen(parseHookBody('message_submit', bytes.subarray(end + 4)), head)
      const line = text === null ? '204 No Content' : '200 OK'
      const about = text === null ? '' : `content-length: ${Buffer.byteLength(text)}\r\n`
      socket.write(`HTTP/1.1 ${line}\r\nx-deja-reply: ${secret}\r\n${about}Connection: keep-alive\r\n\r\n${text ?? ''}`)
    })
  }
}

/** A stand-in for the command line: notes that it was asked to start a daemon, and how. */
async function fakeCli(): Promise<string> {
  const cli = join(dataDir, 'cli.cjs')
  const script = `const fs = require('node:fs')
fs.appendFileSync(${JSON.stringify(starts)}, JSON.stringify([process.argv.slice(2), process.env.DEJA_HOME, fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[3]]) + '\\n')
setTimeout(() => undefined, 300)`
  await writeFile(cli, script)
  return cli
}

async function launcher(form: ShimForm): Promise<string> {
  return writeLauncher({
    dataDir,
    cli: await fakeCli(),
    node: process.execPath,
    environment: { codewhale: ['AGENT_WORKSPACE', 'AGENT_MESSAGE'] },
    platform: process.platform,
    env: process.env,
    form,
  })
}

interface RunOptions {
  env?: Record<string, string>
  input?: Buffer | string
  open?: boolean
  args?: string[]
  reap?: boolean
}

function run(
  program: string,
  { env = {}, input = '', open = false, args = ['codewhale', 'message_submit'], reap = false }: RunOptions = {},
) {
  return new Promise<{ code: number | null; stdout: string; stderr: string; ms: number }>((resolve, reject) => {
    const started = performance.now()
    const clean = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', DEJA_NO_AUTOSTART: '1', ...env }
    const child = spawn(program, args, { env: clean, detached: true })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.stdin.on('error', () => undefined)
    child.on('error', reject)
    // As CodeWhale does: what is left of the hook's process group is killed.
    if (reap) child.on('exit', () => kill(-(child.pid ?? 0)))
    child.on('close', code => {
      child.stdin.destroy()
      resolve({ code, stdout, stderr, ms: performance.now() - started })
    })
    child.stdin.write(input)
    if (!open) child.stdin.end()
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

async function silent(program: string, options: RunOptions = {}): Promise<void> {
  const { code, stdout, stderr, ms } = await run(program, options)
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(ms).toBeLessThan(LIMIT_MS)
}

describe.each(['bash', 'curl', 'node'] as const)('the shim in %s', form => {
  test('passes stdin and the listed variables, and prints the answer, byte for byte', async () => {
    const calls: (HookCall | null)[] = []
    const heads: string[] = []
    const answer = '{"text":"é 雪 \\n"}\n\n'
    await publish(await listen(answering(answer, SECRET, (call, head) => calls.push(call) && heads.push(head))))
    const program = await launcher(form)
    const env = { AGENT_WORKSPACE: '/a b\n"c"\\$(d)雪', DEJA_RECALL: 'safe', SECRET_KEY: 'k', AGENT_MESSAGE: '' }
    const input = '{"text":"naïve — 雪\\n"}\n\ttail \n'
    const { code, stdout, stderr } = await run(program, { env, input })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: answer, stderr: '' })
    expect(calls[0]?.env).toEqual({ AGENT_WORKSPACE: env.AGENT_WORKSPACE, AGENT_MESSAGE: '', DEJA_RECALL: 'safe' })
    expect(calls[0]?.stdin.trimEnd()).toBe(input.trimEnd())
    expect(heads[0]).toContain('POST /v1/hooks/codewhale/message_submit HTTP/1.1')
    expect(heads[0]).toContain(`Authorization: Bearer ${TOKEN}`)
    expect((await stat(program)).mode & 0o777).toBe(0o700)
  })

  test('prints nothing for 204', async () => {
    await publish(await listen(answering(null)))
    await silent(await launcher(form))
  })

  test('carries a large body', async () => {
    const sizes: number[] = []
    await publish(await listen(answering('yes', SECRET, call => sizes.push(call?.stdin.trimEnd().length ?? -1))))
    const { stdout } = await run(await launcher(form), { input: 'x'.repeat(900_000) })
    expect([stdout, sizes]).toEqual(['yes', [900_000]])
  })

  test('lets stdin hold NULs', async () => {
    const seen: (string | undefined)[] = []
    await publish(await listen(answering('yes', SECRET, call => seen.push(call?.stdin.trimEnd().replaceAll('\0', '')))))
    expect((await run(await launcher(form), { input: 'a\0b\0' })).stdout).toBe('yes')
    expect(seen).toEqual(['ab'])
  })

  test('believes no reply without the secret', async () => {
    await publish(await listen(answering('run rm', '0'.repeat(64))))
    await silent(await launcher(form))
    await publish(await listen(socket => socket.once('data', () => socket.end('garbage\n'.repeat(50)))))
    await silent(await launcher(form))
  })

  test('is silent when the daemon is away, hung, resets, trickles, or speaks another protocol', async () => {
    const program = await launcher(form)
    await silent(program)
    await publish(9)
    await silent(program)
    await publish(await listen(() => undefined))
    await silent(program, { input: 'x'.repeat(1000) })
    await silent(program, { input: 'x'.repeat(900_000) })
    await publish(await listen(socket => socket.pause()))
    await silent(program, { input: 'x'.repeat(900_000) })
    await publish(await listen(socket => socket.once('data', () => socket.resetAndDestroy())))
    await silent(program)
    const trickle = (socket: Socket) => {
      const timer = setInterval(() => socket.write('H'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    await publish(await listen(trickle))
    await silent(program)
    await publish(await listen(answering('news')), { protocol: 9999 })
    await silent(program)
    await writeFile(join(dataDir, 'run/daemon.json'), '')
    await silent(program)
    await writeFile(join(dataDir, 'run/daemon.json'), '{"pid":1,"port":9,"token":"x"}')
    await silent(program)
  })

  test('is not held up by a stdin that never closes', async () => {
    await publish(await listen(answering(null)))
    const program = await launcher(form)
    await silent(program, { open: true })
    await silent(program, { open: true, input: '{"text":"x"}\n' })
  })

  test('takes no harness, event or function of the environment for a command', async () => {
    await publish(await listen(answering('yes')))
    const program = await launcher(form)
    await silent(program, { args: [] })
    await silent(program, { args: ['codewhale', 'a/../b'] })
    await silent(program, { args: ['codewhale', 'x\r\nHost: y'] })
    const hostile = {
      'BASH_FUNC_printf%%': '() { echo owned; }',
      BASH_ENV: join(dataDir, 'evil'),
      ENV: join(dataDir, 'evil'),
    }
    await writeFile(join(dataDir, 'evil'), 'echo owned\n')
    expect((await run(program, { env: hostile })).stdout).toBe('yes')
  })

  test('starts a daemon that is away, once, in a session of its own, and leaves the hook free of it', async () => {
    const program = await launcher(form)
    await rm(join(dataDir, 'run'), { recursive: true })
    const env = { DEJA_NO_AUTOSTART: '' }
    const replies = await Promise.all(Array.from({ length: 6 }, () => run(program, { env, reap: true })))
    for (const { code, stdout, stderr } of replies) {
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
    }
    await expect.poll(() => existsSync(starts), { timeout: 5000 }).toBe(true)
    await new Promise(resolve => setTimeout(resolve, 300))
    const lines = (await readFile(starts, 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(1)
    const [args, home, session] = JSON.parse(lines[0] ?? '') as [string[], string, string]
    expect([args, home]).toEqual([['daemon', 'run'], dataDir])
    expect(session).not.toBe((await readFile('/proc/self/stat', 'utf8')).split(') ')[1]?.split(' ')[3])
    expect((await stat(join(dataDir, 'run'))).mode & 0o777).toBe(0o700)
    // The claim of a start that came to nothing is good for ten seconds.
    await writeFile(join(dataDir, 'run/starting'), `${Math.floor(Date.now() / 1000) - 11}\n`)
    await run(program, { env })
    await expect.poll(async () => (await readFile(starts, 'utf8')).trim().split('\n').length, { timeout: 5000 }).toBe(2)
  })

  test('leaves no process of its own', async () => {
    await publish(await listen(answering('yes')))
    const program = await launcher(form)
    for (const options of [{ input: 'x' }, { open: true }]) await run(program, options)
    await new Promise(resolve => setTimeout(resolve, 50))
    const left: string[] = []
    for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (line.includes(program)) left.push(line)
    }
    expect(left).toEqual([])
  })
})

test('the launcher is written in the fastest form that the machine has', async () => {
  const program = await writeLauncher({
    dataDir,
    cli: '/cli',
    node: process.execPath,
    environment: {},
    platform: 'linux',
    env: { PATH: process.env.PATH },
  })
  expect(await readFile(program, 'utf8')).toMatch(/^#!\S+\/(bash -p|sh)\n/)
  await chmod(program, 0o700)
  const windows = await writeLauncher({
    dataDir,
    cli: 'C:\\cli',
    node: 'C:\\node.exe',
    environment: {},
    platform: 'win32',
    env: {},
  })
  expect(windows).toMatch(/deja-hook\.cmd$/)
})

test.each(['bash', 'curl'] as const)('the shim in %s starts a daemon where there is no setsid (macOS)', async form => {
  const program = await launcher(form)
  const text = await readFile(program, 'utf8')
  // There sh is a bash as well.
  const bash = text.replace(/^#!\/\S*\/sh\n/, '#!/bin/bash --posix\n').replace(/^setsid='.*'$/m, "setsid=''")
  await writeFile(program, bash)
  const reply = await run(program, { env: { DEJA_NO_AUTOSTART: '' }, reap: true })
  expect([reply.code, reply.stdout, reply.stderr]).toEqual([0, '', ''])
  await expect.poll(() => existsSync(starts), { timeout: 5000 }).toBe(true)
  const [args] = JSON.parse((await readFile(starts, 'utf8')).trim()) as [string[]]
  expect(args).toEqual(['daemon', 'start'])
})
