import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import * as z from 'zod'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import { nearest } from '../shared/nearest.ts'
import { homeOf } from '../shared/paths.ts'
import { keyOfLine, lineOfKey } from './toml-lines.ts'

/** `config.toml` as the person writes it. Every key is optional; an unknown one is an error, since a misspelt exclusion opens what it was to close. */
export const settingsSchema = z.strictObject({
  /** How readily deja speaks: `safe`, `aggressive` (wider gates, doubled sizes), `off`. Default `safe`. `DEJA_RECALL` in a hook's environment wins. */
  recall: z.enum(['safe', 'aggressive', 'off']).default('safe'),
  /** Sub-agents' sessions: `0` none, `1` their whole runs, `"default"` the task, the answer and the edits. `DEJA_INCLUDE_SUBAGENTS` wins. */
  include_subagents: z.union([z.literal(0), z.literal(1), z.literal('default')]).default('default'),
  exclude: z
    .strictObject({
      /** Directories (absolute, or below `~`): sessions that worked in one or below it are never read. Default none. */
      projects: z.array(place()).default([]),
      /** Transcripts, or directories of them (absolute, or below `~`), that are never opened. Default none. */
      paths: z.array(place()).default([]),
    })
    .prefault({}),
  memory: z
    .strictObject({
      /** Resident memory of the daemon in MB, above which the index sheds its oldest passages (never the archive). Default 550; 128 to 65,536. */
      ceiling_mb: z.int().min(128).max(65_536).default(550),
    })
    .prefault({}),
  /** The room of what is injected, in characters, frame included; 0 turns one off. `aggressive` doubles the first two. */
  recall_sizes: z
    .strictObject({
      /** Default 2,400; at most 8,000. */
      digest: size(8000).default(2400),
      /** Default 1,800; at most 8,000. */
      recall: size(8000).default(1800),
      /** Default 500; at most 2,000. */
      hint: size(2000).default(500),
      /** Default 500; at most 2,000. */
      fix: size(2000).default(500),
      /** Default 4,000; at most 8,000. */
      packet: size(8000).default(4000),
    })
    .prefault({}),
  usage: z
    .strictObject({
      /** A file of prices (absolute, or below `~`) instead of the shipped table. Default none. */
      prices: place().optional(),
    })
    .prefault({}),
  retention: z
    .strictObject({
      /** Days after which a session that nothing was added to is forgotten, and notes as old. Default none: kept for good. 1 to 36,500. */
      days: z.int().min(1).max(36_500).optional(),
    })
    .prefault({}),
  daemon: z
    .strictObject({
      /** Hours without any call after which the daemon ends by itself (the next hook starts it). Default 24; 0: never; at most 8,760. */
      idle_exit_hours: z.number().min(0).max(8760).default(24),
    })
    .prefault({}),
})

function place() {
  return z.string().refine(path => isAbsolute(path) || path === '~' || path.startsWith('~/'), {
    error: 'expected an absolute path, or one that begins with ~/',
  })
}

function size(most: number) {
  return z.int().min(0).max(most)
}

/** What `config.toml` and the daemon's environment ask for, defaults filled in. */
export interface Settings {
  recall: 'safe' | 'aggressive' | 'off'
  subagents: 'default' | 'all' | 'none'
  /** Absolute paths. */
  exclude: { projects: readonly string[]; paths: readonly string[] }
  memoryCeilingMb: number
  /** Characters. */
  recallSizes: { digest: number; recall: number; hint: number; fix: number; packet: number }
  /** Absolute path, or null: the shipped table. */
  prices: string | null
  retentionDays: number | null
  /** 0: never. */
  idleExitHours: number
}

/**
 * Reads `config.toml` of a data directory; one that isn't there gives the defaults. A broken one throws `config` with
 * file, line and key.
 */
export function loadSettings(dataDir: string, env: Environment = {}): Settings {
  const file = join(dataDir, 'config.toml')
  const text = readText(file)
  const config = validate(file, text, parseText(file, text))
  const absolute = (path: string) => (path.startsWith('~') ? join(homeOf(env), path.slice(1)) : path)
  return {
    recall: config.recall,
    subagents: subagents(env.DEJA_INCLUDE_SUBAGENTS ?? String(config.include_subagents)),
    exclude: { projects: config.exclude.projects.map(absolute), paths: config.exclude.paths.map(absolute) },
    memoryCeilingMb: config.memory.ceiling_mb,
    recallSizes: config.recall_sizes,
    prices: config.usage.prices === undefined ? null : absolute(config.usage.prices),
    retentionDays: config.retention.days ?? null,
    idleExitHours: config.daemon.idle_exit_hours,
  }
}

function subagents(value: string): Settings['subagents'] {
  return value === '0' ? 'none' : value === '1' ? 'all' : 'default'
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new DejaError('config', `${file}: can't be read`, { path: file, cause: error })
  }
}

function parseText(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [what] = error.message.split('\n')
    const key = keyOfLine(text, error.line)
    throw broken(file, error.line, `${what ?? 'invalid TOML'}${key === null ? '' : ` (key "${key}")`}`, error)
  }
}

function validate(file: string, text: string, value: unknown): z.output<typeof settingsSchema> {
  const result = settingsSchema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = (issue?.path ?? []).map(String)
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    const near = nearest(key, keysAt(path))
    const full = [...path, key]
    throw broken(
      file,
      lineOfKey(text, full),
      `unknown key "${full.join('.')}"${near === null ? '' : `; did you mean "${near}"?`}`,
      result.error,
    )
  }
  throw broken(file, lineOfKey(text, path), `"${path.join('.')}": ${issue?.message ?? 'invalid'}`, result.error)
}

function broken(file: string, line: number, what: string, cause: unknown): DejaError {
  return new DejaError('config', `${file}:${line}: ${what}`, {
    path: file,
    cause,
    hint: 'Mend that line, or remove it.',
  })
}

/** The keys that the schema knows below a path. */
function keysAt(path: readonly string[]): string[] {
  const known = Object.keys(settingsSchema.parse({}))
  const [table] = path
  if (table === undefined) return known
  const tables: Record<string, z.ZodType> = settingsSchema.shape
  const inner = tables[table]
  const object = inner instanceof z.ZodPrefault ? inner.unwrap() : inner
  return object instanceof z.ZodObject ? Object.keys(object.shape) : []
}
