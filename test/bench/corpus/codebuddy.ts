import { join } from 'node:path'
import type { Written } from './codewhale.ts'
import { contentOf, stepMs, type Call, type Conversation, type Turn } from './conversation.ts'
import type { Random } from './random.ts'
import { TextFile, writeTextFile } from './text-file.ts'

export interface CodebuddyShape {
  /** `/branch`: copies of another session's first turns. */
  branch?: { parentId: string; turns: number; at: number }
  /** An automatic compaction stands before this turn; nothing above it goes. */
  compactedAt?: number
  /** A session that a sub-agent of this one had. */
  subagent?: Conversation
}

/** Characters from which the client keeps a result in a file of its own. */
const apartFrom = 50_000

/** A transcript of CodeBuddy 2.117.0: a line an item, a result's text in it three times over. */
export function writeCodebuddy(random: Random, store: string, made: Conversation, shape: CodebuddyShape): Written {
  const { id, project } = made
  const { branch, subagent } = shape
  const directory = join(store, project.workspace.replaceAll('/', '-').replace(/^-/, ''))
  const items = new Items(random, join(directory, `${id}.jsonl`), made, id, 'cli')
  made.turns.forEach((turn, n) => {
    if (n === shape.compactedAt) items.compaction(made.title, turn.at - 2000)
    items.copies = branch !== undefined && n < branch.turns
    items.turn(turn)
  })
  const content = contentOf(made.turns.slice(branch?.turns ?? 0))
  if (shape.compactedAt !== undefined) content.records++
  let extra = 0
  if (subagent) {
    const name = `agent-${subagent.id.slice(0, 8)}`
    const own = new Items(
      random,
      join(directory, id, 'subagents', `${name}.jsonl`),
      made,
      subagent.id,
      'general-purpose',
    )
    for (const turn of subagent.turns) own.turn(turn)
    extra += own.close()
    items.agent(subagent, name)
    // the call's answer; and of the sub-agent's session its tasks, answers and changes
    content.records += 1 + contentOf(subagent.turns.map(kept)).records
  }
  const bytes = items.close() + extra
  if (branch) {
    const meta = { forkedFrom: branch.parentId, forkedAt: branch.at }
    writeTextFile(join(directory, `${id}.meta.json`), JSON.stringify(meta, null, 2), items.at)
  }
  return { id, workspace: project.workspace, path: items.path, bytes, ...content }
}

function kept(turn: Turn): Turn {
  const isKept = ({ kind }: Call) => kind === 'edit' || kind === 'write'
  return { ...turn, steps: turn.steps.map(step => ({ ...step, calls: step.calls.filter(isKept) })) }
}

class Items {
  at: number
  /** Whether the items are a branch's copies, which carry no session id. */
  copies = false
  readonly path: string
  readonly #random: Random
  readonly #file: TextFile
  readonly #cwd: string
  readonly #session: string
  readonly #agent: string
  #parent: string | undefined

  constructor(random: Random, path: string, made: Conversation, session: string, agent: string) {
    this.path = path
    this.#random = random
    this.#file = new TextFile(path)
    this.#cwd = made.project.workspace
    this.#session = session
    this.#agent = agent
    this.at = made.startedAt
  }

  close(): number {
    return this.#file.close(this.at)
  }

  turn(turn: Turn): void {
    this.at = turn.at
    this.#person(turn.prompt, {})
    for (const { thinking, says, calls } of turn.steps) {
      this.at += stepMs
      const response = `chatcmpl-${this.#random.hex(16)}`
      const provider = this.#provider()
      if (thinking !== '') {
        const rawContent = [{ type: 'reasoning_text', text: thinking }]
        this.#item(this.#random.uuid(), 'reasoning', { providerData: provider, content: [], rawContent })
      }
      const usage = this.#usage()
      if (says !== '') {
        const content = [{ providerData: { annotations: [] }, type: 'output_text', text: says }]
        const providerData = calls.length === 0 ? { ...provider, ...usage.provider } : provider
        const message = calls.length === 0 ? { message: usage.message } : {}
        this.#item(response, 'message', { role: 'assistant', status: 'completed', content, providerData, ...message })
      }
      calls.forEach((call, n) => this.#call(call, response, provider, n === calls.length - 1 ? usage : null))
    }
  }

  /** The call that had the sub-agent run. */
  agent(subagent: Conversation, name: string): void {
    const [turn] = subagent.turns
    const provider = this.#provider()
    const callId = `call_${this.#random.hex(8)}_0`
    const input = { subagent_type: 'general-purpose', description: subagent.title, prompt: turn?.prompt ?? '' }
    this.#item(`chatcmpl-${this.#random.hex(16)}`, 'function_call', {
      providerData: provider,
      callId,
      name: 'Agent',
      arguments: JSON.stringify(input),
    })
    const text = `${turn?.steps.at(-1)?.says ?? ''}\n\n[Agent ID: ${name}]`
    const toolResult = { content: text, subAgent: { sessionId: name } }
    this.#result(callId, 'Agent', text, { ...provider, toolResult })
  }

  compaction(title: string, at: number): void {
    this.at = at
    const marks = { skipRun: false, isCompactInternal: true }
    const text = `<conversation_history_summary>\n<summary>\n${title} went so far.\n</summary>\n</conversation_history_summary>`
    this.#person(text, { ...marks, compactType: 'emergency-auto', isCompacted: true, isSummary: true })
    this.#person('Please continue with the conversation based on the summarized context above.', marks)
  }

  #person(text: string, marks: object): void {
    const providerData = { ...marks, agent: this.#agent }
    this.#item(this.#random.uuid(), 'message', { role: 'user', content: [{ type: 'input_text', text }], providerData })
  }

  #call(call: Call, response: string, provider: object, usage: Usage | null): void {
    const { name, input, text, raw } = toolOf(call, this.#cwd)
    const callId = `call_${this.#random.hex(8)}_0`
    const spent = usage === null ? {} : usage.provider
    this.#item(response, 'function_call', {
      providerData: { ...provider, argumentsDisplayText: Object.values(input)[0], ...spent },
      callId,
      name,
      arguments: JSON.stringify(input),
      ...(usage && { message: usage.message }),
    })
    if (text.length > apartFrom) {
      const apart = join(this.path.replace(/\.jsonl$/, ''), 'tool-results', `${callId}.txt`)
      writeTextFile(apart, text, this.at)
      const size = `${Math.round(text.length / 1024)}KB`
      const stub = `<persisted-output>\nOutput too large (${size}). Full output saved to: ${apart}\n\nPreview (first 2KB):\n${text.slice(0, 2048)}\n</persisted-output>`
      this.#result(callId, name, stub, { ...provider, toolResult: { content: stub, rawResponse: raw } })
      return
    }
    const renderer = { type: 'text', value: call.kind === 'command' ? call.output : '' }
    this.#result(callId, name, text, { ...provider, toolResult: { content: text, renderer, rawResponse: raw } })
  }

  #result(callId: string, name: string, text: string, providerData: object): void {
    this.#item(this.#random.uuid(), 'function_call_result', {
      name,
      callId,
      status: 'completed',
      output: { type: 'text', text },
      providerData,
    })
  }

  #item(id: string, type: string, rest: object): void {
    const session = this.copies ? {} : { sessionId: this.#session }
    const item = { id, ...(this.#parent !== undefined && { parentId: this.#parent }), timestamp: this.at, type }
    this.#file.write(`${JSON.stringify({ ...item, ...rest, ...session, cwd: this.#cwd })}\n`)
    this.#parent = id
  }

  #provider(): object {
    const random = this.#random
    return {
      messageId: random.hex(32),
      model: 'stub-large',
      requestModelId: 'custom-local:stub-large',
      requestModelName: 'Stub Large',
      traceId: random.hex(32),
      conversationRequestId: random.hex(32),
      agent: this.#agent,
    }
  }

  #usage(): Usage {
    const [input, output] = [this.#random.below(90_000), this.#random.below(3_000)]
    const usage = {
      requests: 1,
      inputTokens: input,
      outputTokens: output,
      totalTokens: input + output,
      inputTokensDetails: [{ cached_tokens: 0 }],
      outputTokensDetails: [{ reasoning_tokens: 0 }],
    }
    const rawUsage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
    return { provider: { rawUsage, usage }, message: { usage: { input_tokens: input, output_tokens: output } } }
  }
}

interface Usage {
  provider: object
  message: object
}

function toolOf(call: Call, cwd: string): { name: string; input: Record<string, string>; text: string; raw: object } {
  switch (call.kind) {
    case 'command': {
      const { command, exitCode, output } = call
      const failed = exitCode !== 0
      const text = `Command: ${command}\nStdout: ${failed ? '(empty)' : output}\nStderr: ${failed ? output : '(empty)'}\nExit Code: ${exitCode}\nSignal: (none)`
      const raw = { exitCode, signal: null, interrupted: false, tool_error_code: failed ? '8002' : '0' }
      return { name: 'Bash', input: { command, description: 'Run it' }, text, raw }
    }
    case 'read': {
      const text = call.lines.map((line, n) => `${String(n + 1).padStart(5)}→${line}`).join('\n')
      return { name: 'Read', input: { file_path: `${cwd}/${call.file.path}` }, text, raw: { type: 'text' } }
    }
    case 'edit': {
      const path = `${cwd}/${call.path}`
      const input = { file_path: path, old_string: call.removed, new_string: call.added }
      return { name: 'Edit', input, text: `Successfully edited file: ${path}`, raw: {} }
    }
    case 'write': {
      const path = `${cwd}/${call.path}`
      const text = `Successfully created and wrote to new file: ${path}`
      return { name: 'Write', input: { file_path: path, content: call.added }, text, raw: {} }
    }
  }
}
