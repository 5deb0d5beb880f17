import type { IncomingMessage, ServerResponse } from 'node:http'

/** An agent that didn't take its answer by then has gone on without it. */
const DEADLINE_MS = 2000

/**
 * Tells whether a reply arrived. The client closes first (this server doesn't), so an end of its side after the whole
 * reply was handed over means that it read all of it: a client that leaves with bytes unread resets the connection.
 * So does a next request on the same connection. All else (a reset, an end before the reply, silence) is not arriving.
 */
export function watchDelivery(
  request: IncomingMessage,
  response: ServerResponse,
  told: { given: () => void; owed: () => void },
): void {
  const { socket } = request
  const timer = setTimeout(() => settle(false), DEADLINE_MS)
  timer.unref()
  const onEnd = () => settle(response.writableFinished)
  const onClose = () => settle(false)
  socket.once('end', onEnd)
  socket.once('close', onClose)
  pendingOn.set(socket, () => settle(response.writableFinished))

  let settled = false
  function settle(arrived: boolean) {
    if (settled) return
    settled = true
    clearTimeout(timer)
    socket.off('end', onEnd).off('close', onClose)
    pendingOn.delete(socket)
    if (arrived) told.given()
    else told.owed()
  }
}

/** What to call when another request comes in on a connection. */
const pendingOn = new WeakMap<IncomingMessage['socket'], () => void>()

/** To be called at each request's start. */
export function nextRequestOn(request: IncomingMessage): void {
  pendingOn.get(request.socket)?.()
}
