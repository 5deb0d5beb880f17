import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Environment } from '../shared/environment.ts'

/**
 * The agents' homes that were in force at an install. The daemon may be started from anywhere, so it looks for stores
 * under its own environment and under each of these.
 */

const schema = z.object({
  schemaVersion: z.literal(1),
  /** Variables that say where homes are, `null` where one was unset. Newest first. */
  homes: z.array(z.record(z.string(), z.string().nullable())),
})

/** Homes come and go with throw-away environments: only the newest count. */
const MOST = 20

const fileOf = (dataDir: string): string => join(dataDir, 'homes.json')

function read(dataDir: string): Record<string, string | null>[] {
  try {
    return schema.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))).homes
  } catch {
    return [] // none yet; a broken one is as good as none, and the next install writes it anew
  }
}

/** Remembers what these variables say now. */
export function recordHomes(dataDir: string, env: Environment, variables: readonly string[]): void {
  const now = Object.fromEntries([...new Set(variables)].map(name => [name, env[name] ?? null]))
  const key = (each: Record<string, string | null>): string => JSON.stringify(Object.entries(each).toSorted())
  const others = read(dataDir).filter(each => key(each) !== key(now))
  const text = `${JSON.stringify({ schemaVersion: 1, homes: [now, ...others].slice(0, MOST) }, null, 2)}\n`
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${fileOf(dataDir)}.${process.pid}.new`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, fileOf(dataDir))
}

/** The environment as it is, then as it was at each recorded install: a store is asked for its roots under every one. */
export function homesOf(dataDir: string, env: Environment): Environment[] {
  const then = read(dataDir).map(homes => ({
    ...env,
    ...Object.fromEntries(Object.entries(homes).map(([name, value]) => [name, value ?? undefined])),
  }))
  return [env, ...then]
}
