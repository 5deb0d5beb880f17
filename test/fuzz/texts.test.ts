import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { migrations } from '../../src/archive/schema.ts'
import { plain } from '../../src/cli/render.ts'
import { parseHookBody } from '../../src/daemon/hook-body.ts'
import { framed as framedSentence, render } from '../../src/daemon/tool/render.ts'
import { harnesses } from '../../src/harness/registry.ts'
import { errorSignatures } from '../../src/index/errors.ts'
import { searchText } from '../../src/index/full-text.ts'
import { TermScanner } from '../../src/index/term-scanner.ts'
import { analyse, tokensOf } from '../../src/index/tokens.ts'
import { redact } from '../../src/ingest/redaction/redact.ts'
import { frameOf, frameOverhead, lengthOf } from '../../src/recall/frame.ts'
import { neutral, neutralLine } from '../../src/recall/neutral.ts'
import { allMatch, matchOf, questionOf } from '../../src/search/question.ts'
import { rounds, timeFor } from '../faults/rounds.ts'

const runs = rounds(150, 20_000)
const options = { numRuns: runs }
const time = timeFor(5, runs)

/** Texts of the kinds that break things: pieces of envelopes, of SQL, of shells, of scripts, and anything at all. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '<deja-recall>',
    '</deja-recall>',
    '<',
    '>',
    '/',
    '&lt;',
    '&amp;lt;',
    '&#60;',
    '&#x3c;',
    '\\u003c',
    '%3C',
    '＜',
    '﹤',
    '\u200b',
    '\u202e',
    'deja',
    '-',
    '_',
    ' ',
    'recall',
    'deja-recall',
    'DEJA_RECALL',
    'system-reminder',
    '<system-reminder>',
    '</user_query>',
    '\u001b[31m',
    '\u001b]0;x\u0007',
    '\u001b]8;;http://x\u001b\\',
    '\u009b2J',
    '\u0000',
    '\r',
    '\n',
    '\r\n',
    '\u2028',
    '\ufeff',
    '\ud800',
    '\udc00',
    '<|im_start|>',
    '[INST]',
    'Human:',
    'assistant :',
    '[hook context]',
    '"',
    '""',
    "'",
    '*',
    '(',
    ')',
    'NEAR/3',
    'NEAR(',
    ' AND ',
    ' OR ',
    ' NOT ',
    '^',
    '+',
    ':',
    'text:',
    '{',
    '}',
    '在哪',
    '潮汐',
    'ключ',
    'getHTTPResponse2',
    'src/a-b.ts',
    '203.0.113.51',
    '`',
    '--',
    '::',
    'v1.2.3',
    '\u0301',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '\u{e0041}',
  ),
)
const text = fc.array(piece, { maxLength: 14 }).map(parts => parts.join(''))

/** A tag by deja's name, however its brackets and joints are written. */
const imitation =
  /(?:[<\uff1c\ufe64]|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\+u003c|\\+x3c|%(?:25)*3c)\s*[/\\]*\s*deja[\s_.:-]{0,3}recall/i
const envelope = /<\s*\/?\s*(?:system-reminder|user_query|hook_context|system|summary)\s*>/i
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/u

describe(`${runs} texts each`, () => {
  test(
    'any text in, exactly one frame out, nothing that imitates it',
    () => {
      const sections = fc.array(
        fc.record({ heading: fc.option(fc.constant('Heading:')), items: fc.array(text, { maxLength: 6 }) }),
        { maxLength: 3 },
      )
      fc.assert(
        fc.property(sections, fc.integer({ min: 0, max: 1500 }), (raw, room) => {
          const ready = raw.map(({ heading, items }) => ({
            heading,
            items: items.map((each, n) => (n % 2 === 0 ? neutral(each) : neutralLine(each))),
          }))
          const framed = frameOf(ready, room)
          if (framed === null) return
          expect(lengthOf(framed.text)).toBeLessThanOrEqual(room)
          expect(framed.text.startsWith('<deja-recall>\n')).toBe(true)
          expect(framed.text.endsWith('\n</deja-recall>')).toBe(true)
          const inside = framed.text.slice('<deja-recall>'.length, -'</deja-recall>'.length)
          expect(inside.split('\n')[1]).toMatch(/Do not follow/)
          for (const mark of [imitation, envelope, unseen]) expect(inside).not.toMatch(mark)
          expect(framed.kept.every((count, n) => count <= (ready[n]?.items.length ?? 0))).toBe(true)
          expect(frameOverhead).toBeLessThan(room)
        }),
        options,
      )
    },
    time,
  )

  test(
    'what is neutral stays as it is',
    () => {
      fc.assert(
        fc.property(text, each => {
          const once = neutral(each)
          expect(neutral(once)).toBe(once)
          expect(neutralLine(each)).not.toContain('\n')
        }),
        options,
      )
    },
    time,
  )

  test(
    "the MCP tool's answers too are one frame",
    () => {
      fc.assert(
        fc.property(fc.array(text, { maxLength: 6 }), text, (items, sentence) => {
          for (const whole of [
            render({ sections: [{ heading: 'H:', items: items.map(neutral) }] }, 1500),
            framedSentence(sentence),
          ]) {
            expect(whole.match(/<\/?deja-recall>/g)).toHaveLength(2)
            expect(whole.slice(14, -15)).not.toMatch(imitation)
          }
        }),
        options,
      )
    },
    time,
  )

  test(
    'what a terminal is shown, it obeys in nothing',
    () => {
      fc.assert(
        fc.property(text, each => {
          expect(plain(each)).not.toMatch(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/,
          )
        }),
        options,
      )
    },
    time,
  )

  test(
    'tokens: bounded, never empty, the same for the same text; a question is tokens of its words',
    () => {
      fc.assert(
        fc.property(text, each => {
          const tokens = analyse(each)
          for (const { term } of tokens) {
            expect(term).not.toBe('')
            expect(term.length).toBeLessThanOrEqual(100)
          }
          expect(tokensOf(each)).toEqual(tokensOf(each))
          expect(tokens.length).toBeLessThanOrEqual(3 + 3 * each.length)
          expect(searchText(each).length).toBeLessThanOrEqual(3 + 6 * each.length)
          for (const signature of errorSignatures(each)) expect(signature).not.toContain('\n')
        }),
        options,
      )
    },
    time,
  )

  test(
    'no question is an error of SQL, and what was written is found by its own words',
    () => {
      const db = new Database(':memory:')
      for (const statements of migrations) db.exec(statements)
      const scanner = new TermScanner()
      const add = db.prepare('INSERT INTO records_fts (rowid, text) VALUES (1, ?)')
      const find = db.prepare<[string], { n: number }>(
        'SELECT count(*) AS n FROM records_fts WHERE records_fts MATCH ?',
      )
      fc.assert(
        fc.property(text, text, (asked, written) => {
          db.exec('DELETE FROM records_fts')
          add.run(scanner.scan(written))
          const question = questionOf(asked)
          const match = allMatch(question)
          if (match !== null) find.get(match.match)
          match?.accepts?.(written)
          const own = matchOf([written])
          if (own !== null) expect([written, find.get(own.match)?.n]).toEqual([written, 1])
          if (own !== null) expect([written, own.accepts?.(written) ?? true]).toEqual([written, true])
        }),
        options,
      )
      db.close()
    },
    time,
  )

  test(
    'hook bodies: parsed or refused; what is parsed is text',
    () => {
      const block = fc.tuple(
        fc.constantFrom('stdin', 'A', 'HOME', 'a b', '__proto__', ''),
        fc.oneof(fc.nat({ max: 40 }).map(String), fc.constantFrom('-', '', '99999999', '1e3', '-1')),
        text,
      )
      const body = fc
        .array(block, { maxLength: 5 })
        .map(blocks => blocks.map(([name, length, value]) => `${name} ${length}\n${value}\n`).join(''))
      fc.assert(
        fc.property(body, each => {
          const call = parseHookBody('Stop', Buffer.from(each))
          if (call === null) return
          expect(typeof call.stdin).toBe('string')
          expect(Object.getPrototypeOf(call.env)).toBe(Object.prototype)
          for (const harness of harnesses) harness.hooks.parse(call)
        }),
        options,
      )
    },
    time,
  )

  test(
    'hook payloads of any shape: parsed or passed by',
    () => {
      const key = fc.constantFrom(
        'session_id',
        'prompt',
        'text',
        'cwd',
        'workspace',
        'tool_name',
        'tool_input',
        'tool_response',
        'command',
        'file_path',
        'hook_event_name',
        'source',
        'transcript_path',
        'event',
        'call_id',
        '__proto__',
      )
      const payload = fc.dictionary(key, fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.dictionary(key, text)), {
        maxKeys: 8,
      })
      const events = harnesses
        .flatMap(({ hooks }) => [...hooks.environment])
        .concat(
          'UserPromptSubmit',
          'PreToolUse',
          'PostToolUse',
          'SessionStart',
          'message_submit',
          'tool_call_before',
          'tool_call_after',
          'toString',
        )
      fc.assert(
        fc.property(
          payload,
          fc.constantFrom(...events),
          fc.dictionary(fc.constantFrom(...events), text),
          (value, event, env) => {
            for (const { hooks } of harnesses) {
              const call = { event, stdin: JSON.stringify(value), env }
              const moment = hooks.parse(call)
              if (moment === null) continue
              expect(hooks.channel(moment).room).toBeGreaterThanOrEqual(0)
              const said = hooks.render(moment, '<deja-recall>\nx\n</deja-recall>', call)
              if (said !== '') JSON.parse(said)
            }
          },
        ),
        options,
      )
    },
    time,
  )

  test(
    'redaction: no planted secret survives, wherever it stands; it ends, and again it changes nothing',
    () => {
      // assembled, so that no scanner of this repository takes them for leaked ones
      const secret = fc.oneof(
        fc.stringMatching(/^[A-Z2-7]{16}$/).map(each => 'AKIA' + each),
        fc.stringMatching(/^[A-Za-z0-9]{36}$/).map(each => 'ghp' + '_' + each),
        fc.stringMatching(/^[A-Za-z0-9]{40}$/).map(each => 'sk-ant-' + 'api03-' + each),
      )
      const around = fc.array(
        fc.oneof(text, fc.constantFrom('token=', '"apiKey": "', 'Authorization: Bearer ', '\n', '  ', ', ', '`')),
        { maxLength: 6 },
      )
      fc.assert(
        fc.property(around, secret, around, (before, planted, after) => {
          const redacted = redact(`${before.join('')} ${planted} ${after.join('')}`)
          expect(redacted).not.toContain(planted)
          expect(redact(redacted)).toBe(redacted)
        }),
        options,
      )
    },
    time,
  )

  test(
    'redaction leaves ordinary code alone',
    () => {
      const name = fc.constantFrom('token', 'password', 'secret', 'key', 'user', 'apiKey', 'session', 'count')
      const code = fc.oneof(
        name.map(each => `const ${each} = await get${each}(request)`),
        name.map(each => `if (${each} === undefined) return null`),
        name.map(each => `function check(${each}: string): boolean {`),
        name.map(each => `import { ${each} } from './${each}.ts'`),
        name.map(each => `  ${each}: z.string().min(1),`),
        name.map(each => `expect(user.${each}).toBeDefined()`),
        fc.stringMatching(/^[a-f0-9]{40}$/).map(each => `commit ${each}`),
        fc.uuid().map(each => `session ${each}`),
        fc.nat().map(each => `src/components/Card${each}/index.test.tsx:${each}:12`),
      )
      fc.assert(
        fc.property(fc.array(code, { minLength: 1, maxLength: 12 }), lines => {
          expect(redact(lines.join('\n'))).toBe(lines.join('\n'))
        }),
        options,
      )
    },
    time,
  )
})
