import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { append, remove, set } from '../../src/wiring/json/engine.ts'
import { jsonOf } from '../../src/wiring/json/document.ts'

const server = jsonOf({ command: '/opt/deja', args: ['mcp'], env: { DEJA_HOME: '/d' } })
const path = ['servers', 'deja']

function roundTrip(text: string): string {
  const { text: after, trace } = set(text, path, server, 'jsonc')
  expect(remove(after, path, 'jsonc', trace ?? undefined)).toBe(text)
  return after
}

describe('a member comes in and goes out again', () => {
  const texts = {
    'an empty file': '',
    'an empty object': '{}',
    'an empty object with a line break': '{\n}\n',
    'a minified object': '{"a":1,"servers":{"x":{"command":"y"}}}',
    'other servers in one line':
      '{\n    "servers": {"docs": {"command": "docs-mcp"}},\n    "timeouts": {"connect_timeout": 10}\n}\n',
    'tabs and CRLF': '{\r\n\t"servers": {\r\n\t\t"docs": {}\r\n\t}\r\n}',
    'a comment behind the last member': '{\n  "a": 1 // why\n}\n',
    'a comment block behind the last member': '{ "a": 1 /* why */ }',
    'a trailing comma and a comment': '{\n  "servers": {\n    "a": {}, // last\n  },\n}\n',
    'a comment inside an empty object': '{\n  "servers": { // none yet\n  }\n}\n',
    'odd keys': '{"__proto__": {"constructor": 1}, "": 2}',
    'comments in front': '// mine\n{}\n// end',
  }
  for (const [name, text] of Object.entries(texts)) test(name, () => void roundTrip(text))

  test('keeps to the manner of the file', () => {
    expect(roundTrip('{\n    "a": 1 // why\n}\n')).toBe(
      '{\n    "a": 1, // why\n    "servers": {\n        "deja": {\n            "command": "/opt/deja",\n            "args": ["mcp"],\n            "env": {\n                "DEJA_HOME": "/d"\n            }\n        }\n    }\n}\n',
    )
    expect(roundTrip('{"a":1}')).toBe(
      '{"a":1,"servers":{"deja":{"command":"/opt/deja","args":["mcp"],"env":{"DEJA_HOME":"/d"}}}}',
    )
  })

  test('any JSON in any spacing', () => {
    const any = fc.jsonValue({ maxDepth: 4 })
    const config = fc.dictionary(fc.string(), any, { maxKeys: 5 })
    const servers = fc.option(fc.dictionary(fc.string(), any, { maxKeys: 3 }), { nil: undefined })
    fc.assert(
      fc.property(
        config,
        servers,
        fc.constantFrom(undefined, 1, 2, 4, '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\n', ' '),
        (base, own, space, eol, end) => {
          const value = own ? { ...base, servers: own } : base
          if (!own) delete value.servers
          else delete own.deja
          roundTrip(JSON.stringify(value, null, space).replaceAll('\n', eol) + end)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('what others put beside it meanwhile stays', () => {
  const { text, trace } = set('{}', path, server, 'json')
  const more = set(text, ['servers', 'docs'], 'x', 'json').text
  const after = remove(more, path, 'json', trace ?? undefined)
  expect(JSON.parse(after)).toEqual({ servers: { docs: 'x' } })
})

test('elements in turn, and back in turn', () => {
  const before = '{\n  "hooks": {\n    "Stop": [{ "hooks": [] }]\n  }\n}\n'
  const one = append(before, ['hooks', 'Start'], 'a', 'json')
  const two = append(one.text, ['hooks', 'Stop'], 'b', 'json')
  const three = append(two.text, ['hooks', 'Start'], 'c', 'json')
  expect(JSON.parse(three.text)).toEqual({ hooks: { Stop: [{ hooks: [] }, 'b'], Start: ['a', 'c'] } })
  const back = remove(three.text, ['hooks', 'Start', 1], 'json', three.trace ?? undefined)
  const backer = remove(back, ['hooks', 'Stop', 1], 'json', two.trace ?? undefined)
  expect(remove(backer, ['hooks', 'Start', 0], 'json', one.trace ?? undefined)).toBe(before)
})
