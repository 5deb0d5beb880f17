import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homesOf, recordHomes } from '../../src/settings/homes.ts'
import { unifiedDiff } from '../../src/wiring/diff.ts'
import { hookEvent, isOurServer, isOurStatusline } from '../../src/wiring/ours.ts'
import { wiringState } from '../../src/wiring/standing.ts'
import { switchedOff } from '../../src/wiring/switches.ts'
import { harnesses, Home } from './home.ts'

describe('our own entries are recognised, and nobody else’s', () => {
  test.each([
    ['deja hook codewhale message_submit', 'message_submit'],
    ["'/home/x y/.local/share/deja/bin/deja-hook' codewhale session_end", 'session_end'],
    ['"C:\\Users\\x\\deja\\bin\\deja-hook.cmd" codewhale session_end', 'session_end'],
    ["'/usr/bin/node' '/opt/deja-recall/dist/deja.js' hook codewhale tool_call_before", 'tool_call_before'],
    ['deja hook commandcode PreToolUse', null],
    ['mydeja hook codewhale message_submit', null],
    ['echo deja', null],
    ['deja-vu hook codewhale message_submit', null],
  ])('hook: %s', (command, event) => {
    expect(hookEvent(command, 'codewhale')).toBe(event)
  })

  test.each([
    [{ command: 'deja', args: ['mcp'] }, true],
    [{ command: '/usr/bin/node', args: ['/opt/dist/deja.js', 'mcp'] }, true],
    [{ command: 'npx', args: ['-y', 'deja-recall', 'mcp'] }, true],
    [{ command: 'deja mcp' }, true],
    [{ command: 'docker', args: ['run', 'deja-server'] }, false],
    [{ command: 'deja-vu', args: ['mcp'] }, false],
    [{ url: 'http://x/deja/mcp' }, false],
  ])('server: %j', (server, ours) => {
    expect(isOurServer(server)).toBe(ours)
  })

  test('status line', () => {
    expect(isOurStatusline("'/usr/bin/node' '/opt/deja.js' statusline")).toBe(true)
    expect(isOurStatusline('deja statusline')).toBe(true)
    expect(isOurStatusline('my-statusline')).toBe(false)
  })
})

/** What a diff makes of a text: each hunk replaces the lines that it names, which must be there. */
function patched(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const result: string[] = []
  let at = 0
  for (const hunk of diff.split(/^(?=@@)/m).slice(1)) {
    const [head = '', ...body] = hunk.match(/[^\n]*\n/g) ?? []
    const [from = 0, count = 0] = (/-(\d+),(\d+)/.exec(head) ?? []).slice(1).map(Number)
    const start = count === 0 ? from : from - 1
    const whole = body.flatMap((line, n) => {
      if (line.startsWith('\\')) return []
      return [body[n + 1]?.startsWith('\\') === true ? line.slice(0, -1) : line]
    })
    const side = (sign: string): string[] =>
      whole.filter(line => ` ${sign}`.includes(line.charAt(0))).map(line => line.slice(1))
    expect(lines.slice(start, start + count)).toEqual(side('-'))
    result.push(...lines.slice(at, start), ...side('+'))
    at = start + count
  }
  return [...result, ...lines.slice(at)].join('')
}

describe('the diff', () => {
  test('leads from one text to the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { maxLength: 25 }).map(lines => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patched(before, unifiedDiff('x', before, after))).toBe(after)
      }),
      { numRuns: 300 },
    )
  })

  test('names what comes and goes', () => {
    expect(unifiedDiff('x', null, 'a\n')).toBe('--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a\n')
    expect(unifiedDiff('x', 'a', null)).toBe(
      '--- x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file\n',
    )
  })
})

describe('homes', () => {
  let home: Home
  beforeEach(() => {
    home = new Home()
  })
  afterEach(() => {
    home.close()
  })

  test('those of an install are looked at besides those of now, also where a variable was unset then', () => {
    recordHomes(home.path, { HOME: '/a', X_HOME: '/x' }, ['HOME', 'X_HOME'])
    recordHomes(home.path, { HOME: '/a' }, ['HOME', 'X_HOME'])
    recordHomes(home.path, { HOME: '/a', X_HOME: '/x' }, ['HOME', 'X_HOME'])
    const now = { HOME: '/b', X_HOME: '/y', PATH: '/bin' }
    expect(homesOf(home.path, now)).toEqual([
      now,
      { HOME: '/a', X_HOME: '/x', PATH: '/bin' },
      { HOME: '/a', X_HOME: undefined, PATH: '/bin' },
    ])
    expect(statSync(join(home.path, 'homes.json')).mode & 0o777).toBe(0o600)
  })

  test('a broken record is none', () => {
    writeFileSync(join(home.path, 'homes.json'), '{')
    expect(homesOf(home.path, {})).toEqual([{}])
  })

  test('switches of the person are told', () => {
    const { codewhale, commandcode, codebuddy } = harnesses
    if (!codewhale || !commandcode || !codebuddy) throw new Error('not there')
    home.write('.codewhale/config.toml', '[hooks]\nenabled = false\n')
    home.write('.commandcode/settings.json', '{"mods": {"disabled": ["deja"]}}')
    home.write('.codebuddy/settings.json', '{"disableAllHooks": false}')
    expect(switchedOff(codewhale, home.context()).join()).toContain('enabled = false')
    expect(switchedOff(commandcode, home.context()).join()).toContain('mods.disabled')
    expect(switchedOff(codebuddy, home.context())).toEqual([])
  })

  test('how a wiring stands', async () => {
    const { codewhale } = harnesses
    if (!codewhale) throw new Error('not there')
    const standings = (): string[] => wiringState(codewhale, home.context()).map(each => each.standing)
    expect(standings()).toEqual(['absent', 'absent', 'absent', 'absent', 'absent'])
    await home.install('codewhale')
    expect(standings()).toEqual(['wired', 'wired', 'wired', 'wired', 'absent'])
    await home.install('codewhale-auto')
    home.bin = '/moved'
    expect(standings()).toEqual(['old', 'wired', 'wired', 'wired', 'old'])
    home.write('.codewhale/config.toml', '[broken')
    expect(standings()).toEqual(['old', 'broken', 'wired', 'wired', 'broken'])
  })
})
