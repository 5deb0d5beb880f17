import { readFileSync } from 'node:fs'
import type { Harness } from '../harness/harness.ts'
import type { Environment } from '../shared/environment.ts'

/** How many days the agent itself keeps a transcript after it was last written; null: for good. */
export function daysKept(harness: Harness, env: Environment): number | null {
  const { settingsFile } = harness.lifecycle.retention(null, env)
  return harness.lifecycle.retention(settingsFile === null ? null : textOf(settingsFile), env).days
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
