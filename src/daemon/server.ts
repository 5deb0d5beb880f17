import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { DejaError, type ErrorCode } from '../shared/errors.ts'
import { nextRequestOn } from './delivery.ts'
import { BODY_LIMIT_BYTES, Gate, type Secrets } from './gate.ts'
import type { Log } from './log.ts'
import type { Route } from './route.ts'
import { registerHookRoute } from './routes/hooks.ts'
import type { Services } from './services.ts'
import { runDir } from './state.ts'

/** The path of a Unix socket fits into 104 bytes on macOS and 108 on Linux, the closing zero included. */
const SOCKET_PATH_BYTES = 103
/** How long calls that are under way get at the end. */
const DRAIN_MS = 3000

const STATUS_OF: Record<ErrorCode, number> = {
  usage: 400,
  ambiguous: 400,
  'unknown-id': 404,
  refused: 409,
  config: 500,
  archive: 500,
  unavailable: 503,
  internal: 500,
}

export interface ServerOptions {
  services: Services
  secrets: Secrets
  routes: readonly Route[]
  log: Log
  /** Called at each admitted request's start. */
  onCall: () => void
}

/** The daemon's doors: a port on the loopback, and a Unix socket in the run directory where there can be one. */
export class ApiServer {
  readonly #app: FastifyInstance
  readonly #gate: Gate
  readonly #onCall: () => void
  readonly #dataDir: string
  readonly #servers: Server[] = []
  #socket: string | null = null

  constructor({ services, secrets, routes, log, onCall }: ServerOptions) {
    this.#gate = new Gate(secrets)
    this.#onCall = onCall
    this.#dataDir = services.dataDir
    this.#app = fastify({ bodyLimit: BODY_LIMIT_BYTES, exposeHeadRoutes: false })
    this.#app.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'usage', 'There is no such call.'))
    this.#app.setErrorHandler((error, request, reply) => {
      if (error instanceof DejaError) return sendError(reply, STATUS_OF[error.code], error.code, error.message, error)
      // Fastify's own: a body too large, not JSON, of an unknown type.
      const status = isHttpError(error) ? error.statusCode : 500
      if (status >= 400 && status < 500)
        return sendError(reply, status, 'usage', 'The request is malformed or too large.')
      log.error(`${request.method} ${request.routeOptions.url ?? '?'}`, error)
      return sendError(reply, 500, 'internal', 'The daemon failed at this call; `deja daemon logs` has more.')
    })
    for (const { method, url, answer } of routes) {
      this.#app.route({ method, url, handler: async request => answer(services, request.body ?? undefined) })
    }
    this.#app.register(app => registerHookRoute(app, services, log))
  }

  /** Opens both doors; gives where they are. */
  async listen(platform: NodeJS.Platform): Promise<{ port: number; socket?: string }> {
    await this.#app.ready()
    const tcp = this.#createServer()
    await listening(tcp, () => tcp.listen({ host: '127.0.0.1', port: 0 }))
    const address = tcp.address()
    if (address === null || typeof address === 'string') throw new DejaError('internal', 'No port was given.')
    const path = join(runDir(this.#dataDir), 'daemon.sock')
    if (platform === 'win32' || Buffer.byteLength(path) > SOCKET_PATH_BYTES) return { port: address.port }
    // What stands there was left by a daemon that is gone: the lock is ours.
    rmSync(path, { force: true })
    const unix = this.#createServer()
    try {
      await listening(unix, () => unix.listen(path))
      chmodSync(path, 0o600)
    } catch {
      // A file system without sockets; the port is enough.
      unix.close()
      return { port: address.port }
    }
    this.#socket = path
    return { port: address.port, socket: path }
  }

  /** Takes no more calls, lets those under way end, then closes everything. */
  async close(): Promise<void> {
    const closed = this.#servers.map(server => new Promise<void>(resolve => server.close(() => resolve())))
    for (const server of this.#servers) server.closeIdleConnections()
    const force = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections()
    }, DRAIN_MS)
    await Promise.all(closed)
    clearTimeout(force)
    await this.#app.close()
    if (this.#socket !== null) rmSync(this.#socket, { force: true })
  }

  #createServer(): Server {
    // The gate stands before the router, so that nothing that isn't admitted learns which calls there are.
    const server = createServer(
      { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 2000, keepAliveTimeout: 5000 },
      (request, response) => {
        nextRequestOn(request)
        if (!this.#gate.admits(request, response)) return
        this.#onCall()
        this.#app.routing(request, response)
      },
    )
    server.maxConnections = 512
    server.on('clientError', (_error, socket) => socket.destroy())
    this.#servers.push(server)
    return server
  }
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve()
    })
    listen()
  })
}

function isHttpError(error: unknown): error is { statusCode: number } {
  return typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
}

function sendError(reply: FastifyReply, status: number, code: ErrorCode, message: string, more?: DejaError) {
  return reply.code(status).send({
    error: {
      code,
      message,
      ...(more?.path === undefined ? {} : { path: more.path }),
      ...(more?.hint === undefined ? {} : { hint: more.hint }),
    },
  })
}
