import type { IncomingMessage, ServerResponse } from 'node:http'
import { watchDelivery } from '../delivery.ts'
import { BODY_LIMIT_BYTES } from '../gate.ts'
import { parseHookBody } from '../hook-body.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'

const PATH = /^\/v1\/hooks\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})$/

/**
 * `POST /v1/hooks/<harness>/<event>` (the body: hook-body.ts) answers with the text to print, or 204. Whatever goes
 * wrong inside, the agent hears nothing: a hook must never be in the way. Served without Fastify: these calls come while
 * an agent waits, from the daemon's first moment on.
 */
export class HookCalls {
  readonly #services: Services
  readonly #log: Log

  constructor(services: Services, log: Log) {
    this.#services = services
    this.#log = log
  }

  /** False: it is another's call, and untouched. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    const [, harness, event] = request.method === 'POST' ? (PATH.exec(request.url ?? '') ?? []) : []
    if (harness === undefined || event === undefined) return false
    bodyOf(request, body => {
      if (body === null) response.writeHead(413, { connection: 'close', 'content-length': 0 }).end()
      else void this.#answer(request, response, { harness, event, body })
    })
    return true
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    { harness: id, event, body }: { harness: string; event: string; body: Buffer },
  ): Promise<void> {
    const started = performance.now()
    const services = this.#services
    const harness = services.harnesses.find(each => each.id === id)
    const call = parseHookBody(event, body)
    if (harness === undefined || call === null) {
      response.writeHead(204).end()
      return
    }
    const record = (injected: boolean) =>
      services.hookStats.record(harness.id, event, performance.now() - started, injected, services.now())
    // It comes later, from the socket: nobody else would catch it.
    const attempt = (settle: () => void) => {
      try {
        settle()
      } catch (error) {
        this.#log.error(`delivery of ${harness.id} ${event}`, error)
      }
    }
    try {
      const answer = await services.recall.answer(harness, call)
      if (answer === null) {
        record(false)
        response.writeHead(204).end()
        return
      }
      watchDelivery(request, response, {
        given: () => attempt(() => answer.given()),
        owed: () => attempt(() => answer.owed()),
      })
      record(true)
      sendAnswer(response, answer.stdout)
    } catch (error) {
      this.#log.error(`hook ${harness.id} ${event}`, error)
      record(false)
      if (!response.headersSent) response.writeHead(204).end()
    }
  }
}

/** Hands the whole body over; null where it is larger than the limit. Nothing where the caller goes away. */
function bodyOf(request: IncomingMessage, take: (body: Buffer | null) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  let over = Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES
  if (over) {
    take(null)
    return
  }
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (over) return
    if (bytes > BODY_LIMIT_BYTES) {
      over = true
      take(null)
    } else chunks.push(chunk)
  })
  request.once('end', () => {
    const [first] = chunks
    if (!over) take(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
  })
  request.once('error', () => undefined)
}

/** Few headers: the shim in bash reads them byte by byte. The reply secret is there already (gate.ts), as the first. */
function sendAnswer(response: ServerResponse, text: string): void {
  const bytes = Buffer.from(text)
  response.sendDate = false
  response.writeHead(200, { 'content-length': bytes.length, 'content-type': 'text/plain; charset=utf-8' })
  response.end(bytes)
}
