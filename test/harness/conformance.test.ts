import fc from 'fast-check'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Harness, ReadStep, ReaderState, TranscriptFile } from '../../src/harness/harness.ts'
import type { HookCall, Moment } from '../../src/harness/hooks.ts'
import type { KeptSession } from '../../src/harness/lifecycle.ts'
import { harnesses } from '../../src/harness/registry.ts'
import { cleanState } from '../../src/ingest/redact-step.ts'
import { redact, REDACTION_VERSION } from '../../src/ingest/redaction/redact.ts'
import type { RecordDraft, SessionFacts, UsageDraft } from '../../src/shared/model.ts'

/** What every harness must hold to, whatever its format: run over all that the registry lists. */

const fixtures = new URL('../../fixtures/', import.meta.url).pathname
/** WorkBuddy writes what CodeBuddy writes. */
const family: Readonly<Record<string, string>> = { workbuddy: 'codebuddy' }

interface Transcript extends TranscriptFile {
  root: string
  bytes: Buffer
}

/** Every transcript below a harness's fixtures, wherever a store begins in them. */
function transcriptsOf({ id, store }: Harness): Transcript[] {
  const directory = join(fixtures, family[id] ?? id)
  const roots = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => ['projects', 'sessions'].includes(basename(name)))
    .map(name => join(directory, name))
  return roots.flatMap(root =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(name => store.classify(name).role === 'transcript')
      .map(relative => {
        const beside = store.sidecars(relative).filter(name => existsSync(join(root, name)))
        const sidecars = Object.fromEntries(beside.map(name => [name, readFileSync(join(root, name), 'utf8')]))
        return { root, path: join(root, relative), relative, sidecars, bytes: readFileSync(join(root, relative)) }
      }),
  )
}

/** A transcript as it is kept between reads. */
class Kept {
  state: ReaderState = null
  session: SessionFacts | null = null
  problems: ReadStep['problems'] = []
  readonly #harness: Harness
  readonly #transcript: Transcript
  readonly #records = new Map<number, RecordDraft>()
  readonly #usage = new Map<string, UsageDraft>()

  constructor(harness: Harness, transcript: Transcript) {
    this.#harness = harness
    this.#transcript = transcript
  }

  /** Reads the bytes that are there now, to their end. */
  read(bytes: Uint8Array): ReadStep[] {
    const { reader } = this.#harness
    const source = { size: bytes.length, read: (o: number, length: number) => bytes.subarray(o, o + length) }
    const steps: ReadStep[] = []
    let more = true
    while (more) {
      const step = reader.read(this.#transcript, this.state, source, { subagents: 'default' })
      this.#take(step)
      this.problems = step.problems
      steps.push(step)
      for (const wanted of step.wants ?? []) {
        const path = join(this.#transcript.path, '..', wanted)
        if (!existsSync(path) || reader.attach === undefined) continue
        const text = readFileSync(path, 'utf8')
        const attached = reader.attach(this.#transcript, this.state, wanted, text, { subagents: 'default' })
        this.#take({ ...attached, session: attached.session ?? this.session })
      }
      more = step.more ?? false
    }
    return steps
  }

  #take(step: ReadStep): void {
    // As the archive keeps it.
    this.state = JSON.parse(JSON.stringify(step.state)) as ReaderState
    this.session = step.session ?? this.session
    for (const record of step.records) this.#records.set(record.seq, record)
    for (const { seqs, aside } of step.aside ?? []) {
      for (const seq of seqs) {
        const record = this.#records.get(seq)
        if (record === undefined) continue
        const rest = { ...record }
        if (!aside) delete rest.aside
        this.#records.set(seq, aside ? { ...rest, aside } : rest)
      }
    }
    for (const usage of step.usage) this.#usage.set(usage.key, usage)
  }

  records(): RecordDraft[] {
    return [...this.#records.values()].sort((a, b) => a.seq - b.seq)
  }

  whole(): unknown {
    return { session: this.session, records: this.records(), usage: [...this.#usage.values()] }
  }
}

function wholeOf(harness: Harness, transcript: Transcript, bytes: Uint8Array = transcript.bytes): Kept {
  const kept = new Kept(harness, transcript)
  kept.read(bytes)
  return kept
}

const FRAMES = [
  '\n\n<deja-recall>\nCANARY\n</deja-recall>',
  ' &lt;deja-recall&gt;CANARY&lt;/deja-recall&gt;',
  ' <deja-recall> <deja-recall>CANARY</deja-recall> CANARY </deja-recall>',
  ' < Deja-Recall >CANARY< / deja-recall >',
  '\n<deja-recall>\nCANARY',
]

/** Every sentence of a transcript with a frame behind it: what has no space is an id, a path, a time. */
function framed(value: unknown, frame: string): unknown {
  if (typeof value === 'string') return value.includes(' ') ? value + frame : value
  if (Array.isArray(value)) return value.map(item => framed(item, frame))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, framed(item, frame)]))
}

function withFrames(text: string, isDocument: boolean, frame: string): string {
  const one = (json: string): string => {
    try {
      return JSON.stringify(framed(JSON.parse(json), frame), null, isDocument ? 2 : 0)
    } catch {
      return json
    }
  }
  return isDocument ? one(text) : text.split('\n').map(one).join('\n')
}

function content({ kind, detail, text, command, path, removed, added, partial }: RecordDraft): unknown {
  return { kind, detail, text, command, path, removed, added, partial }
}

describe.each(harnesses.map(harness => [harness.id, harness] as const))('%s', (_, harness) => {
  const transcripts = transcriptsOf(harness)
  const isDocument = harness.reader.mode === 'document'
  const any = fc.constantFrom(...transcripts)

  test('has fixtures, and they hold sessions', () => {
    const sessions = transcripts.filter(transcript => wholeOf(harness, transcript).session !== null)
    expect(sessions.length).toBeGreaterThan(5)
  })

  test('any split of the bytes over time gives what one full read gives', () => {
    fc.assert(
      fc.property(any, fc.array(fc.nat(), { maxLength: 6 }), (transcript, cuts) => {
        const { bytes } = transcript
        const kept = new Kept(harness, transcript)
        for (const cut of cuts.map(at => at % (bytes.length + 1)).sort((a, b) => a - b))
          kept.read(bytes.subarray(0, cut))
        kept.read(bytes)
        const once = wholeOf(harness, transcript)
        expect(kept.whole()).toEqual(once.whole())
        expect(kept.problems).toEqual(once.problems)
      }),
      { numRuns: 150 },
    )
  })

  test('reading on where nothing was added gives nothing', () => {
    for (const transcript of transcripts) {
      const kept = wholeOf(harness, transcript)
      for (const step of kept.read(transcript.bytes)) expect(step.records).toEqual([])
    }
  })

  test('what is kept between reads is written down: no rule for secrets takes it for one', () => {
    for (const transcript of transcripts) {
      const { state } = wholeOf(harness, transcript)
      expect(cleanState(state, { redact, version: REDACTION_VERSION }), transcript.relative).toBe(JSON.stringify(state))
    }
  })

  test('a torn tail takes nothing from what stands before it', () => {
    for (const transcript of transcripts) {
      const kept = wholeOf(harness, transcript)
      const before = kept.records()
      const torn = isDocument
        ? transcript.bytes.subarray(0, -20)
        : Buffer.concat([transcript.bytes, Buffer.from('\n{"ty')])
      kept.read(torn)
      expect(kept.records()).toEqual(before)
    }
  })

  test('a file that was cut back is read anew like any other', () => {
    fc.assert(
      fc.property(any, fc.nat(), (transcript, cut) => {
        const bytes = transcript.bytes.subarray(0, cut % (transcript.bytes.length + 1))
        const kept = new Kept(harness, transcript)
        kept.read(transcript.bytes)
        // The caller notices, and begins at the start; a document's reader does so itself.
        if (!isDocument) kept.state = null
        kept.read(bytes)
        if (isDocument) expect(kept.whole()).toEqual(wholeOf(harness, transcript).whole())
        else expect(kept.state).toEqual(wholeOf(harness, transcript, bytes).state)
      }),
      { numRuns: 100 },
    )
  })

  test.each(FRAMES)('what deja said itself is never kept: %j', frame => {
    for (const transcript of transcripts) {
      const bytes = Buffer.from(withFrames(transcript.bytes.toString('utf8'), isDocument, frame))
      expect(JSON.stringify(wholeOf(harness, transcript, bytes).whole()), transcript.relative).not.toContain('CANARY')
    }
  })

  test('bytes changed at random throw nothing', () => {
    const edit = fc.tuple(fc.nat(), fc.nat({ max: 255 }))
    fc.assert(
      fc.property(any, fc.array(edit, { minLength: 1, maxLength: 10 }), (transcript, edits) => {
        const bytes = Buffer.from(transcript.bytes)
        if (bytes.length === 0) return
        for (const [at, value] of edits) bytes[at % bytes.length] = value
        wholeOf(harness, transcript, bytes)
        wholeOf(harness, transcript).read(bytes)
      }),
      { numRuns: 150 },
    )
  })

  test('records hold what their kind promises', () => {
    for (const transcript of transcripts) {
      for (const record of wholeOf(harness, transcript).records()) {
        const { kind } = record
        if (['prompt', 'answer', 'output', 'summary'].includes(kind)) expect(record.text).toBeTruthy()
        if (kind === 'command') {
          expect(record.command).toBeTruthy()
          expect(['ok', 'failed', 'unknown']).toContain(record.outcome)
          expect(record.exitCode === null || Number.isInteger(record.exitCode)).toBe(true)
        }
        if (['read', 'edit', 'write'].includes(kind)) expect(record.path).toBeTruthy()
        if (kind === 'edit') expect(typeof record.removed).toBe('string')
        if (kind === 'edit' || kind === 'write') expect(typeof record.added).toBe('string')
        expect(record.at ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z)?$/)
      }
    }
  })

  test('a session that is written back reads as it was kept', () => {
    let [restored, n] = [0, 0]
    for (const transcript of transcripts) {
      const kept = wholeOf(harness, transcript)
      if (kept.session === null) continue
      const session: KeptSession = {
        ...kept.session,
        harness: harness.id,
        path: transcript.path,
        root: transcript.root,
        paths: [transcript.path],
        deleted: true,
      }
      const context = {
        now: '2026-10-03T00:00:00.000Z',
        newId: () => `${String(n++).padStart(8, '0')}-0000-4000-8000-000000000000`,
      }
      const records = kept.records()
      const written = harness.lifecycle.restore(session, records, context)
      if (!written.ok) {
        expect(written.reason).not.toBe('')
        continue
      }
      restored++
      const file = written.files.find(({ path }) => path === transcript.path)
      const text = Buffer.from(file?.text ?? '')
      const sidecars = Object.fromEntries(
        written.files.flatMap(({ path, text: side }) =>
          harness.store.sidecars(transcript.relative).flatMap(name => (path.endsWith(name) ? [[name, side]] : [])),
        ),
      ) as Record<string, string>
      const again = wholeOf(harness, { ...transcript, sidecars }, text)
      expect(again.session).toMatchObject({ id: session.id, workspace: session.workspace })
      // What a fork copied and the branches that were left come back where the agent can read them.
      const kinds = [
        records.filter(record => record.aside !== true && record.copied !== true),
        records.filter(record => record.aside !== true),
        records.filter(record => record.copied !== true),
        records,
      ]
      const got = again.records().map(content)
      const expected = kinds.find(({ length }) => length === got.length) ?? records
      expect(got, transcript.relative).toEqual(expected.map(content))
    }
    if (harness.id !== 'workbuddy') expect(restored).toBeGreaterThan(3)
  })

  test("a session's set of files holds its transcripts and no project's memory", () => {
    for (const transcript of transcripts) {
      const { session } = wholeOf(harness, transcript)
      if (session === null) continue
      const { path, root } = transcript
      const kept = { ...session, harness: harness.id, path, root, paths: [path], deleted: false }
      const files = harness.lifecycle.files(kept, { HOME: '/nowhere' })
      expect(files).toContain(path)
      for (const file of files) expect(file).not.toMatch(/(?:^|\/)memory(?:\/|$)/)
    }
  })

  test('hooks take any payload; what may be said fits its event, and nothing to say is no byte', () => {
    const names = new Set<string>()
    const directory = join(fixtures, family[harness.id] ?? harness.id, 'hooks')
    const samples = readdirSync(directory)
      .filter(name => name.endsWith('.json'))
      .map(name => {
        const text = readFileSync(join(directory, name), 'utf8')
        const event = /"hook_event_name":\s*"(\w+)"/.exec(text)?.[1] ?? name.split('.')[0] ?? ''
        return [event, text] as const
      })
    const payload = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(...samples.map(([, text]) => text)),
      fc.constantFrom(...samples).chain(([, text]) => fc.nat({ max: text.length }).map(at => text.slice(0, at))),
    )
    const environment = fc.dictionary(fc.constantFrom('X', ...harness.hooks.environment), fc.string())
    const check = (call: HookCall, moment: Moment | null): void => {
      if (moment === null) return
      names.add(moment.type)
      const channel = harness.hooks.channel(moment)
      expect(channel.room).toBeGreaterThanOrEqual(0)
      expect(harness.hooks.render(moment, '', call)).toBe('')
      const said = harness.hooks.render(moment, '<deja-recall>\nx\n</deja-recall>', call)
      if (channel.room === 0) expect(said).toBe('')
    }
    fc.assert(
      fc.property(fc.constantFrom(...samples.map(([name]) => name)), payload, environment, (event, stdin, env) => {
        const call = { event, stdin, env }
        check(call, harness.hooks.parse(call))
      }),
    )
    for (const [event, text] of samples) {
      const { stdin, env } = JSON.parse(text) as { stdin?: unknown; env?: Record<string, string> }
      const body = stdin === undefined ? text : typeof stdin === 'string' ? stdin : JSON.stringify(stdin)
      const call = { event, stdin: body, env: env ?? {} }
      check(call, harness.hooks.parse(call))
    }
    expect(names.size).toBeGreaterThan(2)
  })
})
