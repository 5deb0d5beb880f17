import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDaemon } from '../../src/client/client.ts'
import { deleteEndpoint } from '../../src/daemon/lifecycle-api.ts'
import { Home } from '../e2e/home.ts'

let home: Home
const ids = [1, 2, 3, 4].map(n => `dddddddd-0000-4000-8000-00000000000${n}`)
const fileOf = (id = ''): string => join(home.path, '.codewhale/sessions', `${id}.json`)

beforeAll(async () => {
  home = await Home.make()
  for (const id of ids) {
    const at = '2026-09-24T10:00:00Z'
    const about = {
      created_at: at,
      updated_at: at,
      message_count: 1,
      total_tokens: 1,
      workspace: '/home/dev/w',
      cost: {},
    }
    const messages = [{ role: 'user', content: [{ type: 'text', text: `Question ${id}` }] }]
    const session = { schema_version: 1, metadata: { id, title: id, model: 'm', ...about }, messages }
    await home.write(`.codewhale/sessions/${id}.json`, JSON.stringify(session, null, 2))
    await home.old(`.codewhale/sessions/${id}.json`)
  }
  await home.done('index')
})
afterAll(() => home.remove())

test('of a project only the sessions go that were listed and agreed to', async () => {
  const context = { dataDir: home.data, env: { HOME: home.path, DEJA_HOME: home.data }, cli: '/nowhere/deja.js' }
  const choice = { project: '/home/dev/w', forget: false }
  const list = await askDaemon(context, deleteEndpoint, { ...choice, confirmed: null })
  expect([list.done, list.sessions.map(({ session }) => session.id).sort()]).toEqual([false, ids])
  const done = await askDaemon(context, deleteEndpoint, {
    ...choice,
    confirmed: [`codewhale:${ids[0]}`, `codewhale:${ids[2]}`],
  })
  expect([done.done, done.sessions.length]).toEqual([true, 2])
  expect(ids.map(id => existsSync(fileOf(id)))).toEqual([false, true, false, true])
})

test('what was just written is refused', async () => {
  const [, id = ''] = ids
  const file = `.codewhale/sessions/${id}.json`
  await home.write(file, (await home.text(file)).replace('Question', 'Another question'))
  await home.done('index')
  const { code, stderr } = await home.deja(['delete', id, '--yes'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/stays: it was written within the last two minutes/)])
  expect(existsSync(fileOf(id))).toBe(true)
})

test('what is not whole in the archive stays with its agent, unless nobody wants it kept', async () => {
  const [, , , id = ''] = ids
  const file = `.codewhale/sessions/${id}.json`
  const newer = (await home.text(file)).replace('"schema_version": 1', '"schema_version": 99')
  await home.write(file, newer.replace('Question', 'Question that no reader of today can read'))
  await home.old(file)
  await home.done('index')
  const { code, stderr } = await home.deja(['delete', id, '--yes'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/stays: deja could not read all of it \(schema_version 99/)])
  expect(stderr).toContain('0 sessions deleted')
  expect(existsSync(fileOf(id))).toBe(true)
  expect((await home.deja(['delete', id, '--yes', '--forget'])).code).toBe(0)
  expect(existsSync(fileOf(id))).toBe(false)
})
