import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CliContext } from '../../src/cli/context.ts'
import { runProgram } from '../../src/cli/program.ts'

/** What a command line gives where no daemon runs and none may be started. */
let dataDir: string
beforeAll(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'deja-cli-')), 'deja')
})
afterAll(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }))

async function deja(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const context: CliContext = {
    env: { HOME: join(dataDir, '..'), DEJA_HOME: dataDir, DEJA_NO_AUTOSTART: '1' },
    platform: 'linux',
    stdin: Readable.from([]),
    cwd: join(dataDir, '..'),
    dataDir,
    cli: '/nowhere/deja.js',
    now: () => new Date(),
    out: text => (out += text),
    err: text => (err += text),
    terminal: { interactive: false, colour: false, width: 80 },
  }
  return { code: await runProgram(args, context), out, err }
}

const names = (help: string): string[] =>
  (/\nCommands:\n([\s\S]*)/.exec(help)?.[1] ?? '').split('\n').flatMap(line => /^ {2}([a-z]+)/.exec(line)?.[1] ?? [])

describe('help', () => {
  it('`help CMD` and `CMD --help` say the same for every command, within 80 columns', async () => {
    const commands = names((await deja('--help')).out).filter(name => name !== 'help')
    expect(commands.length).toBeGreaterThan(20)
    for (const command of commands) {
      const asked = await deja('help', command)
      expect([command, asked.code]).toEqual([command, 0])
      expect(asked.out).toMatch(new RegExp(`^Usage: deja ${command}`))
      expect((await deja(command, '--help')).out).toBe(asked.out)
      expect((await deja(command, '-h')).out).toBe(asked.out)
      const [usage = ''] = asked.out.split('\nOptions:')
      for (const line of usage.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    }
  })

  it('a hook’s too, though its door is another', () => {
    const cli = fileURLToPath(new URL('../../dist/deja.js', import.meta.url))
    const said = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' }).stdout
    expect(said('hook', '--help')).toMatch(/^Usage: deja hook/)
    expect(said('hook', '--help')).toBe(said('help', 'hook'))
  })

  it('the daemon’s own commands have theirs', async () => {
    const { out } = await deja('daemon', '--help')
    for (const action of names(out).filter(name => name !== 'help'))
      expect([action, (await deja('daemon', action, '--help')).code]).toEqual([action, 0])
  })

  it('without words and without a terminal there is the help; a version there is too', async () => {
    expect((await deja()).out).toBe((await deja('--help')).out)
    expect(await deja('--version')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown,
    })
  })
})

describe('exit code 2, and what was meant', () => {
  it.each([
    [['search', 'tide', '--limt', '3'], /--limit/],
    [['tide', '--limt', '3'], /--limit/],
    [['show', 'x', '--jsn'], /--json/],
    [['usage', '--sinc', 'yesterday'], /--since/],
    [['forget', '--dryrun'], /--dry-run/],
    [['daemon', 'strat'], /start/],
    [['install', 'codewhal'], /codewhale/],
    [['uninstall', 'code-buddy'], /codebuddy/],
  ])('%j', async (args, meant) => {
    const { code, out, err } = await deja(...args)
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(meant)])
  })

  it.each([
    [['search'], /words/],
    [['show'], /id/],
    [['last', 'many'], /whole number/],
    [['last', '0'], /whole number/],
    [['search', 'x', '--limit', '1.5'], /whole number/],
    [['search', 'x', '--role', 'nobody'], /user, assistant, tool/],
    [['usage', '--by', 'mood'], /day, project, model, harness, tool, session/],
    [['install'], /codewhale-auto/],
    [['forget'], /--project|--before/],
    [['forget', 'x', '--project', '.'], /which/],
    [['delete'], /--project/],
    [['fix', ' '], /no error/],
  ])('%j says what is missing or wrong', async (args, said) => {
    const { code, out, err } = await deja(...args)
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(said)])
  })
})

describe('where no daemon answers', () => {
  it('status says so on stdout and ends with 3', async () => {
    expect(await deja('status')).toMatchObject({ code: 3, out: expect.stringMatching(/stopped/) as unknown })
    const { out } = await deja('status', '--json')
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: 1, state: 'stopped' })
    expect(await deja('daemon', 'status')).toEqual(await deja('status'))
  })

  it.each([
    ['search', 'x'],
    ['show', 'x'],
    ['last'],
    ['usage'],
    ['log'],
    ['deleted'],
    ['how', 'npm'],
    ['some', 'words'],
  ])('%s … ends with 1, a reason on stderr and nothing on stdout', async (...args) => {
    const { code, out, err } = await deja(...args)
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^deja: .+\n/)])
  })

  it('a status bar gets nothing, and no error', async () => {
    expect(await deja('statusline')).toEqual({ code: 0, out: '', err: '' })
  })
})
