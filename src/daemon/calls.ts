import fastify, { type FastifyInstance } from 'fastify'
import { failure, noSuchCall } from './failure.ts'
import { BODY_LIMIT_BYTES } from './gate.ts'
import type { Log } from './log.ts'
import type { Route } from './route.ts'
import type { Services } from './services.ts'

/** The calls of the command line and the tools, ready to be routed. */
export async function openCalls(services: Services, routes: readonly Route[], log: Log): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: BODY_LIMIT_BYTES, exposeHeadRoutes: false })
  app.setNotFoundHandler((_request, reply) => {
    const { status, body } = noSuchCall()
    return reply.code(status).send(body)
  })
  app.setErrorHandler((error, request, reply) => {
    const { status, body, unexpected } = failure(error)
    if (unexpected) log.error(`${request.method} ${request.routeOptions.url ?? '?'}`, error)
    return reply.code(status).send(body)
  })
  for (const { method, url, answer } of routes) {
    app.route({ method, url, handler: async request => answer(services, request.body ?? undefined) })
  }
  await app.ready()
  return app
}
