import type { Compaction } from '../archive/read/compaction-reader.ts'
import type { PlacedRecord } from '../archive/recall-queries.ts'
import type { Channel, ItemKind, Moment, ToolUse } from '../harness/hooks.ts'
import { commandForm } from '../shared/command.ts'
import type { Asker } from './asker.ts'
import { isInspection, isVariant } from './commands.ts'
import type { Compactions } from './compactions.ts'
import type { Digests } from './digest.ts'
import { fixFor, knownToFail } from './fix.ts'
import { fileHint, type HintSources } from './hint.ts'
import type { Ledger } from './ledger.ts'
import type { Note } from './note.ts'
import { packetOf } from './packet.ts'
import type { ParkedNotes } from './parked.ts'
import { recallFor, type Candidate } from './prompt-recall.ts'
import type { Due, Reply } from './reply.ts'

export interface DueContext extends HintSources {
  asker: Asker
  channel: Channel
  /** What this agent's before-tool would carry. */
  before: Channel
  digestAtStart: boolean
  /** The stores aren't read through yet: what isn't found may still come. */
  filling: boolean
  digests: Digests
  ledger: Ledger
  parked: ParkedNotes
  compactions: Compactions
  redact: (text: string) => string
  records: (session: number) => PlacedRecord[]
  compaction: (session: number) => Compaction | null
}

export interface DueAt {
  due: Due[]
  /** What the question made one think of. */
  candidates: Candidate[]
  /** To be called once: with the reply when it arrived, with null when there was none to make. */
  settled: (reply: Reply | null) => void
}

/** A session that was shown this lately lets others speak first. */
const latelyMs = 15 * 60_000
/** Prompts after a compaction, beyond which its packet is late. */
const mostMissed = 3

/** What is due at a moment. Looks and computes; whatever is written down about what was given waits for `settled`. */
export function dueAt(moment: Moment, context: DueContext): DueAt {
  const due: Due[] = []
  const candidates: Candidate[] = []
  const after: ((reply: Reply | null) => void)[] = []
  const { asker, channel, parked } = context
  if (moment.type === 'session-start' && moment.source === 'resume') resumed(context)
  if (moment.type === 'after-tool') afterTool(moment, context, due, after)
  if (channel.room > 0) {
    if (!moment.subagent) packet(moment, context, due)
    for (const waiting of parked.waiting(asker.scope, asker.now)) {
      if (!channel.carries.includes(waiting.kind) || !isNoteKind(waiting.kind)) continue
      due.push({ kind: waiting.kind, notes: [waiting.note] })
      after.push(reply => {
        if (reply?.notes.includes(waiting.note)) parked.taken(waiting.id)
      })
    }
    if (moment.type === 'before-tool') hint(moment.tool, context, due)
    if (moment.type === 'prompt') question(moment.text, context, due, candidates)
    if (!moment.subagent) digest(moment, context, due, after)
  }
  if (moment.type === 'before-tool' && moment.callId !== null) called(moment.callId, moment.tool, context, after)
  return { due, candidates, settled: reply => after.forEach(each => each(reply)) }
}

function isNoteKind(kind: ItemKind): kind is 'hint' | 'fix' | 'recall' {
  return kind === 'hint' || kind === 'fix' || kind === 'recall'
}

/** A resumed conversation knows what it was told; what is new since then is due. */
function resumed({ ledger, asker }: DueContext): void {
  const at = ledger.at(asker.scope, 'digest')
  if (at === null) return
  ledger.remove(asker.scope, 'digest')
  ledger.put(asker.scope, { item: 'digest-since', sessionKey: null }, at)
}

function packet(moment: Moment, context: DueContext, due: Due[]): void {
  const { asker, compactions, channel } = context
  const { own } = asker
  if (!own || !channel.carries.includes('packet')) return
  const owed = compactions.owed(own.key)
  if (!owed && moment.type !== 'compaction') return
  if (!owed) {
    if (asker.now - compactions.announcedMs(own.key) < latelyMs / 15) return
    compactions.announced(own.key, asker.now)
    context.ledger.compacted(asker.scope)
  }
  // an agent that has gone on for several prompts without it needs it no more
  const after = context.compaction(own.key)?.record ?? null
  if (moment.type !== 'compaction' && after !== null) {
    const since = context.queries.prompts(own.key, mostMissed, 'last').filter(record => record.id >= after)
    if (since.length >= mostMissed) {
      compactions.settle(own.key, true, asker.now)
      return
    }
  }
  const workspace = asker.agent.workspace ?? own.workspace
  due.push({
    kind: 'packet',
    make: room => packetOf(context.records(own.key), context.compaction(own.key), workspace, room),
    sessionKey: own.key,
    source: `${own.harness}:${own.id}`,
  })
}

function question(text: string, context: DueContext, due: Due[], candidates: Candidate[]): void {
  const { asker, ledger, channel } = context
  if (!channel.carries.includes('recall') || asker.project === '') return
  const found = recallFor(
    text,
    asker,
    { has: item => ledger.has(asker.scope, item), lately: ledger.recentSessions(asker.scope, asker.now - latelyMs) },
    context,
  )
  candidates.push(...found.candidates)
  if (found.notes.length > 0) due.push({ kind: 'recall', notes: found.notes })
}

function digest(moment: Moment, context: DueContext, due: Due[], after: DueAt['settled'][]): void {
  const { asker, ledger, channel, filling } = context
  if (moment.type !== 'prompt' && moment.type !== 'session-start') return
  if (moment.type === 'session-start' && !context.digestAtStart) return
  if (!channel.carries.includes('digest') || asker.project === '' || ledger.has(asker.scope, 'digest')) return
  const since = ledger.at(asker.scope, 'digest-since')
  const found = context.digests.of(asker, since)
  if (found) due.push({ kind: 'digest', digest: found })
  after.push(reply => {
    // nothing to say is said once, too, but for stores that aren't read through
    if (reply ? reply.kinds.includes('digest') : found === null && !filling)
      ledger.put(asker.scope, { item: 'digest', sessionKey: null }, asker.now)
  })
}

function hint(tool: ToolUse, context: DueContext, due: Due[]): void {
  const { asker, ledger, channel } = context
  if (!channel.carries.includes('hint') || asker.project === '') return
  const note =
    tool.type === 'file' && tool.changes
      ? hintOnce(tool.path, context)
      : tool.type === 'command'
        ? knownToFail(context.redact(tool.command), asker, context)
        : null
  if (note && !ledger.has(asker.scope, note.name)) due.push({ kind: 'hint', notes: [note] })
}

function hintOnce(path: string, context: DueContext): Note | null {
  const note = fileHint(path, context.asker, context)
  return note && !context.ledger.has(context.asker.scope, note.name) ? note : null
}

/** Remembers a call that begins: its command, and what was said with it, should it not run. */
function called(call: string, tool: ToolUse, { parked, asker, redact }: DueContext, after: DueAt['settled'][]): void {
  const command = tool.type === 'command' && !isInspection(tool.command) ? redact(tool.command) : null
  if (command !== null) parked.called(asker.scope, call, command, [], asker.now)
  after.push(reply => {
    if (reply && reply.notes.length > 0) {
      const notes = reply.notes.map(note => ({
        kind: note.name.startsWith('remedy:') ? ('fix' as const) : ('hint' as const),
        note,
      }))
      parked.called(asker.scope, call, command, notes, asker.now)
    }
  })
}

function afterTool(
  moment: Extract<Moment, { type: 'after-tool' }>,
  context: DueContext,
  due: Due[],
  after: DueAt['settled'][],
): void {
  const { asker, ledger, parked, channel, before, redact } = context
  if (asker.project === '') return
  const call = moment.callId === null ? null : parked.call(asker.scope, moment.callId)
  if (moment.swallowed && call)
    for (const { kind, note } of call.notes) {
      // it never arrived
      ledger.remove(asker.scope, note.name)
      parked.park(asker.scope, kind, note, call.command === null ? null : commandForm(call.command), asker.now)
    }
  const command =
    moment.tool?.type === 'command'
      ? redact(moment.tool.command)
      : moment.tool === null
        ? (call?.command ?? null)
        : null
  if (command !== null) {
    if (moment.outcome === 'ok') solved(command, context)
    if (moment.outcome !== 'failed') return
    const note = fixFor({ command, output: redact(moment.output.slice(0, 64_000)) }, asker, context)
    if (!note || ledger.has(asker.scope, note.name)) return
    const form = commandForm(command)
    if (!channel.carries.includes('fix') || channel.room === 0) parked.park(asker.scope, 'fix', note, form, asker.now)
    else {
      due.push({ kind: 'fix', notes: [note] })
      after.push(reply => {
        if (!reply) parked.park(asker.scope, 'fix', note, form, asker.now)
      })
    }
    return
  }
  // the first chance to speak of a file, where nothing reaches the agent before
  if (
    moment.tool?.type !== 'file' ||
    moment.outcome === 'failed' ||
    !channel.carries.includes('hint') ||
    before.carries.includes('hint')
  )
    return
  const note = hintOnce(moment.tool.path, context)
  if (note) due.push({ kind: 'hint', notes: [note] })
}

/** What waits to be said of a failure is of no use once the command, or another form of it, has passed. */
function solved(command: string, { parked, asker }: DueContext): void {
  const form = commandForm(command)
  if (form !== null) parked.solved(asker.scope, form)
  for (const waiting of parked.waitingForms(asker.scope))
    if (isVariant(waiting, command)) parked.solved(asker.scope, waiting)
}
