import { existsSync, statSync } from 'node:fs'
import * as z from 'zod'
import { search } from '../../search/search.ts'
import { whenOf } from '../../search/when.ts'
import { DejaError } from '../../shared/errors.ts'
import type { SessionJson } from '../../archive/read/session-reader.ts'
import type { ShownRecord } from '../../archive/read/shown.ts'
import {
  indexEndpoint,
  lastEndpoint,
  mostSessions,
  resumeEndpoint,
  searchEndpoint,
  showEndpoint,
  type RecordJson,
} from '../memory-api.ts'
import { route } from '../route.ts'
import { sessionKey } from '../session-ref.ts'

const text = z.string().max(20_000)
const id = z.string().min(1).max(300)

export const searchRoute = route(
  searchEndpoint,
  z.object({
    query: text,
    harness: z.string().max(40).optional(),
    project: z.string().max(4096).optional(),
    session: id.optional(),
    role: z.enum(['user', 'assistant', 'tool']).optional(),
    since: z.string().max(40).optional(),
    until: z.string().max(40).optional(),
    limit: z.number().int().min(1).max(mostSessions),
  }),
  (services, input) => {
    const started = performance.now()
    const { archive, index, harnesses } = services
    const now = services.now()
    const { query, harness, project, session, role, since, until, limit } = input
    if (harness !== undefined && !harnesses.some(known => known.id === harness)) {
      throw new DejaError('usage', `--harness: there is no "${harness}".`, {
        hint: `Known: ${harnesses.map(known => known.id).join(', ')}.`,
      })
    }
    const answer = search(
      { archive, index, now },
      {
        query,
        limit,
        ...(harness === undefined ? {} : { harness }),
        ...(project === undefined ? {} : { project: services.projectOf(project) }),
        ...(session === undefined ? {} : { session: sessionKey(archive, session) }),
        ...(role === undefined ? {} : { role }),
        ...(since === undefined ? {} : { since: whenOf(since, 'since', now) }),
        ...(until === undefined ? {} : { until: whenOf(until, 'until', now) }),
      },
    )
    const tookMs = Math.round((performance.now() - started) * 10) / 10
    return { schemaVersion: 1 as const, query, tookMs, ...answer }
  },
)

export const showRoute = route(
  showEndpoint,
  z.object({ id, offset: z.number().int().min(0), limit: z.number().int().min(0).max(100_000) }),
  ({ archive }, { id, offset, limit }) => {
    const key = sessionKey(archive, id)
    const session = archive.sessions.json(key)
    if (session === null) throw new DejaError('unknown-id', `The session "${id}" has just gone.`)
    const { total, records } = archive.records.ofSession(key, { offset, limit })
    return {
      schemaVersion: 1 as const,
      session,
      total,
      records: records.map(recordJson),
    }
  },
)

/** Without the archive's own numbers. */
function recordJson(record: ShownRecord & { n: number }): RecordJson {
  const {
    n,
    kind,
    at,
    text = '',
    tool,
    command,
    exitCode,
    outcome,
    path,
    removed,
    added,
    aside,
    copied,
    partial,
  } = record
  return {
    n,
    kind,
    at,
    text,
    ...(tool !== undefined && { tool }),
    ...(command !== undefined && { command }),
    ...(exitCode !== undefined && { exitCode }),
    ...(outcome !== undefined && { outcome }),
    ...(path !== undefined && { path }),
    ...(removed !== undefined && { removed }),
    ...(added !== undefined && { added }),
    ...(aside !== undefined && { aside }),
    ...(copied !== undefined && { copied }),
    ...(partial !== undefined && { partial }),
  }
}

export const lastRoute = route(
  lastEndpoint,
  z.object({ directory: z.string().max(4096).nullable(), limit: z.number().int().min(1).max(10_000) }),
  ({ archive, projectOf }, { directory, limit }) => ({
    schemaVersion: 1 as const,
    sessions: archive.sessions.newest({ limit, ...(directory === null ? {} : { project: projectOf(directory) }) }),
  }),
)

export const resumeRoute = route(resumeEndpoint, z.object({ id }), ({ archive, harnesses }, { id }) => {
  const key = sessionKey(archive, id)
  const [session, kept] = [archive.sessions.json(key), archive.sessions.kept(key)]
  const harness = harnesses.find(known => known.id === session?.harness)
  if (session === null || kept === null || harness === undefined)
    throw new DejaError('refused', `Nothing is known of the agent that wrote "${id}".`)
  if (session.deleted && session.kind !== 'subagent')
    return { schemaVersion: 1 as const, session, resume: { ok: false, reason: gone(session) } }
  const directoryExists = session.workspace !== null && isDirectory(session.workspace)
  const resume = harness.lifecycle.resume(kept, { directoryExists, platform: process.platform })
  return { schemaVersion: 1 as const, session, resume }
})

function gone({ harness, id }: SessionJson): string {
  return `Its agent has deleted it: \`deja restore ${harness}:${id}\` writes it back first, where that can be done.`
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

export const indexRoute = route(indexEndpoint, z.object({ rebuild: z.boolean() }), async (services, { rebuild }) => {
  if (rebuild) await services.ingest.rebuild()
  await services.ingest.settle()
  return {
    schemaVersion: 1 as const,
    archive: services.archive.counts(),
    passages: services.index.stats.passages,
  }
})
