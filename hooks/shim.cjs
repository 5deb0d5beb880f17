// deja's hook where there is neither bash nor curl, and on Windows: passes what the agent sent to the daemon and prints
// the answer, or nothing. Usage: deja-hook <harness> <event>. CommonJS with node:net alone: it starts fastest.
'use strict'
const net = require('node:net')
const fs = require('node:fs')
const path = require('node:path')

/* global BAKED */
const { dataDir, cli, protocol, environment } = BAKED
const [harness = '', event = ''] = process.argv.slice(2)
process.on('uncaughtException', () => process.exit(0))
if (!/^[\w-]+ [\w-]+$/.test(`${harness} ${event}`)) process.exit(0)

const chunks = []
let bytes = 0
const stdinTimer = setTimeout(send, 120)
process.stdin.on('data', chunk => {
  chunks.push(chunk)
  bytes += chunk.length
  if (bytes > 1e6) send()
})
process.stdin.on('end', send).on('error', send)

let sent = false
function send() {
  if (sent) return
  sent = true
  clearTimeout(stdinTimer)
  process.stdin.destroy()
  let state
  try {
    state = JSON.parse(fs.readFileSync(path.join(dataDir, 'run', 'daemon.json'), 'utf8'))
  } catch {
    return startDaemon()
  }
  if (state.protocol !== protocol) process.exit(0)
  const { port, token, replySecret } = state
  if (!/^[0-9a-f]{64}$/.test(replySecret ?? '')) return startDaemon()
  // Less than the daemon takes (1 MiB), with room for the environment.
  const stdin = Buffer.concat(chunks).subarray(0, 1e6)
  const body = Buffer.concat([...blocks(), Buffer.from(`stdin ${stdin.length}\n`), stdin, Buffer.from('\n')])
  const socket = net.connect(port, '127.0.0.1')
  const timer = setTimeout(() => socket.destroy(new Error('too late')), 150)
  let reply = Buffer.alloc(0)
  let done = false
  socket.on('connect', () => {
    socket.write(
      `POST /v1/hooks/${harness}/${event} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body)
  })
  socket.on('data', chunk => {
    reply = Buffer.concat([reply, chunk])
    const end = reply.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = reply.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)
    // A stranger on the port doesn't know the secret.
    if (!head.includes(`\r\nx-deja-reply: ${replySecret}`)) return socket.destroy()
    if (reply.length < end + 4 + length) return
    done = true
    clearTimeout(timer)
    socket.destroy()
    const answer = head.startsWith('HTTP/1.1 200') ? reply.subarray(end + 4, end + 4 + length) : ''
    process.stdout.write(answer, () => process.exit(0))
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearTimeout(timer)
    if (!done) startDaemon()
  })
}

function* blocks() {
  for (const name of [...(environment[harness] ?? []), 'DEJA_RECALL']) {
    if (process.env[name] === undefined) continue
    const value = Buffer.from(process.env[name])
    yield Buffer.from(`${name} ${value.length}\n`)
    yield value
    yield Buffer.from('\n')
  }
}

/** At most one start at a time: run/starting holds the second in which the last one began, and counts for ten. */
function startDaemon() {
  if (process.env.DEJA_NO_AUTOSTART === '1') process.exit(0)
  const claim = path.join(dataDir, 'run', 'starting')
  const second = Math.floor(Date.now() / 1000)
  fs.mkdirSync(path.dirname(claim), { recursive: true, mode: 0o700 })
  try {
    fs.writeFileSync(claim, `${second}\n`, { flag: 'wx', mode: 0o600 })
  } catch {
    const age = second - Number(fs.readFileSync(claim, 'utf8'))
    if (age >= 0 && age < 10) process.exit(0)
    fs.writeFileSync(claim, `${second}\n`, { mode: 0o600 })
  }
  const env = { ...process.env, DEJA_HOME: dataDir }
  const options = { detached: true, stdio: 'ignore', windowsHide: true, env }
  require('node:child_process').spawn(process.execPath, [cli, 'daemon', 'run'], options).unref()
  process.exit(0)
}
