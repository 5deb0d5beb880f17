import type { Harness, Reader, ReadStep, StoreRoot } from '../../src/harness/harness.ts'
import type { RecordDraft, SessionFacts } from '../../src/shared/model.ts'

/**
 * A small harness of the tests' own: `<id>.jsonl`, each line a record, the first the session's facts. A line
 * `{"pending": "…"}` is only kept in the reader's state; `{"flush": true}` makes a command of it; `{"boom": true}` throws.
 */
interface DiaryState {
  offset: number
  seq: number
  facts: SessionFacts | null
  pending: string | null
  corrupt: boolean
}

const noFacts: SessionFacts = {
  id: '',
  title: null,
  workspace: null,
  startedAt: null,
  updatedAt: null,
  parentId: null,
  kind: 'main',
  model: null,
  archived: false,
}

function stateOf(state: unknown): DiaryState {
  return state === null
    ? { offset: 0, seq: 0, facts: null, pending: null, corrupt: false }
    : (structuredClone(state) as DiaryState)
}

function diaryReader(version: number, bounded: number): Reader {
  return {
    version,
    mode: 'append',
    offsetOf: state => stateOf(state).offset,
    read(file, before, source): ReadStep {
      const state = stateOf(before)
      const step: ReadStep = { state, session: null, records: [], usage: [], problems: [] }
      const text = Buffer.from(source.read(state.offset, bounded)).toString('utf8')
      const end = text.lastIndexOf('\n') + 1
      const lines = text
        .slice(0, end)
        .split('\n')
        .filter(line => line !== '')
      for (const text of lines) {
        let line: Record<string, unknown>
        try {
          line = JSON.parse(text) as Record<string, unknown>
        } catch {
          state.corrupt = true
          continue
        }
        if ('boom' in line) throw new Error('boom')
        if (typeof line.pending === 'string') state.pending = line.pending
        else if ('flush' in line) {
          step.records.push({ seq: state.seq++, kind: 'command', at: null, command: state.pending ?? '' })
          state.pending = null
        } else if ('facts' in line) state.facts = { ...noFacts, ...(line.facts as Partial<SessionFacts>) }
        else if ('compacted' in line) step.compactedAt = state.seq
        else
          step.records.push({
            ...(line as unknown as Omit<RecordDraft, 'seq'>),
            at: typeof line.at === 'string' ? line.at : null,
            seq: state.seq++,
          })
      }
      const next = state.offset + Buffer.byteLength(text.slice(0, end))
      state.offset = next
      step.session = state.facts && {
        ...state.facts,
        title: file.sidecars[`${state.facts.id}.title`] ?? state.facts.title,
      }
      if (state.corrupt) step.problems.push({ code: 'corrupt', reason: 'a line is no JSON' })
      if (lines.length > 0 && next < source.size) step.more = true
      else if (next < source.size) step.problems.push({ code: 'waiting', reason: 'half a line waits' })
      return step
    },
  }
}

export function diary(roots: StoreRoot[], { version = 1, bounded = 1 << 20 } = {}): Harness {
  const unused = () => {
    throw new Error('not asked for here')
  }
  return {
    id: 'diary',
    name: 'Diary',
    store: {
      roots: () => roots,
      classify: path =>
        path.endsWith('.jsonl')
          ? { role: 'transcript' }
          : path.endsWith('.title')
            ? { role: 'companion' }
            : path.endsWith('.tmp')
              ? { role: 'ignored' }
              : { role: 'unknown', reason: 'not a name that is known' },
      descends: () => true,
      sidecars: path => [path.replace(/\.jsonl$/, '.title')],
      sessionIdOf: path => (path.includes('part') ? null : (path.split('/').at(-1) ?? path).replace(/\.jsonl$/, '')),
    },
    reader: diaryReader(version, bounded),
    tools: { normalName: tool => tool },
    hooks: { environment: [], bindsByText: false, digestAtStart: true, parse: unused, channel: unused, render: unused },
    wiring: { surfaces: unused, hooks: unused, presence: unused, notes: [] },
    lifecycle: { resume: unused, files: unused, restore: unused, retention: unused },
    examples: [],
  }
}
