import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { Environment } from './environment.ts'

/** The user's home directory (absolute). */
export function homeOf(env: Environment): string {
  const named = [env.HOME, env.USERPROFILE].find(path => path !== undefined && isAbsolute(path))
  return named ?? homedir()
}

/** Where everything that deja owns stands (absolute; may not exist yet): `$DEJA_HOME`, else the platform's own place for data. */
export function dataDir(env: Environment, platform: NodeJS.Platform): string {
  if (env.DEJA_HOME) return resolve(env.DEJA_HOME)
  const home = homeOf(env)
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'deja')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'deja')
  // The XDG rules say that a relative value is to be ignored.
  const data = env.XDG_DATA_HOME
  return join(data && isAbsolute(data) ? data : join(home, '.local', 'share'), 'deja')
}
