import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parse, stringify } from 'smol-toml'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CliContext } from '../../src/cli/context.ts'
import { runProgram } from '../../src/cli/program.ts'
import { harnesses } from '../../src/harness/registry.ts'
import { loadSettings, settingsSchema } from '../../src/settings/settings.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** A section's text, down to the next heading of its level or above. */
function section(heading: string, level = 2): string {
  const start = readme.indexOf(`\n${'#'.repeat(level)} ${heading}\n`)
  if (start === -1) throw new Error(`the README has no "${heading}"`)
  const rest = readme.slice(start + level + heading.length + 3)
  const end = new RegExp(`^#{1,${level}} `, 'm').exec(rest)?.index
  return rest.slice(0, end)
}

async function help(...args: string[]): Promise<string> {
  let out = ''
  const nowhere = '/nowhere'
  const context: CliContext = {
    env: { DEJA_NO_AUTOSTART: '1' },
    platform: 'linux',
    stdin: Readable.from([]),
    cwd: nowhere,
    dataDir: nowhere,
    cli: nowhere,
    now: () => new Date(),
    out: text => (out += text),
    err: () => undefined,
    terminal: { interactive: false, colour: false, width: 200 },
  }
  expect([args, await runProgram([...args, '--help'], context)]).toEqual([args, 0])
  return out
}

const commandsIn = (text: string): string[] =>
  (/\nCommands:\n([\s\S]*)/.exec(text)?.[1] ?? '')
    .split('\n')
    .flatMap(line => /^ {2}([a-z]+)/.exec(line)?.[1] ?? [])
    .filter(name => name !== 'help')

const optionsIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].flatMap(([, name = '']) => (name === '--help' ? [] : name))

/** Headings of the commands' sections by the command's name: `deja show <id>` is `show`. */
const headings = new Map(
  [...readme.matchAll(/^### `deja ([a-z]+)([^`]*)`$/gm)].map(([line, name = '', words = '']) => [
    name,
    { heading: line.slice(4), words: words.trim() },
  ]),
)

describe('the README and the program', () => {
  let commands: string[]
  beforeAll(async () => {
    commands = commandsIn(await help())
  })

  it('have the same commands', () => {
    expect([...headings.keys()].sort()).toEqual([...commands].sort())
  })

  it('have the same arguments and options for each', async () => {
    for (const [name, { heading, words }] of headings) {
      const text = await help(name)
      const own = section(heading, 3)
      const usage = /^Usage: deja \S+(?: \[options\])?(.*)$/m.exec(text)?.[1]?.trim() ?? ''
      // help writes an argument's dots in three characters, people in one
      const argument = words.replace('…', '...')
      if (name !== 'daemon') expect([name, argument]).toEqual([name, usage])
      const described = new Set(
        [...own.matchAll(/^\| (`--.*?) +\|/gm)].flatMap(([, cell = '']) => cell.match(/--[a-z-]+/g) ?? []),
      )
      expect([name, [...described].sort()]).toEqual([name, optionsIn(text).sort()])
    }
  })

  it('have the same actions of the daemon', async () => {
    const own = section(headings.get('daemon')?.heading ?? '', 3)
    for (const action of commandsIn(await help('daemon'))) expect(own).toContain(`\`${action}\``)
  })

  it('name the same choices and defaults of options', async () => {
    for (const [name, { heading }] of headings) {
      const own = section(heading, 3)
      const text = await help(name)
      for (const [, option = '', list = ''] of text.matchAll(/^ {2}(--[a-z]+) .*\(choices: ([^)]*)\)/gm))
        for (const choice of list.split(', default:')[0]?.match(/\w+/g) ?? [])
          expect([name, option, own.includes(`\`${choice}\``)]).toEqual([name, option, true])
      for (const [, option = '', value = ''] of text.matchAll(/^ {2}(--[a-z]+) .*\(default: (\d+)\)/gm)) {
        const row = own.split('\n').find(line => line.startsWith(`| \`${option} `))
        expect([name, option, row]).toEqual([name, option, expect.stringContaining(`(${value})`)])
      }
    }
  })

  it('name every agent, in the matrix and among the targets', () => {
    const matrix = section('What works where')
    for (const { id, name } of harnesses) {
      expect(matrix).toContain(name)
      expect(section(headings.get('install')?.heading ?? '', 3)).toContain(`\`${id}\``)
    }
  })
})

describe('the settings in the README', () => {
  const rows = [...section('Settings').matchAll(/^\| `([a-z_.]+)` +\| (\S+) +\|/gm)].map(
    ([, key = '', value = '']) => ({
      key,
      value: value.replaceAll('`', ''),
    }),
  )

  /** The table within a default's wrapper; null for a plain value. */
  function innermost(value: unknown): { shape: Record<string, unknown> } | null {
    let inner = value
    while (typeof inner === 'object' && inner !== null && 'unwrap' in inner && typeof inner.unwrap === 'function')
      inner = (inner.unwrap as () => unknown)()
    return typeof inner === 'object' && inner !== null && 'shape' in inner
      ? { shape: inner.shape as Record<string, unknown> }
      : null
  }

  /** What a config.toml with this text gives. */
  function settingsOf(text: string): unknown {
    const directory = mkdtempSync(join(tmpdir(), 'deja-docs-'))
    try {
      writeFileSync(join(directory, 'config.toml'), text)
      return loadSettings(directory)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  it('are accepted one by one, and their defaults are those that hold', () => {
    expect(rows.length).toBeGreaterThan(10)
    for (const { key, value } of rows) {
      const config = value === 'none' ? '' : `${key} = ${value}\n`
      expect([key, settingsOf(config)]).toEqual([key, settingsOf('')])
    }
  })

  it('are all there are', () => {
    const keysOf = (schema: { shape: Record<string, unknown> }, table = ''): string[] =>
      Object.entries(schema.shape).flatMap(([key, value]) => {
        const inner = innermost(value)
        return inner === null ? [`${table}${key}`] : keysOf(inner, `${table}${key}.`)
      })
    expect(rows.map(({ key }) => key).sort()).toEqual(keysOf(settingsSchema).sort())
  })

  it('include the example', () => {
    const example = /```toml\n([\s\S]*?)```/.exec(section('Settings'))?.[1] ?? ''
    expect(settingsOf(stringify(parse(example)))).not.toEqual(settingsOf(''))
  })
})

it('the README’s links lead somewhere', () => {
  const anchors = new Set(
    [...readme.matchAll(/^#{1,3} (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
  for (const [, target = ''] of readme.matchAll(/\]\(([^)]+)\)/g)) {
    if (target.startsWith('#')) expect(anchors).toContain(target.slice(1))
    else expect(readFileSync(new URL(`../../${target}`, import.meta.url), 'utf8')).not.toBe('')
  }
})
