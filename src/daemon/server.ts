import type { FastifyInstance } from 'fastify'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DejaError } from '../shared/errors.ts'
import { nextRequestOn } from './delivery.ts'
import { failure } from './failure.ts'
import { Gate, type Secrets } from './gate.ts'
import type { Log } from './log.ts'
import type { Route } from './route.ts'
import { HookCalls } from './routes/hooks.ts'
import type { Services } from './services.ts'
import { runDir } from './state.ts'

/** The path of a Unix socket fits into 104 bytes on macOS and 108 on Linux, the closing zero included. */
const SOCKET_PATH_BYTES = 103
/** How long calls that are under way get at the end. */
const DRAIN_MS = 3000

export interface ServerOptions {
  services: Services
  secrets: Secrets
  /** Calls without input that are asked for while the daemon starts: nothing more is loaded for them. */
  first: readonly Route[]
  /** All calls; asked for once, when one of them comes that isn't among the first. */
  routes: () => Promise<readonly Route[]>
  log: Log
  /** Called at each admitted request's start. */
  onCall: () => void
  /** Called where the calls can't be loaded: the program was replaced under the running daemon, say. */
  onUnable: () => void
}

/** The daemon's doors: a port on the loopback, and a Unix socket in the run directory where there can be one. */
export class ApiServer {
  readonly #hooks: HookCalls
  readonly #first: readonly Route[]
  readonly #openCalls: () => Promise<FastifyInstance>
  readonly #services: Services
  readonly #log: Log
  #app: Promise<FastifyInstance> | undefined
  readonly #gate: Gate
  readonly #onCall: () => void
  readonly #onUnable: () => void
  readonly #dataDir: string
  readonly #servers: Server[] = []
  #socket: string | null = null

  constructor({ services, secrets, first, routes, log, onCall, onUnable }: ServerOptions) {
    this.#gate = new Gate(secrets)
    this.#onCall = onCall
    this.#onUnable = onUnable
    this.#dataDir = services.dataDir
    this.#hooks = new HookCalls(services, log)
    this.#first = first
    this.#openCalls = async () => {
      const [{ openCalls }, all] = await Promise.all([import('./calls.ts'), routes()])
      return openCalls(services, all, log)
    }
    this.#services = services
    this.#log = log
  }

  /** Opens both doors; gives where they are. */
  async listen(platform: NodeJS.Platform): Promise<{ port: number; socket?: string }> {
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
    const app = await this.#app?.catch(() => undefined)
    await app?.close()
    if (this.#socket !== null) rmSync(this.#socket, { force: true })
  }

  /**
   * Hooks are answered here, and so are the first calls. The rest waits for Fastify, which takes longer to load than an
   * agent waits: it is loaded when the first of them comes.
   */
  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#hooks.takes(request, response)) return
    const bare = this.#first.find(({ method, url }) => method === request.method && url === request.url)
    if (bare !== undefined) {
      void this.#answerBare(bare, response)
      return
    }
    this.#app ??= this.#openCalls()
    this.#app.then(
      app => {
        app.routing(request, response)
      },
      (error: unknown) => {
        this.#log.error('loading the calls', error)
        const { status, body } = failure(
          new DejaError('unavailable', "The running daemon can't load its program, which was replaced; it ends now.", {
            hint: 'Try again: the next call starts the new one.',
          }),
        )
        sendJson(response, status, body)
        this.#onUnable()
      },
    )
  }

  async #answerBare(route: Route, response: ServerResponse): Promise<void> {
    try {
      sendJson(response, 200, await route.answer(this.#services, undefined))
    } catch (error) {
      const { status, body, unexpected } = failure(error)
      if (unexpected) this.#log.error(`GET ${route.url}`, error)
      sendJson(response, status, body)
    }
  }

  #createServer(): Server {
    // The gate stands before the router, so that nothing that isn't admitted learns which calls there are.
    const server = createServer(
      { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 2000, keepAliveTimeout: 5000 },
      (request, response) => {
        nextRequestOn(request)
        if (!this.#gate.admits(request, response)) return
        this.#onCall()
        this.#answer(request, response)
      },
    )
    server.maxConnections = 512
    server.on('clientError', (_error, socket) => socket.destroy())
    this.#servers.push(server)
    return server
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value))
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
  response.writeHead(status, headers).end(body)
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
