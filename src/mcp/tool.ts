import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { CallResult } from '../client/client.ts'
import type { ToolQuestion } from '../daemon/tool-api.ts'
import { DejaError } from '../shared/errors.ts'
import { questionOf } from './arguments.ts'
import { toolDefinition } from './definition.ts'
import { sentenceFor } from './sentence.ts'

/** One call of the tool. Never throws: what is wrong is said to the model, which can do better then. */
export async function callTool(
  { name, arguments: given }: { name: string; arguments?: Record<string, unknown> | undefined },
  directory: string,
  ask: (question: ToolQuestion) => Promise<CallResult<{ text: string }>>,
): Promise<CallToolResult> {
  if (name !== toolDefinition.name) return said({ text: `There is no tool "${name}"; use "deja".`, isError: true })
  let question: ToolQuestion
  try {
    question = questionOf(given, directory)
  } catch (error) {
    if (!(error instanceof DejaError)) throw error
    // nothing that was recorded is in it: it stands without a frame
    const where = error.path === undefined ? '' : `${error.path}: `
    return said({ text: `${where}${error.message}`, isError: true })
  }
  const answer = await ask(question)
  return said(answer.ok ? { text: answer.value.text, isError: false } : sentenceFor(answer.error))
}

const said = ({ text, isError }: { text: string; isError: boolean }): CallToolResult => ({
  content: [{ type: 'text', text }],
  ...(isError ? { isError } : {}),
})
