import * as z from 'zod'
import { errorSignatures } from '../../index/errors.ts'
import { blame } from '../../search/blame.ts'
import { how } from '../../search/how.ts'
import { DejaError } from '../../shared/errors.ts'
import {
  blameEndpoint,
  fixEndpoint,
  howEndpoint,
  logEndpoint,
  statuslineEndpoint,
  whyEndpoint,
} from '../evidence-api.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'
import { statusLine } from '../status-line.ts'

const directory = z.string().min(1).max(4096)
/** Failures of one kind, and projects of theirs, that `fix --all` looks at. */
const meetingsLooked = 100
const projectsLooked = 20
const limit = z.number().int().min(1).max(1000)

export const logRoute = route(logEndpoint, z.object({ limit }), ({ recall }, { limit }) => ({
  schemaVersion: 1 as const,
  injections: recall.log(limit),
}))

export const whyRoute = route(
  whyEndpoint,
  z.object({
    n: z.number().int().min(1).nullable(),
    prompt: z.string().min(1).max(100_000).nullable(),
    directory,
  }),
  ({ recall }, { n, prompt, directory }) => {
    if (prompt !== null) return { schemaVersion: 1 as const, injection: null, ...recall.whyPrompt(prompt, directory) }
    const found = recall.why(n ?? undefined)
    if (found === null) {
      if (n !== null)
        throw new DejaError('unknown-id', `There is no injection ${n}.`, { hint: '`deja log` lists them.' })
      return { schemaVersion: 1 as const, injection: null, silence: null, block: null, candidates: [] }
    }
    return { schemaVersion: 1 as const, silence: null, block: null, ...found }
  },
)

export const blameRoute = route(
  blameEndpoint,
  z.object({ path: z.string().min(1).max(4096), line: z.string().max(10_000).nullable(), limit }),
  ({ archive }, { path, line, limit }) => ({
    schemaVersion: 1 as const,
    path,
    touches: blame(archive, path, line, limit),
  }),
)

export const howRoute = route(
  howEndpoint,
  z.object({ tool: z.string().min(1).max(300), directory: directory.nullable(), limit }),
  ({ archive, projectOf }, { tool, directory, limit }) => ({
    schemaVersion: 1 as const,
    tool,
    ways: how(archive, tool, directory === null ? null : projectOf(directory), limit),
  }),
)

export const fixRoute = route(
  fixEndpoint,
  z.object({ error: z.string().min(1).max(500_000), directory, everywhere: z.boolean().optional() }),
  (services, { error, directory, everywhere }) => {
    const { archive, recall, projectOf } = services
    const own = projectOf(directory)
    const others = everywhere === true ? projectsThatMet(services, error).filter(project => project !== own) : []
    const seen = new Set<number>()
    const fixes = [directory, ...others].flatMap(place =>
      recall.fixes(error, place).flatMap(({ text, sessionKey }) => {
        const session = seen.has(sessionKey) ? null : archive.sessions.json(sessionKey)
        seen.add(sessionKey)
        return session === null ? [] : [{ text, session }]
      }),
    )
    return { schemaVersion: 1 as const, fixes }
  },
)

/** Projects in which an error was met before, those of late first. */
function projectsThatMet({ archive }: Services, error: string): string[] {
  const records = errorSignatures(error).flatMap(signature =>
    archive.errors.commands(signature, { limit: meetingsLooked }),
  )
  const projects = records.flatMap(({ session }) => archive.sessions.json(session)?.project ?? [])
  return [...new Set(projects)].slice(0, projectsLooked)
}

export const statuslineRoute = route(statuslineEndpoint, z.undefined(), services => ({
  schemaVersion: 1 as const,
  line: statusLine(services),
}))
