import { lstatSync } from 'node:fs'
import * as z from 'zod'
import type { SessionJson } from '../../archive/read/session-reader.ts'
import type { Harness } from '../../harness/harness.ts'
import { deleteFiles, filesOf, listingOf } from '../../lifecycle/delete.ts'
import { restoreSession } from '../../lifecycle/restore.ts'
import { daysKept } from '../../lifecycle/retention.ts'
import { parseProblems } from '../../ingest/problems.ts'
import { whenOf } from '../../search/when.ts'
import { DejaError } from '../../shared/errors.ts'
import {
  deletedEndpoint,
  deleteEndpoint,
  forgetEndpoint,
  forgottenEndpoint,
  restoreEndpoint,
  unforgetEndpoint,
  type Choice,
  type ForgottenJson,
} from '../lifecycle-api.ts'
import { liveReason } from '../live.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'
import { sessionKey } from '../session-ref.ts'

const id = z.string().min(1).max(300)
const choice = {
  id: id.optional(),
  project: z.string().min(1).max(4096).optional(),
  harness: z.string().max(40).optional(),
}

const day = 86_400_000
const week = 7 * day
/** For reading what a session's transcript holds before it goes. */
const lastLookMs = 10_000
const everything = 1_000_000

export const deletedRoute = route(deletedEndpoint, z.undefined(), services => {
  const { archive } = services
  const horizon = services.now().getTime() + week
  const soon = services.harnesses.flatMap(harness => {
    const days = daysKept(harness, services.env)
    if (days === null) return []
    return archive.sessions.newest({ harness: harness.id, limit: everything }).flatMap(session => {
      const key = archive.sessions.keyOf(session)
      if (session.deleted || key === null) return []
      const until = archive.sessions.writtenAt(key) + days * day
      return until > horizon ? [] : [{ session, until: new Date(until).toISOString() }]
    })
  })
  return { schemaVersion: 1 as const, sessions: archive.sessions.deleted(), soon }
})

export const deleteRoute = route(
  deleteEndpoint,
  z.object({ ...choice, confirmed: z.array(z.string().max(350)).nullable(), forget: z.boolean() }),
  async (services, { confirmed, forget, ...chosen }) => {
    const seen = confirmed === null ? null : new Set(confirmed)
    const chosenFiles = new Map<SessionJson, string[]>()
    let sessions: { session: SessionJson; paths: string[] }[] = []
    const refused: { session: SessionJson; reason: string }[] = []
    for (const key of keysOf(services, chosen)) {
      const [session, kept] = [services.archive.sessions.json(key), services.archive.sessions.kept(key)]
      if (session === null || kept === null) continue
      if (seen?.has(`${session.harness}:${session.id}`) === false) continue
      const live = liveReason(services, session, key)
      if (live !== null) refused.push({ session, reason: live })
      else if (kept.deleted) refused.push({ session, reason: 'its agent has deleted it already' })
      else {
        const files = filesOf(harnessOf(services, session), kept, services.env)
        chosenFiles.set(session, files)
        sessions.push({ session, paths: listingOf(files) })
      }
    }
    if (seen === null) return { schemaVersion: 1 as const, done: false, sessions, refused }
    // what was written since the last sweep is to be in our copy
    const look = () =>
      Promise.all(sessions.flatMap(({ paths }) => paths.map(path => services.ingest.peek(path, lastLookMs))))
    await look()
    // whoever wants it forgotten needs no copy
    const lacking = forget ? new Map<SessionJson, string>() : lackingOf(services, sessions)
    for (const [session, reason] of lacking) refused.push({ session, reason })
    sessions = sessions.filter(({ session }) => !lacking.has(session))
    for (const { session } of sessions) deleteFiles(chosenFiles.get(session) ?? [])
    // that they are gone is known at once, before the system tells
    await look()
    if (forget) await services.ingest.forget({ sessions: sessions.map(({ session }) => session) })
    return { schemaVersion: 1 as const, done: true, sessions, refused }
  },
)

/** Sessions of which something isn't in the archive yet, and what: deleting them would lose it. */
function lackingOf(
  { archive, ingest }: Services,
  sessions: readonly { session: SessionJson; paths: readonly string[] }[],
): Map<SessionJson, string> {
  const reasonFor = (path: string): string | null => {
    const read = archive.sessions.readAs(path)
    if (read === null) return null
    // half a line at the end of a file that nobody writes any more is no loss
    const problem = parseProblems(read.problems).find(({ code }) => code !== 'waiting')
    if (problem !== undefined) return `deja could not read all of it (${problem.reason})`
    const { size, mtimeMs } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
    return size === undefined || (size === read.size && mtimeMs === read.mtimeMs)
      ? null
      : 'what was written to it last isn’t kept yet'
  }
  const [trouble] = ingest.state().degraded
  return new Map(
    sessions.flatMap(({ session, paths }) => {
      const reason =
        trouble === undefined
          ? paths.reduce<string | null>((found, path) => found ?? reasonFor(path), null)
          : `deja can't keep a copy just now (${trouble})`
      return reason === null ? [] : [[session, reason] as const]
    }),
  )
}

export const restoreRoute = route(restoreEndpoint, z.object({ id }), (services, { id }) => {
  const { archive } = services
  const key = sessionKey(archive, id)
  const [session, kept] = [archive.sessions.json(key), archive.sessions.kept(key)]
  if (session === null || kept === null) throw new DejaError('unknown-id', `The session "${id}" has just gone.`)
  const { records } = archive.records.ofSession(key, { offset: 0, limit: everything })
  const written = restoreSession(harnessOf(services, session), kept, records, services.now())
  return { schemaVersion: 1 as const, session, records: records.length, ...written }
})

export const forgetRoute = route(
  forgetEndpoint,
  z.object({ ...choice, before: z.string().min(1).max(40).optional(), dryRun: z.boolean() }),
  async (services, { before, dryRun, ...chosen }) => {
    const { archive, ingest } = services
    const target =
      before !== undefined
        ? { before: whenOf(before, 'since', services.now(), 'before') }
        : chosen.project !== undefined && chosen.harness === undefined
          ? { project: services.projectOf(chosen.project) }
          : { sessions: keysOf(services, chosen).flatMap(key => archive.sessions.json(key) ?? []) }
    const found = await ingest.forget(target, { dryRun: true })
    const sessions = found.flatMap(({ key }) => archive.sessions.json(key) ?? [])
    // a project may have nothing but notes
    const notes = archive.notes.count(target)
    if (sessions.length === 0 && notes === 0)
      throw new DejaError('unknown-id', 'No session fits; nothing was forgotten.')
    if (!dryRun) await ingest.forget(target)
    return { schemaVersion: 1 as const, dryRun, sessions, notes }
  },
)

export const forgottenRoute = route(forgottenEndpoint, z.undefined(), ({ archive }) => ({
  schemaVersion: 1 as const,
  forgotten: archive.forgotten(),
}))

export const unforgetRoute = route(
  unforgetEndpoint,
  z.object({ value: z.string().min(1).max(4096) }),
  async (services, { value }) => {
    const entry = forgottenEntry(services, value)
    await services.ingest.unforget(
      entry.kind === 'session'
        ? { session: { harness: entry.harness, id: entry.value } }
        : entry.kind === 'project'
          ? { project: entry.value }
          : { before: entry.value },
    )
    return { schemaVersion: 1 as const, forgotten: entry }
  },
)

function forgottenEntry(services: Services, value: string): ForgottenJson {
  const all = services.archive.forgotten()
  const named = (entry: ForgottenJson) => [entry.value, `${entry.harness}:${entry.value}`]
  const exact = all.filter(entry => named(entry).includes(value) || entry.value === services.projectOf(value))
  const found = exact.length > 0 ? exact : all.filter(entry => named(entry).some(name => name.startsWith(value)))
  const [entry] = found
  if (entry === undefined)
    throw new DejaError('unknown-id', `Nothing called "${value}" was forgotten.`, {
      hint: '`deja forget --list` shows what was.',
    })
  if (found.length > 1) {
    const lines = found.map(each => `  ${each.kind === 'session' ? `${each.harness}:` : ''}${each.value}`).join('\n')
    throw new DejaError('ambiguous', `"${value}" begins several:\n${lines}`, { hint: 'Write more of it.' })
  }
  return entry
}

/** The sessions that a caller chose, by row id. Throws `usage` when it chose none. */
function keysOf(services: Services, { id, project, harness }: Choice): number[] {
  const { archive } = services
  if (id !== undefined) return [sessionKey(archive, id)]
  if (project === undefined) throw new DejaError('usage', 'Say which: an id, or --project <dir>.')
  const sessions = archive.sessions
    .ofProject(services.projectOf(project))
    .filter(session => harness === undefined || session.harness === harness)
  if (sessions.length === 0)
    throw new DejaError(
      'unknown-id',
      `No session${harness === undefined ? '' : ` of ${harness}`} was worked in ${project}.`,
    )
  return sessions.flatMap(session => archive.sessions.keyOf(session) ?? [])
}

function harnessOf(services: Services, session: SessionJson): Harness {
  const harness = services.harnesses.find(({ id }) => id === session.harness)
  if (harness === undefined) throw new DejaError('refused', `This version knows no agent "${session.harness}".`)
  return harness
}
