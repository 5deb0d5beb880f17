import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { harnesses, Home } from './home.ts'

let home: Home
beforeEach(() => {
  home = new Home()
})
afterEach(() => {
  home.close()
})

const all = Object.keys(harnesses)

const config =
  '# my own notes stay\nmodel = "deepseek-v4-pro" # inline note\n\n[tools]\nalways_load = [\n  "mcp_docs_search", # keep\n]\n\n[hooks]\nenabled = true\n\n[[hooks.hooks]]\nevent = "turn_end"\ncommand = "notify-send done"\n# the end\n'

interface Hooks {
  hooks: { hooks: { event: string; command: string; timeout_secs: number }[] }
  tools: { always_load: string[] }
}

describe('every harness', () => {
  for (const id of all) {
    test(`${id}: into an empty home and out again, directories included`, async () => {
      mkdirSync(join(home.path, 'elsewhere'))
      const before = home.tree()
      await home.install(`${id}-auto`)
      const once = home.tree()
      expect(Object.keys(once).length).toBeGreaterThan(Object.keys(before).length)
      expect((await home.install(`${id}-auto`)).changes).toEqual([])
      expect(home.tree()).toEqual(once)
      await home.uninstall(id)
      expect(home.tree()).toEqual(before)
      expect(existsSync(join(home.path, 'data/wiring.json'))).toBe(false)
      expect((await home.uninstall(id)).changes).toEqual([])
    })

    test(`${id}: uninstall of the hooks leaves the surfaces`, async () => {
      await home.install(id)
      const surfaces = home.tree()
      await home.install(`${id}-auto`)
      expect(home.tree()).not.toEqual(surfaces)
      await home.uninstall(`${id}-auto`)
      expect(home.tree()).toEqual(surfaces)
    })

    test(`${id}: a dry run writes nothing, and says what would be written`, async () => {
      const report = await home.run('install', [`${id}-auto`], { dryRun: true })
      expect(report.changes.length).toBeGreaterThan(3)
      expect(home.tree()).toEqual({})
      expect(existsSync(join(home.path, 'data'))).toBe(false)
    })

    test(`${id}: a moved program is brought up to date, and a lost record still takes all of it out`, async () => {
      await home.install(`${id}-auto`)
      home.bin = '/new place/deja'
      await home.install(`${id}-auto`)
      expect(JSON.stringify(home.tree())).not.toContain('/opt/deja')
      rmSync(join(home.path, 'data'), { recursive: true })
      await home.uninstall(id)
      expect(JSON.stringify(home.tree())).not.toContain('deja')
    })
  }

  test('all at once', async () => {
    home.write('.codewhale/config.toml', config)
    const before = home.tree()
    await home.install(...all.map(id => `${id}-auto`))
    await home.uninstall(...all)
    expect(home.tree()).toEqual(before)
  })
})

describe('codewhale', () => {
  test('keeps what is there, to the byte and the mode', async () => {
    home.write('.codewhale/config.toml', config, 0o640)
    home.write(
      '.codewhale/mcp.json',
      '{\n    "servers": {"docs": {"command": "docs-mcp"}},\n    "timeouts": {"connect_timeout": 10}\n}\n',
    )
    const before = home.tree()
    await home.install('codewhale-auto')
    const { hooks, tools } = parse(home.text('.codewhale/config.toml')) as unknown as Hooks
    expect(tools.always_load).toEqual(['mcp_docs_search', 'mcp_deja_deja'])
    expect(hooks.hooks.map(hook => hook.event)).toEqual([
      'turn_end',
      'message_submit',
      'tool_call_before',
      'tool_call_after',
      'session_end',
    ])
    expect(home.json('.codewhale/mcp.json').servers).toEqual({
      docs: { command: 'docs-mcp' },
      deja: {
        command: '/opt/deja/node',
        args: ['/opt/deja/deja.js', 'mcp'],
        env: { DEJA_HOME: join(home.path, 'data') },
      },
    })
    expect(statSync(join(home.path, '.codewhale/config.toml')).mode & 0o777).toBe(0o640)
    expect(home.text('.codewhale/commands/deja.md')).not.toMatch(/^description/m)
    await home.uninstall('codewhale')
    expect(home.tree()).toEqual(before)
  })

  test('an older wiring gives way to one line an event', async () => {
    const older = ['message_submit', 'tool_call_before', 'tool_call_after', 'session_end'].map(
      event =>
        `[[hooks.hooks]]\nname = "x"\nevent = "${event}"\ncommand = "deja hook codewhale ${event}"\ntimeout_secs = 2\n`,
    )
    home.write(
      '.codewhale/config.toml',
      `[tools]\nalways_load = ["mcp_deja_deja"]\n\n[hooks]\nenabled = true\n\n${older.join('\n')}`,
    )
    home.write(
      '.codewhale/mcp.json',
      '{"servers": {"deja": {"command": "/usr/local/bin/deja", "args": ["mcp"], "env": {"X": "1"}, "execute_timeout": 9, "enabled": true}}}',
    )
    await home.install('codewhale-auto')
    const { hooks, tools } = parse(home.text('.codewhale/config.toml')) as unknown as Hooks
    expect(hooks.hooks.map(hook => hook.command)).toEqual(
      ['message_submit', 'tool_call_before', 'tool_call_after', 'session_end'].map(
        event => `'/opt/deja/deja-hook' codewhale ${event}`,
      ),
    )
    expect(tools.always_load).toEqual(['mcp_deja_deja'])
    const { deja } = home.json('.codewhale/mcp.json').servers as Record<string, Record<string, unknown>>
    expect(deja).toMatchObject({
      command: '/opt/deja/node',
      env: { X: '1', DEJA_HOME: join(home.path, 'data') },
      execute_timeout: 9,
    })
  })

  test("CodeWhale 0.8's own files are edited while they alone are there, and both are cleared afterwards", async () => {
    home.write('.deepseek/config.toml', config)
    home.write('.deepseek/mcp.json', '{"servers": {"docs": {"command": "docs"}}}\n')
    await home.install('codewhale-auto')
    expect(existsSync(join(home.path, '.codewhale/config.toml'))).toBe(false)
    expect(existsSync(join(home.path, '.codewhale/mcp.json'))).toBe(false)
    expect(home.text('.deepseek/config.toml')).toContain('message_submit')
    expect(home.json('.deepseek/mcp.json').servers).toHaveProperty('deja')
    // The client's move copies it, with our part in it.
    home.write('.codewhale/config.toml', home.text('.deepseek/config.toml'))
    expect((await home.install('codewhale-auto')).changes).toEqual([])
    await home.uninstall('codewhale')
    expect(home.text('.deepseek/config.toml')).toBe(config)
    expect(home.text('.codewhale/config.toml')).toBe(config)
    expect(home.json('.deepseek/mcp.json')).toEqual({ servers: { docs: { command: 'docs' } } })
  })

  test('honours the variables that move its files; commands and skills stay below HOME', async () => {
    home.close()
    home = new Home({ CODEWHALE_HOME: '~/cw', CODEWHALE_MCP_CONFIG: '$HOME/etc/servers.json' })
    await home.install('codewhale')
    expect(
      Object.keys(home.tree()).filter(path => /\.\w+$/.test(path) && !home.tree()[path]?.startsWith('dir')),
    ).toEqual([
      '.agents/skills/deja-history/SKILL.md',
      '.codewhale/commands/deja.md',
      'cw/config.toml',
      'etc/servers.json',
    ])
    // Taken out from where it was put, wherever the variables point now.
    const moved = new Home()
    Object.assign(moved, { path: home.path, env: { HOME: home.path } })
    await moved.uninstall('codewhale')
    expect(home.tree()).toEqual({})
  })

  test('a server that was switched off stays off', async () => {
    const off = '{"servers": {"deja": {"command": "deja", "args": ["mcp"], "disabled": true}}}'
    home.write('.codewhale/mcp.json', off)
    const { notes } = await home.install('codewhale')
    expect(home.text('.codewhale/mcp.json')).toBe(off)
    expect(notes.join()).toContain('stays switched off')
  })
})

describe('commandcode', () => {
  const settings = '.commandcode/settings.json'
  type Groups = Record<string, { matcher?: string; hooks: { command: string; timeout: number }[] }[]>

  test('anchored matchers on display names, none on SessionStart; the mod knows the data directory', async () => {
    const own =
      '{\n  "theme": "dark",\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "notify-send done", "timeout": 5 }] }]\n  }\n}\n'
    home.write(settings, own)
    await home.install('commandcode-auto')
    const hooks = home.json(settings).hooks as Groups
    expect(Object.keys(hooks)).toEqual(['Stop', 'SessionStart', 'PreToolUse', 'PostToolUse'])
    expect(hooks.SessionStart?.[0]?.matcher).toBeUndefined()
    const fires = (name: string): boolean => new RegExp(hooks.PreToolUse?.[0]?.matcher ?? '', 'i').test(name)
    expect(['SHELL', 'POWERSHELL', 'MONITOR', 'EDIT', 'WRITE'].every(fires)).toBe(true)
    expect(['KILL_SHELL', 'SHELL_OUTPUT', 'READ_MULTI'].some(fires)).toBe(false)
    expect(home.text('.commandcode/mods/deja.ts')).toContain(JSON.stringify(join(home.path, 'data')))
    expect(home.text('.commandcode/commands/deja.md')).not.toMatch(/^---/)
    await home.uninstall('commandcode')
    expect(home.text(settings)).toBe(own)
  })

  test('a line of ours that a person put into a group of theirs is brought up to date there, a time-out that disables it is mended', async () => {
    const group = (matcher: string, hooks: unknown[]): unknown => ({ matcher, hooks })
    const theirs = { type: 'command', command: 'lint' }
    const ours = (timeout: number): unknown => ({
      type: 'command',
      command: 'deja hook commandcode PreToolUse',
      timeout,
    })
    home.write(
      settings,
      JSON.stringify({
        hooks: {
          PreToolUse: [group('SHELL', [theirs, ours(5000)]), group('^WRITE$', [ours(5000)])],
          Notification: [{ hooks: [{ type: 'command', command: 'deja hook commandcode Notification' }] }],
        },
      }),
    )
    await home.install('commandcode-auto')
    const hooks = home.json(settings).hooks as Groups
    expect(hooks.PreToolUse?.map(each => each.hooks.map(hook => hook.command))).toEqual([
      ['lint'],
      ["'/opt/deja/deja-hook' commandcode PreToolUse"],
    ])
    expect(hooks.PreToolUse?.[1]).toMatchObject({
      matcher: '^(SHELL|POWERSHELL|MONITOR|EDIT|WRITE)$',
      hooks: [{ timeout: 5 }],
    })
    expect(hooks.Notification).toBeUndefined()
  })

  test('a hook that was switched off stays off', async () => {
    home.write(
      settings,
      '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "deja hook commandcode SessionStart", "enabled": false}]}]}}',
    )
    const { notes } = await home.install('commandcode-auto')
    expect((home.json(settings).hooks as Groups).SessionStart).toEqual([
      { hooks: [{ type: 'command', command: 'deja hook commandcode SessionStart', enabled: false }] },
    ])
    expect(notes.join()).toContain('SessionStart stays switched off')
  })

  test("a person's own /deja command is refused, an edited one of ours stays", async () => {
    home.write('.commandcode/commands/deja.md', 'my own')
    const report = await home.run('install', ['commandcode'])
    expect(report.refusals[0]?.message).toContain('commands/deja.md')
    rmSync(join(home.path, '.commandcode'), { recursive: true })
    await home.install('commandcode')
    const edited = home.text('.commandcode/commands/deja.md').replace('Find out', 'Kindly find out')
    home.write('.commandcode/commands/deja.md', edited)
    await home.install('commandcode')
    expect(home.text('.commandcode/commands/deja.md')).toBe(edited)
    await home.uninstall('commandcode')
    expect(Object.keys(home.tree())).toEqual(['.commandcode', '.commandcode/commands', '.commandcode/commands/deja.md'])
  })
})

describe('codebuddy and workbuddy', () => {
  test('comments stay, the first MCP file that exists is taken, no other is made', async () => {
    const own =
      '{\n  // mine\n  "model": "x",\n  "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "true" } ] } ] }\n}\n'
    home.write('.codebuddy/settings.json', own)
    home.write('.codebuddy/mcp.json', '{ "mcpServers": { "docs": { "command": "docs-mcp" } } }\n')
    const before = home.tree()
    await home.install('codebuddy-auto')
    expect(home.text('.codebuddy/settings.json')).toContain('// mine')
    expect(Object.keys(home.json('.codebuddy/mcp.json').mcpServers as object)).toEqual(['docs', 'deja'])
    expect(existsSync(join(home.path, '.codebuddy/.mcp.json'))).toBe(false)
    // Another file that comes first now: the one that was written is still cleared.
    home.write('.codebuddy/.mcp.json', '{}')
    await home.uninstall('codebuddy')
    rmSync(join(home.path, '.codebuddy/.mcp.json'))
    expect(home.tree()).toEqual(before)
  })

  test("a person's own status line stays", async () => {
    const own = '{"statusLine": {"type": "command", "command": "my-line"}}'
    home.write('.codebuddy/settings.json', own)
    const { notes } = await home.install('codebuddy')
    expect(home.text('.codebuddy/settings.json')).toBe(own)
    expect(notes.join()).toContain('your own status line stays')
  })

  test('WorkBuddy is wired in each of its homes that is there', async () => {
    home.write('.workbuddy/settings.json', '{}')
    home.write('.workbuddy-ai/settings.json', '{}')
    await home.install('workbuddy-auto')
    for (const name of ['.workbuddy', '.workbuddy-ai']) {
      expect(home.text(`${name}/settings.json`)).toContain("deja-hook' workbuddy SessionStart")
      expect(home.json(`${name}/mcp.json`)).toHaveProperty('mcpServers.deja')
    }
    await home.uninstall('workbuddy')
    expect(home.tree()['.workbuddy-ai/settings.json']).toBe('644 {}')
  })
})

describe('nothing at all is written when', () => {
  const refuses = async (message: RegExp): Promise<void> => {
    const before = home.tree()
    let wrote = false
    const beforeWriting = (): Promise<void> => {
      wrote = true
      return Promise.resolve()
    }
    const { refusals } = await home.run(
      'install',
      all.map(id => `${id}-auto`),
      { beforeWriting },
    )
    expect(refusals.map(each => each.message).join('\n')).toMatch(message)
    expect(home.tree()).toEqual(before)
    expect([wrote, existsSync(join(home.path, 'data'))]).toEqual([false, false])
  }
  test('a TOML file is broken', async () => {
    home.write('.codewhale/config.toml', 'model = "x"\n[tools\nalways_load = []\n')
    await refuses(/config\.toml:2:\d+: not valid TOML/)
  })
  test('a JSON file is broken, and each broken one is named', async () => {
    home.write('.commandcode/mcp.json', '{\n  "mcpServers": {,}\n}')
    home.write('.commandcode/settings.json', '{\n  // no comments here\n}')
    await refuses(/mcp\.json:2:18[\s\S]*settings\.json:2:3/)
  })
  test('a key stands twice', async () => {
    home.write('.commandcode/settings.json', '{"hooks": {},\n "hooks": {}}')
    await refuses(/settings\.json:2:2: the key "hooks" stands twice/)
  })
  test('two names of one table stand side by side', async () => {
    home.write('.codewhale/mcp.json', '{"servers": {}, "mcpServers": {}}')
    await refuses(/mcp\.json:1:17: both "servers" and "mcpServers"/)
  })
  test("another's server has our name", async () => {
    home.write('.codewhale/mcp.json', '{"servers": {"deja": {"command": "docker"}}}')
    await refuses(/mcp\.json:1:14: a server named "deja"/)
  })
  test('a value of another kind stands in the way', async () => {
    home.write('.commandcode/settings.json', '{"hooks": []}')
    await refuses(/settings\.json:1:11: an object was expected/)
  })
  test('a file is a directory', async () => {
    mkdirSync(join(home.path, '.codewhale/config.toml'), { recursive: true })
    await refuses(/config\.toml: not a regular file/)
  })
  test.skipIf(process.getuid?.() === 0)('a file is read-only (root may write it all the same)', async () => {
    home.write('.codewhale/config.toml', '')
    chmodSync(join(home.path, '.codewhale/config.toml'), 0o444)
    await refuses(/config\.toml isn't writable/)
  })
  test('a file is too large', async () => {
    home.write('.codewhale/config.toml', '#'.repeat(9 * 1024 * 1024))
    await refuses(/config\.toml: \d+ bytes are too many/)
  })
  test('a file is no UTF-8', async () => {
    mkdirSync(join(home.path, '.codewhale'))
    writeFileSync(join(home.path, '.codewhale/config.toml'), Buffer.from([0x61, 0xff]))
    const { refusals } = await home.run('install', ['codewhale'])
    expect(refusals[0]?.message).toMatch(/config\.toml: not UTF-8/)
  })
  test('a link leads nowhere', async () => {
    mkdirSync(join(home.path, '.codewhale'))
    symlinkSync('nowhere', join(home.path, '.codewhale/config.toml'))
    await refuses(/config\.toml: a symbolic link that leads nowhere/)
  })
})

describe('files', () => {
  test('a link stays a link: its target is edited', async () => {
    home.write('dotfiles/config.toml', config)
    mkdirSync(join(home.path, '.codewhale'))
    symlinkSync('../dotfiles/config.toml', join(home.path, '.codewhale/config.toml'))
    const before = home.tree()
    await home.install('codewhale-auto')
    expect(lstatSync(join(home.path, '.codewhale/config.toml')).isSymbolicLink()).toBe(true)
    expect(home.text('dotfiles/config.toml')).toContain('deja-hook')
    await home.uninstall('codewhale')
    expect(home.tree()).toEqual(before)
  })

  test('a byte order mark stays', async () => {
    home.write('.codewhale/config.toml', `\uFEFF${config.replaceAll('\n', '\r\n')}`)
    home.write('.codebuddy/settings.json', '\uFEFF{}')
    const before = home.tree()
    await home.install('codewhale-auto', 'codebuddy-auto')
    expect(home.text('.codewhale/config.toml').startsWith('\uFEFF# my own')).toBe(true)
    expect(home.text('.codewhale/config.toml')).not.toMatch(/[^\r]\n/)
    await home.uninstall('codewhale', 'codebuddy')
    expect(home.tree()).toEqual(before)
  })

  test('what the agent saved between planning and writing survives', async () => {
    home.write('.commandcode/settings.json', '{"a": 1}')
    const path = join(home.path, '.commandcode/settings.json')
    await home.run('install', ['commandcode-auto'], {
      beforeWriting: () => {
        writeFileSync(path, '{"a": 1, "saved": "meanwhile"}')
        return Promise.resolve()
      },
    })
    expect(home.json('.commandcode/settings.json')).toMatchObject({ saved: 'meanwhile', hooks: { SessionStart: [{}] } })
    await home.uninstall('commandcode')
    expect(readFileSync(path, 'utf8')).toBe('{"a": 1, "saved": "meanwhile"}')
  })

  test('when a later write fails, what was written is given back', async () => {
    home.write('.commandcode/settings.json', '{"a": 1}')
    home.write('.commandcode/mcp.json', '{"mcpServers": {}}')
    const before = home.tree()
    const run = home.run('install', ['commandcode-auto'], {
      beforeWriting: () => {
        // The agent broke its own file meanwhile.
        writeFileSync(join(home.path, '.commandcode/settings.json'), '{"a": ')
        return Promise.resolve()
      },
    })
    await expect(run).rejects.toThrow(/settings\.json:1:\d+/)
    expect(home.tree()).toEqual({ ...before, '.commandcode/settings.json': '644 {"a": ' })
    expect(existsSync(join(home.path, 'data/wiring.json'))).toBe(false)
  })

  test("a killed installer's draft goes with the next run", async () => {
    home.write('.codewhale/config.toml', config)
    const before = home.tree()
    await home.install('codewhale')
    home.write('.codewhale/.config.toml.deja-4711.tmp', 'half')
    await home.uninstall('codewhale')
    expect(home.tree()).toEqual(before)
  })

  test('what others wrote into a file and a directory of ours stays there', async () => {
    await home.install('codewhale')
    const own = { servers: { ...(home.json('.codewhale/mcp.json').servers as object), docs: { command: 'x' } } }
    home.write('.codewhale/mcp.json', JSON.stringify(own))
    home.write('.codewhale/commands/mine.md', 'x')
    await home.uninstall('codewhale')
    expect(home.json('.codewhale/mcp.json')).toEqual({ servers: { docs: { command: 'x' } } })
    expect(Object.keys(home.tree())).toEqual([
      '.codewhale',
      '.codewhale/commands',
      '.codewhale/commands/mine.md',
      '.codewhale/mcp.json',
    ])
  })
})
