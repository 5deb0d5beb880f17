import { existsSync, readFileSync } from 'node:fs'
import { startDaemon, type ClientContext } from '../client/start.ts'
import { stopDaemon } from '../client/stop.ts'
import { logFile } from '../daemon/log.ts'

interface DaemonContext extends ClientContext {
  platform: NodeJS.Platform
  now: () => Date
  out: (text: string) => void
  err: (text: string) => void
}

export type DaemonAction = 'run' | 'start' | 'stop' | 'restart' | 'logs'

/** `deja daemon …` but `status`. Gives the exit code; throws DejaError. */
export async function daemonCommand(action: DaemonAction, context: DaemonContext): Promise<number> {
  const { dataDir, out, err } = context
  switch (action) {
    case 'run': {
      // The daemon's whole code is loaded only where it runs.
      const { runDaemon } = await import('../daemon/daemon.ts')
      const { ran } = await runDaemon(context)
      if (!ran) err('deja: a daemon is running already.\n')
      return 0
    }
    case 'start':
    case 'restart': {
      if (action === 'restart') await stopDaemon(dataDir)
      const { pid, port } = await startDaemon(context)
      err(`deja: the daemon runs (process ${pid}, port ${port}).\n`)
      return 0
    }
    case 'stop':
      err((await stopDaemon(dataDir)) ? 'deja: the daemon has ended.\n' : 'deja: no daemon was running.\n')
      return 0
    case 'logs': {
      const files = [`${logFile(dataDir)}.1`, logFile(dataDir)].filter(path => existsSync(path))
      for (const path of files) out(readFileSync(path, 'utf8'))
      return 0
    }
  }
}
