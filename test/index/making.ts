import type { Passage, SessionHead } from '../../src/index/passage.ts'

export function headOf(key: number, more: Partial<SessionHead> = {}): SessionHead {
  return {
    key,
    harness: 'codewhale',
    id: `session-${String(key)}`,
    title: null,
    workspace: '/home/dev/acme',
    projects: ['/home/dev/acme'],
    parentId: null,
    kind: 'main',
    startedAt: '2026-05-01T10:00:00.000Z',
    updatedAt: '2026-05-01T11:00:00.000Z',
    deleted: false,
    archived: false,
    ...more,
  }
}

export function passageOf(id: number, session: SessionHead, n: number, more: Partial<Passage> = {}): Passage {
  return {
    id,
    session,
    n,
    at: null,
    prompt: '',
    answer: '',
    commands: '',
    paths: '',
    errors: '',
    outputs: '',
    summary: '',
    ...more,
  }
}
