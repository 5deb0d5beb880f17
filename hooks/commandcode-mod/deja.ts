// deja for Command Code: adds what past sessions settled to each question, tells deja when a session ends, and keeps
// a line in the footer. Written by `deja install commandcode-auto`; `deja uninstall commandcode-auto` takes it away.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

/** deja's data directory when this file was installed. DEJA_HOME wins. */
const installedHome: string = '__DEJA_HOME__'

/** The client waits for us before each model call, without a limit of its own. */
const questionMs = 150
/** At its exit the client waits 300 ms for all its mods. */
const endMs = 250
const statusMs = 1_000
/** Characters of a question that are sent: the daemon takes bodies up to 1 MiB. */
const longestQuestion = 100_000
/** Earlier questions asked for at once when a session is resumed; older ones stay as they are. */
const mostReplays = 200
const longestReply = 64 * 1024

interface Block {
  type: string
  text?: string
  [field: string]: unknown
}

interface Message {
  role: string
  content: string | readonly Block[]
  meta?: { source?: string; messageId?: string; isMeta?: boolean; isAutomated?: boolean; isSummary?: boolean }
}

interface Context {
  cwd?: string
}

/** The parts of the client's mod interface that are used here. */
interface Host {
  cwd?: string
  ui?: {
    capabilities?: { status?: boolean }
    setStatus?(text: string | null): unknown
  }
  hooks(hooks: {
    transformContext(
      input: { messages: readonly Message[]; state: { sessionId?: string } },
      context?: Context,
    ): Promise<readonly Message[]>
    onSessionStart(input: { sessionId?: string }): void
    onSessionEnd(): Promise<void>
  }): unknown
  on?(event: string, listener: () => void): unknown
}

/** `run/daemon.json`, as far as a client needs it. */
interface Daemon {
  host: string
  port: number
  token: string
  replySecret: string
}

interface Question {
  index: number
  id: string
  text: string
  /** It is about to be answered; an earlier one went out before, with a block or without. */
  isNew: boolean
}

export default function deja(cmd: Host): void {
  let session: string | undefined
  /** By session and question: the block that goes with it, or null for good where it once went out without one. */
  const blocks = new Map<string, Map<string, string | null>>()

  cmd.hooks({
    async transformContext({ messages, state }, context) {
      try {
        session = state.sessionId ?? session
        if (session === undefined) return messages
        return await withBlocks(session, messages, context?.cwd ?? cmd.cwd ?? '')
      } catch {
        return messages
      }
    },
    onSessionStart({ sessionId }) {
      session = sessionId ?? session
      showStatus()
    },
    async onSessionEnd() {
      if (session === undefined) return
      const payload = { session_id: session, cwd: cmd.cwd, hook_event_name: 'session-end' }
      await call('POST', '/v1/hooks/commandcode/session-end', hookBody(payload), Date.now() + endMs)
    },
  })
  try {
    cmd.on?.('turn_end', showStatus)
  } catch {
    // An event that this version doesn't have: the line is renewed with each session.
  }

  async function withBlocks(id: string, messages: readonly Message[], cwd: string): Promise<readonly Message[]> {
    const known = blocks.get(id) ?? new Map<string, string | null>()
    blocks.set(id, known)
    const questions = questionsIn(messages)
    const unknown = questions.filter(question => !known.has(question.id))
    if (unknown.length > 0) {
      const deadline = Date.now() + questionMs
      // The newest first: it is the one that matters.
      const asked = unknown.reverse().slice(0, mostReplays)
      for (const question of unknown) known.set(question.id, null)
      await Promise.all(
        asked.map(async question => known.set(question.id, await blockFor(id, question, cwd, deadline))),
      )
      showStatus()
    }
    const added = questions.filter(question => typeof known.get(question.id) === 'string')
    if (added.length === 0) return messages
    const changed = [...messages]
    for (const { index, id: question } of added) {
      const message = messages[index]
      const block = known.get(question)
      if (message !== undefined && typeof block === 'string') changed[index] = withBlock(message, block)
    }
    return changed
  }

  function showStatus(): void {
    if (cmd.ui?.capabilities?.status !== true) return
    void call('GET', '/v1/statusline', undefined, Date.now() + statusMs, true).then(reply => {
      const line = lineOf(reply)
      try {
        cmd.ui?.setStatus?.(line === '' ? null : line)
      } catch {
        // No footer to write to any more.
      }
    })
  }
}

/** The footer's line in a reply of `/v1/statusline`, or ''. */
function lineOf(reply: string | undefined): string {
  try {
    const { line } = JSON.parse(reply ?? '{}') as { line?: unknown }
    return typeof line === 'string' ? line.replace(/\p{Cc}/gu, ' ').trim() : ''
  } catch {
    return ''
  }
}

/** The person's messages. Tool results, wake-ups, hooks' feedback and what other mods say are none. */
function questionsIn(messages: readonly Message[]): Question[] {
  const questions: Question[] = []
  const seen = new Map<string, number>()
  const lastAnswer = messages.findLastIndex(message => message.role === 'assistant')
  messages.forEach(({ role, content, meta = {} }, index) => {
    if (role !== 'user' || meta.isMeta === true || meta.isAutomated === true || meta.isSummary === true) return
    if (!['user', 'steering', 'followup', 'cli'].includes(meta.source ?? 'user')) return
    // The client's own words after a model call that failed carry an id and nothing else (1.64.0).
    if (meta.messageId !== undefined && Object.keys(meta).length === 1) return
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    if (blocks.some(block => block.type === 'tool_result')) return
    const text = blocks.flatMap(block => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n')
    if (text.trim() === '') return
    // Without an id of its own a message is known by its text, and by how often that was said before.
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 24)
    const times = (seen.get(hash) ?? 0) + 1
    seen.set(hash, times)
    questions.push({ index, id: meta.messageId ?? `text-${hash}-${times}`, text, isNew: index > lastAnswer })
  })
  return questions
}

function withBlock(message: Message, block: string): Message {
  const { content } = message
  const text = { type: 'text', text: block }
  return { ...message, content: typeof content === 'string' ? `${content}\n\n${block}` : [...content, text] }
}

async function blockFor(session: string, question: Question, cwd: string, deadline: number): Promise<string | null> {
  const payload = {
    session_id: session,
    cwd,
    hook_event_name: 'prompt',
    prompt: question.text.slice(0, longestQuestion),
    prompt_cut: question.text.length > longestQuestion,
    message_id: question.id,
    replay: !question.isNew,
  }
  const block = await call('POST', '/v1/hooks/commandcode/prompt', hookBody(payload), deadline)
  return block?.startsWith('<deja-recall>') === true ? block : null
}

/** Blocks of a name, a length in bytes and the bytes, as the shim sends them; `stdin` comes last. */
function hookBody(payload: unknown): Buffer {
  const parts: Buffer[] = []
  const add = (name: string, value: string): void => {
    const bytes = Buffer.from(value)
    parts.push(Buffer.from(`${name} ${bytes.length}\n`), bytes, Buffer.from('\n'))
  }
  if (process.env.DEJA_RECALL !== undefined) add('DEJA_RECALL', process.env.DEJA_RECALL)
  add('stdin', JSON.stringify(payload))
  return Buffer.concat(parts)
}

let daemon: Daemon | undefined

/** The reply's text; undefined where there is none, or none in time. Never throws. `idle`: holds no process up. */
async function call(
  method: 'GET' | 'POST',
  path: string,
  body: Buffer | undefined,
  deadline: number,
  idle = false,
): Promise<string | undefined> {
  daemon ??= readDaemon()
  const asked = daemon
  if (asked === undefined) return undefined
  const reply = await send(asked, method, path, body, deadline, idle)
  if (reply !== undefined) return reply === '' ? undefined : reply
  // It is gone, or another one came: its file says which.
  daemon = readDaemon()
  if (daemon === undefined || Date.now() >= deadline) return undefined
  if (daemon.port === asked.port && daemon.token === asked.token) return undefined
  const second = await send(daemon, method, path, body, deadline, idle)
  return second === '' ? undefined : second
}

function readDaemon(): Daemon | undefined {
  try {
    const home = process.env.DEJA_HOME || installedHome
    const found: unknown = JSON.parse(readFileSync(join(home, 'run', 'daemon.json'), 'utf8'))
    return isDaemon(found) ? found : undefined
  } catch {
    return undefined
  }
}

function isDaemon(value: unknown): value is Daemon {
  const { host, port, token, replySecret } = (value ?? {}) as Partial<Record<keyof Daemon, unknown>>
  return [host, token, replySecret].every(text => typeof text === 'string' && text !== '') && typeof port === 'number'
}

/** '' for an empty reply; undefined where nobody answered who knows the reply secret, or not in time. */
function send(
  { host, port, token, replySecret }: Daemon,
  method: string,
  path: string,
  body: Buffer | undefined,
  deadline: number,
  idle: boolean,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const headers = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${token}`,
      // That we close, and not the daemon, tells it that the whole answer arrived.
      connection: 'keep-alive',
      ...(body === undefined ? {} : { 'content-type': 'application/octet-stream', 'content-length': body.length }),
    }
    const asking = request({ host, port, method, path, headers, agent: false }, reply => {
      // A stranger on the port doesn't know the secret: nothing that it says is read.
      if (reply.headers['x-deja-reply'] !== replySecret) {
        end(undefined)
        return
      }
      const chunks: Buffer[] = []
      let length = 0
      reply.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > longestReply) end(undefined)
      })
      reply.on('end', () => {
        end(reply.complete && reply.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : '')
      })
      reply.on('error', () => end(undefined))
    })
    const timer = setTimeout(() => end(undefined), Math.max(1, deadline - Date.now()))
    let done = false
    function end(text: string | undefined): void {
      if (done) return
      done = true
      clearTimeout(timer)
      // Closed in the middle, the daemon knows that its answer was not taken.
      if (text === undefined) asking.destroy()
      resolve(text)
    }
    asking.on('error', () => end(undefined))
    if (idle) {
      timer.unref()
      asking.on('socket', socket => socket.unref())
    }
    asking.end(body)
  })
}
