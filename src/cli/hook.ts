import type { Readable } from 'node:stream'
import { harnesses } from '../harness/registry.ts'
import { callHook } from '../client/hook.ts'
import { startInBackground, type ClientContext } from '../client/start.ts'

/** What `deja hook` waits for its stdin. */
const STDIN_MS = 120
const DAEMON_MS = 150
/** As much as the daemon takes (1 MiB), less the environment. */
const STDIN_LIMIT_BYTES = 1_000_000

/**
 * `deja hook <harness> <event>`: the shim in Node. Prints the answer and nothing else; a daemon that is away is started
 * behind it. Never throws.
 */
export async function hookDoor(
  [harness = '', event = '']: readonly string[],
  context: ClientContext & { stdin: Readable; now: () => Date; out: (text: string) => void },
): Promise<void> {
  try {
    const environment = harnesses.find(({ id }) => id === harness)?.hooks.environment ?? []
    const stdin = await readWithin(context.stdin, STDIN_MS)
    const reply = await callHook(context, { harness, event, stdin, environment, deadlineMs: DAEMON_MS })
    if (reply === null) startInBackground(context, context.now)
    else if (reply.status === 200) context.out(reply.body.toString('utf8'))
  } catch {
    // A hook is never in the way.
  }
}

/** All of stdin, or what came of it in time. */
function readWithin(stdin: Readable, limitMs: number): Promise<Buffer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    const finish = () => {
      clearTimeout(timer)
      stdin.off('data', take)
      stdin.destroy()
      resolve(Buffer.concat(chunks).subarray(0, STDIN_LIMIT_BYTES))
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > STDIN_LIMIT_BYTES) finish()
    }
    const timer = setTimeout(finish, limitMs)
    stdin.on('data', take).once('end', finish).once('error', finish)
  })
}
