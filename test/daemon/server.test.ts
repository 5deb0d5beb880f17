import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../src/daemon/api.ts'
import { Log, logFile } from '../../src/daemon/log.ts'
import { route } from '../../src/daemon/route.ts'
import { statusRoute } from '../../src/daemon/routes/status.ts'
import { ApiServer } from '../../src/daemon/server.ts'
import { ownDirectory, runDir } from '../../src/daemon/state.ts'
import { DejaError } from '../../src/shared/errors.ts'
import { openServices, type Services } from '../../src/daemon/services.ts'
import { Ingest } from '../../src/ingest/ingest.ts'
import { loadSettings } from '../../src/settings/settings.ts'

const secrets = { token: randomBytes(32).toString('hex'), replySecret: randomBytes(32).toString('hex') }
const auth = { authorization: `Bearer ${secrets.token}` }
const echo: Endpoint<{ word: string }, { word: string }> = { method: 'POST', url: '/v1/echo' }
const failing: Endpoint<{ how: string }, never> = { method: 'POST', url: '/v1/failing' }
const routes = [
  route(echo, z.object({ word: z.string() }), (_, { word }) => ({ word })),
  route(failing, z.object({ how: z.string() }), (_, { how }) => {
    if (how === 'unknown') throw new DejaError('unknown-id', 'no such session', { hint: 'look at `deja last`' })
    throw new Error('the prompt was: hunter2')
  }),
]

let dataDir: string
let services: Services
let server: ApiServer
let port: number
let socket: string | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deja-server-'))
  ownDirectory(runDir(dataDir))
  ownDirectory(join(dataDir, 'logs'))
  const log = new Log(dataDir, () => new Date())
  const [env, settings] = [{ HOME: dataDir }, loadSettings(dataDir)]
  const worker = new URL('../../dist/ingest-worker.js', import.meta.url)
  const options = {
    dataDir,
    env,
    settings,
    now: () => new Date(),
    log,
    instanceId: 'here',
    drain: () => undefined,
    about: () => ({ pid: 1, version: '0', protocol: 1, instanceId: 'here', startedAt: null, port: null }),
    ingest: Ingest.begin({ dataDir, env, settings, worker }),
  }
  services = await openServices(options, () => undefined)
  server = new ApiServer({
    services,
    secrets,
    first: [statusRoute],
    routes: () => Promise.resolve(routes),
    log,
    onCall: () => undefined,
    onUnable: () => undefined,
  })
  ;({ port, socket } = await server.listen(process.platform))
})
afterEach(async () => {
  await server.close()
  await services.close()
  await rm(dataDir, { recursive: true, force: true })
})

interface CallOptions {
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  over?: { socketPath: string }
}

function call({ path = '/v1/echo', method = 'POST', headers = {}, body, over }: CallOptions) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const where = over ?? { host: '127.0.0.1', port }
    const sent = request({ ...where, path, method, headers, agent: false }, reply => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
const json = { 'content-type': 'application/json' }

describe('the gate', () => {
  test('wants the token on every path, known or not, and gives a refused one no secret', async () => {
    for (const path of ['/v1/echo', '/', '/nothing', '/%', '/v1/hooks/x/y']) {
      for (const authorization of [undefined, 'Bearer wrong', secrets.token, `bearer ${secrets.token}`]) {
        const headers = authorization === undefined ? {} : { authorization }
        const reply = await call({ path, headers: { ...headers }, body: '{}' })
        expect([path, reply.status, reply.text]).toEqual([path, 401, ''])
        expect(reply.headers).not.toHaveProperty('x-deja-reply')
      }
    }
  })

  test('refuses foreign hosts and origins before it looks at the token', async () => {
    for (const host of [
      'evil.test',
      `evil.test:${port}`,
      `127.0.0.1.evil.test:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
    ]) {
      for (const headers of [{ host }, { ...auth, host }]) expect((await call({ headers })).status).toBe(403)
    }
    for (const origin of ['https://evil.test', 'null', 'http://localhost:3000']) {
      const reply = await call({ headers: { ...auth, origin } })
      expect(reply.status).toBe(403)
      expect(reply.headers).not.toHaveProperty('x-deja-reply')
    }
    const preflight = await call({ method: 'OPTIONS', headers: { origin: 'https://evil.test' } })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([403, undefined])
    expect(
      (await call({ headers: { ...auth, ...json, host: `localhost:${port}` }, body: '{"word":"a"}' })).status,
    ).toBe(200)
  })

  test('every admitted reply carries the secret, first of all headers, errors and empty ones too', async () => {
    const replies = [
      await call({ headers: { ...auth, ...json }, body: '{"word":"a"}' }),
      await call({ headers: { ...auth, ...json }, body: '{' }),
      await call({ headers: { ...auth, ...json }, body: '{}' }),
      await call({ path: '/nothing', headers: auth }),
      await call({ path: '/%', headers: auth }),
      await call({ method: 'OPTIONS', headers: auth }),
      await call({ path: '/v1/hooks/unknown/event', headers: auth, body: 'stdin 0\n\n' }),
      await call({ path: '/v1/hooks/a/b/c', headers: auth }),
    ]
    expect(replies.map(reply => reply.status)).toEqual([200, 400, 400, 404, 400, 404, 204, 404])
    for (const { headers } of replies) {
      expect(headers['x-deja-reply']).toBe(secrets.replySecret)
      expect(Object.keys(headers)[0]).toBe('x-deja-reply')
    }
  })

  test('the Unix socket wants the token as well, and is the user’s alone', async () => {
    if (socket === undefined) throw new Error('no socket')
    const over = { socketPath: socket }
    expect((await stat(socket)).mode & 0o777).toBe(0o600)
    expect((await call({ over, body: '{}' })).status).toBe(401)
    expect((await call({ over, headers: { ...auth, ...json }, body: '{"word":"a"}' })).text).toBe('{"word":"a"}')
  })
})

test('a body above 1 MiB is refused', async () => {
  for (const path of ['/v1/echo', '/v1/hooks/unknown/event']) {
    const sent = call({ path, headers: { ...auth, ...json }, body: Buffer.alloc(3_000_000, 'x') })
    expect((await sent.catch(() => ({ status: 413 }))).status).toBe(413)
  }
})

test('an error of ours travels whole, another is told in general and logged without its text', async () => {
  const known = await call({ path: '/v1/failing', headers: { ...auth, ...json }, body: '{"how":"unknown"}' })
  expect([known.status, JSON.parse(known.text)]).toEqual([
    404,
    { error: { code: 'unknown-id', message: 'no such session', hint: 'look at `deja last`' } },
  ])
  const unknown = await call({ path: '/v1/failing', headers: { ...auth, ...json }, body: '{"how":"other"}' })
  expect([unknown.status, unknown.text.includes('hunter2')]).toEqual([500, false])
  const logged = await readFile(logFile(dataDir), 'utf8')
  expect([logged.includes('/v1/failing'), logged.includes('hunter2')]).toEqual([true, false])
})
