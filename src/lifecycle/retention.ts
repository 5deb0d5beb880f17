import { readFileSync } from 'node:fs'
import type { Harness } from '../harness/harness.ts'
import type { Environment } from '../shared/environment.ts'

const day = 86_400_000

/** Until when the agent itself keeps a transcript that was last written at `writtenMs`; null: for good. */
export function keptUntil(harness: Harness, writtenMs: number, env: Environment): number | null {
  const { settingsFile } = harness.lifecycle.retention(null, env)
  const { days } = harness.lifecycle.retention(settingsFile === null ? null : textOf(settingsFile), env)
  return days === null ? null : writtenMs + days * day
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
