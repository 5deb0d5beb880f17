import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bodies above this are refused (413). */
export const BODY_LIMIT_BYTES = 1024 * 1024

export interface Secrets {
  token: string
  replySecret: string
}

/**
 * Decides about a request before any routing; answers the refused ones itself. In this order: a `Host` that isn't ours
 * on TCP (DNS rebinding), an `Origin` that isn't ours, the token. What passes gets the reply secret, whatever its
 * answer becomes; a refusal never does, since it would hand the secret to whoever asks.
 */
export class Gate {
  readonly #authorization: Buffer
  readonly #replySecret: string

  constructor({ token, replySecret }: Secrets) {
    this.#authorization = digest(`Bearer ${token}`)
    this.#replySecret = replySecret
  }

  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { host, origin, authorization = '' } = request.headers
    const port = request.socket.localPort
    // No port: the Unix socket, which the directory's mode guards.
    const own = [`127.0.0.1:${port ?? 0}`, `localhost:${port ?? 0}`]
    if (port !== undefined && !own.includes(host ?? '')) return refuse(response, 403)
    if (origin !== undefined && !own.some(name => origin === `http://${name}`)) return refuse(response, 403)
    if (!timingSafeEqual(digest(authorization), this.#authorization)) return refuse(response, 401)
    // The first header of all: the shim in bash counts on its place.
    response.setHeader('x-deja-reply', this.#replySecret)
    return true
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refuse(response: ServerResponse, status: 401 | 403): false {
  // The body, if there is one, isn't read; closing tells the sender so.
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).end()
  return false
}
