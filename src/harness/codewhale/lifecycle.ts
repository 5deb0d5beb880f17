import { dirname, join } from 'node:path'
import type { SessionRecord } from '../../shared/model.ts'
import { homeOf } from '../../shared/paths.ts'
import type { KeptSession, Lifecycle } from '../lifecycle.ts'
import { messagesOf } from './restore.ts'

export const lifecycle: Lifecycle = {
  resume(session, { directoryExists }) {
    if (session.deleted) {
      return { ok: false, reason: `CodeWhale's file of it is gone: \`deja restore ${session.id}\` writes it back` }
    }
    if (session.kind === 'subagent') {
      const parent = session.parentId === null ? '' : `: resume its parent, ${session.parentId}`
      return { ok: false, reason: `CodeWhale reopens no sub-agent by itself${parent}` }
    }
    const directory = directoryExists ? session.workspace : null
    const note =
      session.workspace !== null && !directoryExists
        ? `${session.workspace} is gone: CodeWhale reopens the session where you are`
        : null
    return { ok: true, command: ['codewhale', '--resume', session.id], directory, note }
  },

  files(session, env) {
    // A sub-agent's transcript lies beside its parent's.
    const ids = [session.id, ...(session.subagents ?? [])]
    const roots = new Set([session.path, ...session.paths].map(path => dirname(path)))
    const files = [...roots].flatMap(root =>
      ids.flatMap(id =>
        COMPANIONS.map(file =>
          join(
            root,
            file.replace('ID', () => id),
          ),
        ),
      ),
    )
    // 0.9.10 keeps artifacts below the home directory even with CODEWHALE_HOME set.
    const artifacts = ids.map(id => join(homeOf(env), '.codewhale', 'sessions', id))
    return [...new Set([...files, ...artifacts])]
  },

  restore(session, records, context) {
    const own = records.filter(record => record.copied !== true && record.aside !== true)
    if (own.length === 0) return { ok: false, reason: 'nothing of it was kept that could be written back' }
    if (!/^[A-Za-z0-9_-]+$/.test(session.id)) return { ok: false, reason: 'CodeWhale refuses an id like this one' }
    const text = JSON.stringify(documentOf(session, own, context), null, 2)
    return { ok: true, files: [{ path: session.path, text }] }
  },

  // 0.9 deletes all but the 50 newest at each save; 0.10 puts them away. No setting changes that.
  retention: () => ({ days: null, settingsFile: null }),
}

const COMPANIONS = [
  'ID.json',
  'ID',
  'checkpoints/ID.json',
  'checkpoints/offline_queue/ID.json',
  'checkpoints/offline_queue/ID.lock',
  'checkpoints/offline_queue/ID.lease',
  '.goals/ID.json',
  '.work-graph-import-archive/ID.json',
  '.late-usage/ID.json',
  '.late-usage/ID.jsonl',
  '.late-usage/ID.live',
  '.late-usage/ID.lock',
  '.journal-archive/ID.jsonl',
]

function documentOf(
  session: KeptSession,
  records: readonly SessionRecord[],
  context: { now: string; newId(): string },
): unknown {
  const messages = messagesOf(records, session.workspace)
  const createdAt = session.startedAt ?? context.now
  // The journal's times hold only where every message has one; else the turns' dates stand in <turn_meta>.
  const timed = messages.every(({ at }) => at !== null && at.length > 10)
  const ids = messages.map(() => context.newId())
  const leaf = ids.at(-1)
  return {
    schema_version: 1,
    metadata: {
      id: session.id,
      title: session.title ?? 'Restored session',
      created_at: createdAt,
      updated_at: session.updatedAt ?? createdAt,
      message_count: messages.length,
      total_tokens: 0,
      model: session.model ?? 'auto',
      workspace: session.workspace ?? '/',
      mode: 'agent',
      cost: {
        session_cost_usd: 0,
        session_cost_cny: 0,
        subagent_cost_usd: 0,
        subagent_cost_cny: 0,
        displayed_cost_high_water_usd: 0,
        displayed_cost_high_water_cny: 0,
        priced_turns: 0,
        unpriced_turns: 0,
        cny_priced_turns: 0,
        cny_unpriced_turns: 0,
        coverage_recorded: false,
      },
      // What a fork copied isn't written back: all of it is its own then.
      ...(session.parentId === null ? {} : { parent_session_id: session.parentId, forked_from_message_count: 0 }),
      cumulative_turn_secs: 0,
      ...(session.archived ? { archived: true } : {}),
      spawn_depth: 0,
    },
    messages: messages.map(({ message }) => message),
    ...(timed && leaf !== undefined
      ? {
          journal: {
            entries: messages.map(({ message, at }, index) => ({
              id: ids[index],
              ...(index === 0 ? {} : { parent_id: ids[index - 1] }),
              kind: 'message',
              message,
              created_at: stampOf(at ?? createdAt, index),
              spawn_depth: 0,
            })),
            leaf_id: leaf,
            schema_version: 1,
            spawn_depth: 0,
          },
          leaf_id: leaf,
        }
      : {}),
    system_prompt: null,
  }
}

/** Equal times would count as those of one saving, so the digits behind the milliseconds tell them apart. */
function stampOf(at: string, index: number): string {
  return at.replace(/Z$/, `${String(index % 1_000_000).padStart(6, '0')}Z`)
}
