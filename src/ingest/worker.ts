import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads'
import { identityOf, isCorrupt, setAside } from '../archive/database.ts'
import type { ReaderOptions } from '../harness/harness.ts'
import { harnesses } from '../harness/registry.ts'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import { runHelper } from './helper.ts'
import type { Call, Failure, FromWorker, ToWorker, WorkerStart } from './protocol.ts'
import { noteReading } from './reading-note.ts'
import { REDACTION_VERSION, redact } from './redaction/redact.ts'
import { River } from './river.ts'

// The worker thread's door: the river in, and what the main thread asks of it; or, started by the river itself, a helper.

const port = parentPort
if (!port) throw new Error('ingest-worker runs as a worker thread')
const redactor = { version: REDACTION_VERSION, redact }
const start = workerData as WorkerStart | { helper: ReaderOptions }
if ('helper' in start) runHelper(port, harnesses, { options: start.helper, redactor })
else await runRiver(port, start)

async function runRiver(port: MessagePort, start: WorkerStart): Promise<void> {
  const post = (message: FromWorker) => port.postMessage(message)
  const now = () => Date.now()
  const reader = { subagents: start.settings.subagents }
  let river: River
  try {
    river = new River(
      {
        archive: start.archive,
        environments: environmentsUnder(start),
        harnesses,
        redactor,
        exclude: start.settings.exclude,
        reader,
        now,
        helper: {
          begin: () => new Worker(new URL(import.meta.url), { workerData: { helper: reader }, name: 'ingest-helper' }),
          // beside this thread and the main one, which indexes what comes
          most: availableParallelism() > 3 ? 2 : 1,
        },
        reading: path => noteReading(start.reading, path),
      },
      event => post({ type: 'event', event }),
    )
  } catch (error) {
    post({ type: 'failed', failure: failureOf(error) })
    process.exit(0)
  }
  post({ type: 'opened', archive: identityOf(start.archive) ?? '' })

  port.on('message', (message: ToWorker) => {
    if (message.type === 'taken') river.taken()
    else if (message.type === 'stop') river.stop()
    else {
      const { id, call } = message
      answer(river, call).then(
        result => post({ type: 'reply', id, result }),
        (error: unknown) => post({ type: 'refused', id, failure: failureOf(error) }),
      )
    }
  })

  if (start.crashedOn !== null) river.crashedOn(start.crashedOn)
  try {
    await river.run()
  } catch (error) {
    // what is broken can't be mended, but all that is still on disk can be read again, by the next worker
    if (isCorrupt(error)) setAside(start.archive, now)
    throw error
  }
  port.close()
}

/** Those that the daemon began with; read again when an install has recorded another home. */
function environmentsUnder({ dataDir, env, homes }: WorkerStart): () => readonly Environment[] {
  let environments: readonly Environment[] = [env, ...homes]
  const markOf = () => statSync(join(dataDir, 'homes.json'), { throwIfNoEntry: false })?.mtimeMs
  let mark = markOf()
  return () => {
    const now = markOf()
    if (now === mark) return environments
    mark = now
    // loaded for that alone: its checks of what it reads would cost every start
    void import('../settings/homes.ts').then(({ homesOf }) => (environments = homesOf(dataDir, env)))
    return environments
  }
}

async function answer(river: River, call: Call) {
  switch (call.name) {
    case 'peek':
      await river.peek(call.path)
      return null
    case 'settle':
      await river.settle()
      return null
    case 'rebuild':
      await river.rebuild()
      await river.settle()
      return null
    case 'forget':
      return river.forget(call.target, call.dryRun)
    case 'unforget':
      return river.unforget(call.target)
    case 'remember':
      await river.remember(call.project, call.text)
      return null
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof DejaError))
    return { message: error instanceof Error ? error.message : String(error), code: 'internal' }
  const { message, code, path, hint } = error
  return { message, code, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) }
}
