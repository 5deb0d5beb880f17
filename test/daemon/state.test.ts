import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isErrorReply } from '../../src/daemon/api.ts'
import { ownDirectory, readState, runDir, writeState } from '../../src/daemon/state.ts'

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'deja-state-'))
  ownDirectory(runDir(dataDir))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const state = {
  pid: 7,
  startedAt: '2026-09-24T10:00:00.000Z',
  version: '1.0.0',
  protocol: 1,
  instanceId: 'i',
  host: '127.0.0.1',
  port: 4000,
  token: 't',
  replySecret: 's',
  socket: '/run/deja, with a comma/socket',
}
const put = (value: unknown): void => writeFileSync(join(runDir(dataDir), 'daemon.json'), JSON.stringify(value))

it('what a daemon published is read as it was written, and what a newer one adds is passed over', () => {
  writeState(dataDir, state)
  expect(readState(dataDir)).toEqual(state)
  put({ ...state, more: 1 })
  expect(readState(dataDir)).toEqual(state)
  const { replySecret, socket, ...least } = state
  expect([replySecret, socket]).not.toContain(undefined)
  put(least)
  expect(readState(dataDir)).toEqual(least)
})

it.each([
  [null],
  ['text'],
  [{ ...state, pid: 0 }],
  [{ ...state, pid: 1.5 }],
  [{ ...state, port: 65_536 }],
  [{ ...state, port: '4000' }],
  [{ ...state, protocol: null }],
  [{ ...state, token: undefined }],
  [{ ...state, host: 3 }],
  [{ ...state, replySecret: 3 }],
  [{ ...state, socket: {} }],
])('%j is no state', value => {
  put(value)
  expect(readState(dataDir)).toBeNull()
})

it('an error is known by its code and message; anything else is none', () => {
  const error = { code: 'refused', message: 'No.' }
  expect([{ error }, { error: { ...error, hint: 'Go.', path: '/x' } }].map(isErrorReply)).toEqual([true, true])
  const none = [
    null,
    'x',
    {},
    { error: null },
    { error: { code: 'other', message: '' } },
    { error: { ...error, hint: 1 } },
  ]
  expect(none.map(isErrorReply)).toEqual(none.map(() => false))
})
