import { isAbsolute, join, resolve } from 'node:path'
import type { Environment } from '../../shared/environment.ts'
import { homeOf } from '../../shared/paths.ts'

/** The directory that a variable names: absolute, or below the home with `~`. Null where it is unset, blank or relative. */
export function directoryNamed(env: Environment, variable: string): string | null {
  const path = env[variable]?.trim() ?? ''
  const expanded = /^~(?=[/\\]|$)/.test(path) ? join(homeOf(env), path.slice(1)) : path
  return isAbsolute(expanded) ? resolve(expanded) : null
}
