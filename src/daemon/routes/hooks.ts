import type { FastifyInstance, FastifyReply } from 'fastify'
import { watchDelivery } from '../delivery.ts'
import { parseHookBody } from '../hook-body.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'

const NAME = '[A-Za-z0-9_-]{1,64}'

/**
 * `POST /v1/hooks/<harness>/<event>` (the body: hook-body.ts) answers with the text to print, or 204. Whatever goes
 * wrong inside, the agent hears nothing: a hook must never be in the way.
 */
export function registerHookRoute(app: FastifyInstance, services: Services, log: Log): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Params: { harness: string; event: string } }>(
    `/v1/hooks/:harness(^${NAME}$)/:event(^${NAME}$)`,
    async (request, reply) => {
      const started = performance.now()
      const { event } = request.params
      const harness = services.harnesses.find(({ id }) => id === request.params.harness)
      const call = parseHookBody(event, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
      if (harness === undefined || call === null) return reply.code(204).send()
      const record = (injected: boolean) =>
        services.hookStats.record(harness.id, event, performance.now() - started, injected, services.now())
      // It comes later, from the socket: nobody else would catch it.
      const attempt = (settle: () => void) => {
        try {
          settle()
        } catch (error) {
          log.error(`delivery of ${harness.id} ${event}`, error)
        }
      }
      try {
        const answer = await services.recall.answer(harness, call)
        if (answer === null) {
          record(false)
          return await reply.code(204).send()
        }
        watchDelivery(request.raw, reply.raw, {
          given: () => attempt(() => answer.given()),
          owed: () => attempt(() => answer.owed()),
        })
        record(true)
        sendAnswer(reply, answer.stdout)
        return await reply
      } catch (error) {
        log.error(`hook ${harness.id} ${event}`, error)
        record(false)
        return reply.code(204).send()
      }
    },
  )
}

/** Few headers: the shim in bash reads them byte by byte. The reply secret is there already (gate.ts), as the first. */
function sendAnswer(reply: FastifyReply, text: string): void {
  const bytes = Buffer.from(text)
  reply.hijack()
  reply.raw.sendDate = false
  reply.raw.writeHead(200, { 'content-length': bytes.length, 'content-type': 'text/plain; charset=utf-8' })
  reply.raw.end(bytes)
}
