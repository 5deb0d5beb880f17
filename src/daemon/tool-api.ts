import * as z from 'zod'
import type { Endpoint } from './api.ts'

/** Calls of the MCP server: what the tool `deja` is asked, and the framed text that it carries back. */

/** Characters of an error that are looked at: its end tells most. */
const errorLimit = 100_000

const words = z.string().trim().min(1).max(2000)
const place = z.string().trim().min(1).max(4096)
const name = z.string().trim().min(1).max(300)
/** Hits, turns or lines at most; room may allow fewer. */
const limit = z.int().min(1).max(50).optional()
const project = place.optional()
const harness = z.string().trim().min(1).max(40).optional()

/** What the tool is asked, by mode. Keys that a mode doesn't know are let go. */
export const toolQuestion = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('recall'), query: words, project, harness, limit }),
  z.object({ mode: z.literal('context'), id: name, query: words.optional(), limit }),
  /** `line`: the text of the line asked about, which the server has read. `absolute`: the path seen from its directory. */
  z.object({
    mode: z.literal('blame'),
    path: place,
    absolute: place.optional(),
    line: z.string().max(10_000).optional(),
    limit,
  }),
  z.object({ mode: z.literal('how'), query: name, project, limit }),
  z.object({
    mode: z.literal('fix'),
    error: z
      .string()
      .trim()
      .min(1)
      .transform(text => text.slice(-errorLimit)),
    project,
  }),
  z.object({ mode: z.literal('orient'), project }),
  z.object({ mode: z.literal('remember'), text: z.string().trim().min(1).max(2000), project }),
])
export type ToolQuestion = z.infer<typeof toolQuestion>
export type ToolMode = ToolQuestion['mode']

/** `directory`: the server's own (absolute). `text`: one frame within its mode's cap. */
export const toolEndpoint: Endpoint<{ directory: string; question: ToolQuestion }, { schemaVersion: 1; text: string }> =
  { method: 'POST', url: '/v1/tool' }

/** A session as a resource list names it: nothing that was recorded, since no frame stands around it. */
export interface ToolSession {
  harness: string
  id: string
  /** Day, agent, short id. */
  label: string
}

/** The newest sessions, this directory's project first; those that are live there are left out. */
export const toolSessionsEndpoint: Endpoint<
  { directory: string; limit: number },
  { schemaVersion: 1; sessions: ToolSession[] }
> = { method: 'POST', url: '/v1/tool/sessions' }
