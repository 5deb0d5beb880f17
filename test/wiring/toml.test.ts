import fc from 'fast-check'
import { parse, stringify } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import type { TomlHook } from '../../src/harness/wiring.ts'
import { tomlHooksEditor } from '../../src/wiring/toml/hooks.ts'
import { tomlStringEditor } from '../../src/wiring/toml/string.ts'

const events = ['message_submit', 'tool_call_before', 'session_end']
const hook = (event: string, command = `'/data/bin/deja-hook' codewhale ${event}`): TomlHook => ({
  event,
  keys: { name: `deja-${event}`, command, timeout_secs: 2, continue_on_error: true },
  timeoutKey: 'timeout_secs',
})
const strings = tomlStringEditor({
  kind: 'toml-string',
  file: '',
  table: 'tools',
  key: 'always_load',
  value: 'mcp_deja_deja',
})
const hooks = tomlHooksEditor(
  { kind: 'toml-hooks', file: '', table: 'hooks', name: 'hooks', hooks: events.map(each => hook(each)) },
  'codewhale',
)

/** Installs both, checks that a second time changes nothing, takes both out; gives the text in between. */
function roundTrip(text: string): string {
  const one = strings.install(text, {})
  const two = hooks.install(one.text, {})
  expect(strings.install(two.text, one.traces).text).toBe(two.text)
  const again = hooks.install(two.text, two.traces)
  expect(again).toEqual(two)
  const value = parse(two.text) as {
    tools: { always_load: string[] }
    hooks: { hooks: { event: string; command: string }[] }
  }
  expect(value.tools.always_load.filter(each => each === 'mcp_deja_deja')).toHaveLength(1)
  expect(value.hooks.hooks.slice(-3).map(each => each.event)).toEqual(events)
  expect(strings.uninstall(hooks.uninstall(two.text, two.traces), one.traces)).toBe(text)
  // Without the record only our part goes as well.
  const lost = parse(strings.uninstall(hooks.uninstall(two.text, {}), {}))
  expect(bare(lost)).toEqual(bare(parse(text)))
  return two.text
}

/** A value without what may be empty or gone: our array and the table around it. */
function bare(value: Record<string, unknown>): unknown {
  const copy = structuredClone(
    JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))),
  ) as Record<string, Record<string, unknown[]>>
  for (const [table, key] of [
    ['tools', 'always_load'],
    ['hooks', 'hooks'],
  ] as const) {
    if (copy[table]?.[key]?.length === 0) Reflect.deleteProperty(copy[table], key)
    if (copy[table] && Object.keys(copy[table]).length === 0) Reflect.deleteProperty(copy, table)
  }
  return copy
}

const tools = {
  'no tools': '',
  'a list of one': '[tools]\nalways_load = ["a"]\n',
  'a list with comments': '[tools]\nalways_load = [\n  "mcp_docs_search", # keep\n]\n',
  'a list with a comment and no comma at its end':
    '[tools]\nalways_load = [\n  "a", # one\n  "b" # two\n  # three\n]\n',
  'an empty list': '[tools]\nalways_load = [ ]\n',
  'an empty list over lines': '[tools]\nalways_load = [\n  # none\n]\n',
  'a table without the key': '[tools] # mine\n# about x\nx = """\n[tools]\nalways_load = []\n""" # end\n\n# next\n',
  'an empty table': '[tools]',
  'a sub-table alone': '[tools.mcp]\nx = 1\n',
  'dotted keys': 'tools.always_load = ["a"]\n',
  'dotted keys of another kind': 'tools."x y".z = 1\n',
  'an inline table': 'tools = { always_load = ["a"], x = 1 }\n',
  'an inline table without the key': "tools = { 'x' = 1 }\n",
  'an empty inline table': 'tools = {}\n',
  'quoted names': '["tools"]\n"always_load" = [\'a\']\n',
  'a table that is indented': '  [tools]\n    x = 1\n',
}
const hookTables = {
  'no hooks': '',
  'a table': '[hooks]\nenabled = true\n',
  'entries in the middle':
    '[hooks]\nenabled = true\n[[hooks.hooks]]\nevent = "turn_end"\ncommand = "notify-send done"\n[hooks.hooks.condition]\ntype = "always"\n[zoo]\nx = 1\n',
  'entries in two places':
    '[[hooks.hooks]]\nevent = "a"\ncommand = "b"\n[x]\n[[hooks.hooks]] # two\nevent = "c"\ncommand = "d"',
  'a list of inline tables': '[hooks]\nhooks = [\n  { event = "a", command = "b" }, # one\n]\n',
  'an empty list': '[hooks]\nhooks = []\n',
}
const rootHooks = {
  'an inline table': 'hooks = { enabled = true, hooks = [{ event = "a", command = "b" }] }\n',
  'an inline table without entries': 'hooks = {enabled = true}\n',
  'a dotted list': 'hooks.hooks = [ ]\n',
  'dotted keys': 'hooks.enabled = true # yes\n',
}

describe('install and uninstall give the same bytes', () => {
  for (const [name, text] of Object.entries(tools)) test(`tools: ${name}`, () => void roundTrip(text))
  for (const [name, text] of Object.entries({ ...hookTables, ...rootHooks }))
    test(`hooks: ${name}`, () => void roundTrip(text))

  test('in every combination, ending and line ending', () => {
    const root = fc.constantFrom('', ...Object.values(rootHooks))
    const first = fc.constantFrom('# top\n', 'model = "x" # inline\n\n', '')
    fc.assert(
      fc.property(
        first,
        root,
        fc.constantFrom(...Object.values(tools)),
        fc.constantFrom(...Object.values(hookTables)),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('', '\n', '# end', '\n\n  '),
        (top, dotted, some, table, swap, crlf, end) => {
          const own = dotted === '' ? table : ''
          const rooted = /^tools/.test(some)
          const parts = rooted
            ? [top, dotted, some, '\n', own]
            : [top, dotted, ...(swap ? [own, '\n', some] : [some, '\n', own])]
          const text = parts.join('') + '\n' + end
          roundTrip(crlf ? text.replaceAll('\n', '\r\n') : text)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('any TOML that the parser takes', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
    )
    const { table } = fc.letrec(tie => ({
      table: fc.dictionary(
        fc.oneof(fc.constantFrom('hooks', 'tools', 'x'), fc.string({ unit: 'grapheme' })),
        tie('any'),
        { maxKeys: 4 },
      ),
      any: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(leaf, { maxLength: 3 }),
        tie('table'),
        fc.array(tie('table'), { maxLength: 3 }),
      ),
    }))
    const own = fc.record({
      tools: fc.option(fc.record({ always_load: fc.array(fc.string()), more: table }, { requiredKeys: [] })),
      hooks: fc.option(
        fc.record(
          {
            enabled: fc.boolean(),
            hooks: fc.array(fc.record({ event: fc.string(), command: fc.string(), more: table })),
          },
          { requiredKeys: [] },
        ),
      ),
    })
    fc.assert(
      fc.property(table, own, (base, ours) => {
        const value: Record<string, unknown> = { ...base }
        for (const key of ['tools', 'hooks'] as const)
          if (ours[key]) value[key] = ours[key]
          else Reflect.deleteProperty(value, key)
        roundTrip(stringify(value))
      }),
      { numRuns: 100 },
    )
  })
})

test('entries follow the manner of the file', () => {
  expect(roundTrip('[tools]\nalways_load = [\n  "mcp_docs_search", # keep\n]\n')).toContain(
    '  "mcp_docs_search", # keep\n  "mcp_deja_deja",\n]\n',
  )
  expect(roundTrip('hooks = {enabled = true}\n')).toContain(
    'hooks = {enabled = true, hooks = [{ event = "message_submit", name =',
  )
})

test('an older line of ours is brought up to date where it stands, a second one goes', () => {
  const old = (command: string, more = ''): string =>
    `[[hooks.hooks]]\n# mine\nevent = "message_submit"\ncommand = "${command}"\ntimeout_secs = 5 # my own\n${more}\n`
  const text = `${old('deja hook codewhale message_submit')}[[hooks.hooks]]\nevent = "turn_end"\ncommand = "x"\n${old('/old/bin/deja-hook codewhale message_submit')}[[hooks.hooks]]\nevent = "turn_end"\ncommand = "deja hook codewhale turn_end"\n`
  const after = hooks.install(text, {}).text
  const value = parse(after) as unknown as {
    hooks: { hooks: { event: string; command: string; timeout_secs?: number }[] }
  }
  expect(value.hooks.hooks.map(each => each.event)).toEqual([
    'message_submit',
    'turn_end',
    'tool_call_before',
    'session_end',
  ])
  expect(value.hooks.hooks[0]).toMatchObject({
    command: "'/data/bin/deja-hook' codewhale message_submit",
    timeout_secs: 5,
    continue_on_error: true,
  })
  expect(after).toContain('# mine')
  expect(after).toContain('timeout_secs = 5 # my own')
  expect(hooks.install(after, {}).text).toBe(after)
})

test('an entry that was switched off stays off', () => {
  const off =
    '[[hooks.hooks]]\nevent = "message_submit"\ncommand = "deja hook codewhale message_submit"\nenabled = false\n'
  const after = hooks.install(off, {})
  expect(after.text.startsWith(off)).toBe(true)
  expect((parse(after.text) as unknown as { hooks: { hooks: unknown[] } }).hooks.hooks).toHaveLength(3)
  expect(after.notes).toEqual(['the hook for message_submit stays switched off'])
  expect(hooks.standing(off)).toBe('off')
})

test('a moved program: the record still gives the bytes back', () => {
  const before = '[hooks]\nenabled = true\n[[hooks.hooks]]\nevent = "turn_end"\ncommand = "x"'
  const one = hooks.install(before, {})
  const moved = tomlHooksEditor(
    {
      kind: 'toml-hooks',
      file: '',
      table: 'hooks',
      name: 'hooks',
      hooks: events.map(each => hook(each, `"/o t/deja-hook" codewhale ${each}`)),
    },
    'codewhale',
  )
  const two = moved.install(one.text, one.traces)
  expect(two.text).not.toBe(one.text)
  expect(moved.uninstall(two.text, two.traces)).toBe(before)
})

test('what was written behind ours later stays where it means the same', () => {
  const one = hooks.install('[hooks]\nenabled = true\n', {})
  const condition = `${one.text}condition = { type = "always" }\n[zoo]\nx = 1\n`
  expect(parse(hooks.uninstall(condition, one.traces))).toEqual({ hooks: { enabled: true }, zoo: { x: 1 } })
  const two = strings.install('x = 1\n', {})
  expect(parse(strings.uninstall(`${two.text}more = 2\n`, two.traces))).toEqual({ x: 1, tools: { more: 2 } })
})

describe('refuses', () => {
  const cases: [string, string, string][] = [
    ['a broken header', 'model = "x"\n[tools\nalways_load = []\n', 'not valid TOML'],
    ['a key that stands twice', '[tools]\nx = 1\nx = 2\n', 'redefine'],
    ['a list of something else', '[tools]\nalways_load = [1]\n', 'list of strings'],
    ['no list', 'tools.always_load = "x"\n', 'a list was expected'],
    ['no table', 'tools = 1\n', 'a table was expected'],
  ]
  for (const [name, text, message] of cases) test(name, () => expect(() => strings.install(text, {})).toThrow(message))
})
