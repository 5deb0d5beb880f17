import { createServer, request as httpRequest, Agent, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nextRequestOn, watchDelivery } from '../../src/daemon/delivery.ts'

let server: Server
let port: number
let told: string[]
const answer = 'x'.repeat(2000)

beforeEach(async () => {
  const mine: string[] = []
  told = mine
  server = createServer((request, response) => {
    nextRequestOn(request)
    watchDelivery(request, response, { given: () => mine.push('given'), owed: () => mine.push('owed') })
    const delay = Number(request.headers['x-delay'] ?? 0)
    setTimeout(() => response.writeHead(200, { 'content-length': answer.length }).end(answer), delay)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (delay = 0) => `POST / HTTP/1.1\r\nHost: x\r\nX-Delay: ${delay}\r\nContent-Length: 0\r\n\r\n`

test('given: the client read all of it and closed', async () => {
  const socket = connect(port, '127.0.0.1')
  let got = 0
  socket.on('data', chunk => {
    got += chunk.length
    if (got > answer.length) socket.end()
  })
  socket.write(ask())
  await expect.poll(() => told).toEqual(['given'])
})

test('given: another request comes on the same connection', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const sent = httpRequest({ port, agent, method: 'POST' }, reply => reply.resume().on('end', () => resolve()))
      sent.on('error', reject).end()
    })
  await call()
  expect(told).toEqual([])
  await call()
  expect(told).toEqual(['given'])
  agent.destroy()
})

test('owed: the client reset the connection', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('data', () => socket.resetAndDestroy()).on('error', () => undefined)
  socket.write(ask())
  await expect.poll(() => told).toEqual(['owed'])
})

test('owed: the client left before the reply', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write(ask(100))
  setTimeout(() => socket.destroy(), 30)
  await expect.poll(() => told).toEqual(['owed'])
})

test('owed: the client neither closes nor asks again', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.resume().write(ask())
  await expect.poll(() => told, { timeout: 4000 }).toEqual(['owed'])
  socket.destroy()
})
