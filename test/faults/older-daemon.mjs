// A daemon of an older protocol, as far as a client sees one: node older-daemon.mjs <data directory> <better-sqlite3>.
import { createRequire } from 'node:module'
import { createServer } from 'node:http'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , dataDir, sqlite] = process.argv
const Database = createRequire(import.meta.url)(sqlite)
const lock = new Database(join(dataDir, 'run/lock.db'))
lock.exec('BEGIN EXCLUSIVE')
const [token, replySecret, instanceId] = ['a', 'b', 'c'].map(each => each.repeat(64))
const server = createServer((request, response) => {
  response.setHeader('x-deja-reply', replySecret)
  if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end()
  if (request.url === '/v1/status')
    return response.end(JSON.stringify({ instanceId, pid: process.pid, state: 'ready' }))
  if (request.url !== '/v1/drain') return response.writeHead(404).end()
  response.end(JSON.stringify({ draining: true }))
  setTimeout(() => {
    rmSync(join(dataDir, 'run/daemon.json'))
    process.exit(0)
  }, 300)
})
server.listen(0, '127.0.0.1', () => {
  const about = { pid: process.pid, startedAt: '2026-01-01T00:00:00.000Z', version: '0.0.1', protocol: 0, instanceId }
  const where = { host: '127.0.0.1', port: server.address().port, token, replySecret }
  writeFileSync(join(dataDir, 'run/daemon.json'), `${JSON.stringify({ ...about, ...where })}\n`, { mode: 0o600 })
})
