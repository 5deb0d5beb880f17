import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { Writable, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientContext } from '../client/start.ts'
import { toolEndpoint, toolSessionsEndpoint, type ToolQuestion } from '../daemon/tool-api.ts'
import { VERSION } from '../shared/version.ts'
import { DaemonLink } from './daemon-link.ts'
import { instructions, toolDefinition } from './definition.ts'
import { listed, read, RESOURCES_LISTED, sessionOf, sessionTemplate } from './resources.ts'
import { callTool } from './tool.ts'

export interface McpContext extends ClientContext {
  /** The server's own directory (absolute): its project is asked first. */
  cwd: string
  stdin: Readable
  /** Takes JSON-RPC and nothing else. */
  out: (text: string) => void
}

/** What is under way when stdin ends is finished within this. */
const LAST_CALLS_MS = 3000

/** Serves MCP on stdio until stdin ends. A thin client: the daemon composes every answer. */
export async function serveMcp(context: McpContext): Promise<void> {
  const { stdin, env, out } = context
  const link = new DaemonLink(context)
  const underWay = new Set<Promise<unknown>>()
  const ended = new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve())
  })
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      out(String(chunk))
      done()
    },
  })
  const mcp = serverFor(context, link, underWay)
  await mcp.connect(new StdioServerTransport(stdin, stdout))
  // the agent will ask in a while: its first question shouldn't wait for a start
  if (env.DEJA_NO_AUTOSTART !== '1') void link.wake()
  await ended
  await Promise.race([Promise.allSettled(underWay), sleep(LAST_CALLS_MS, null, { ref: false })])
  // a reply is written in the turn after its call is through
  await sleep(0)
  link.close()
  await mcp.close()
}

function serverFor({ cwd }: McpContext, link: DaemonLink, underWay: Set<Promise<unknown>>): McpServer {
  const mcp = new McpServer(
    { name: 'deja', title: 'deja', version: VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  const counted = <T>(call: Promise<T>): Promise<T> => {
    underWay.add(call)
    const through = () => underWay.delete(call)
    call.then(through, through)
    return call
  }
  const ask = (question: ToolQuestion, signal: AbortSignal) =>
    counted(link.call(toolEndpoint, { directory: cwd, question }, signal))

  // The level below: the high one tells a wrong argument by its validator's dump instead of a sentence.
  const { server } = mcp
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [toolDefinition] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    callTool(params, cwd, question => ask(question, signal)),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [sessionTemplate] }))
  server.setRequestHandler(ListResourcesRequestSchema, async (_request, { signal }) =>
    listed(await counted(link.call(toolSessionsEndpoint, { directory: cwd, limit: RESOURCES_LISTED }, signal))),
  )
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) =>
    read(uri, await ask({ mode: 'context', id: sessionOf(uri) }, signal)),
  )
  return mcp
}
