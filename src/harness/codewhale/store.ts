import { join } from 'node:path'
import type { Environment } from '../../shared/environment.ts'
import { homeOf } from '../../shared/paths.ts'
import { directoryNamed } from '../shared/directories.ts'
import type { FileRole, Store, StoreRoot } from '../harness.ts'

/** CodeWhale accepts these ids when it loads a session (0.9.10). */
const ID = '[A-Za-z0-9_-]+'
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Named bookkeeping that would pass for a session by its extension. */
const BOOKKEEPING = new Set(['session_boot_owners.json', 'offline_queue.json'])

/** What CodeWhale writes beside its sessions (0.8–0.10), by exact place and name. */
const COMPANIONS: readonly RegExp[] = [
  /^\.reconcile\.lock$/,
  // One queue in 0.9, one a session with its lease in 0.10.
  /^checkpoints\/(?:latest\.json|offline_queue[\w.-]*)$/,
  new RegExp(`^checkpoints/offline_queue/${ID}\\.(?:json|lock|lease)$`),
  new RegExp(`^\\.goals/${ID}\\.json$`),
  new RegExp(`^\\.work-graph-import-archive/${ID}\\.json$`),
  new RegExp(`^\\.late-usage/${ID}\\.(?:json|jsonl|live|lock)$`),
  new RegExp(`^\\.journal-archive/${ID}\\.jsonl$`),
  /^\.(?:reconcile|set-aside)\/[\w.-]+$/,
  new RegExp(`^${ID}/approval_receipts\\.(?:jsonl|lock)$`),
  new RegExp(`^${ID}/artifacts/art_[\\w.-]+$`),
]

const TRANSCRIPT = new RegExp(`^(${ID})\\.json$`)
const RUNNING = new RegExp(`^checkpoints/(${ID})\\.json$`)
const COMPACTION = new RegExp(`^(${ID})/artifacts/context-transfer-(${UUID})\\.(json|md)$`)
/** Half-written files before their rename, and the desktop's own. */
const TRANSIENT = /(?:^|\/)(?:[^/]*\.tmp|\.tmp[^/]*|\.context-transfer-[^/]*|\.DS_Store)$/
const DIRECTORY = new RegExp(
  `^(?:|checkpoints|checkpoints/offline_queue|\\.(?:goals|work-graph-import-archive|late-usage|journal-archive|reconcile|set-aside)|${ID}|${ID}/artifacts)$`,
)

function classify(path: string): FileRole {
  if (TRANSIENT.test(path)) return { role: 'ignored' }
  if (BOOKKEEPING.has(path) || COMPANIONS.some(pattern => pattern.test(path))) return { role: 'companion' }
  if (TRANSCRIPT.test(path)) return { role: 'transcript' }
  const running = RUNNING.exec(path)?.[1]
  if (running !== undefined) return { role: 'running', session: running }
  const [, session, key, extension] = COMPACTION.exec(path) ?? []
  if (session !== undefined && key !== undefined) {
    return { role: 'compaction', session, key, part: extension === 'json' ? 'history' : 'summary' }
  }
  return { role: 'unknown', reason: 'not a file that CodeWhale 0.8–0.10 is known to write here' }
}

/**
 * The current root, and the legacy one of 0.8 (`~/.deepseek`) unless `CODEWHALE_HOME` is set. A relative
 * `CODEWHALE_HOME` other than `~/…` is an error to CodeWhale: it has no store then.
 */
function roots(env: Environment): StoreRoot[] {
  const home = homeOf(env)
  const isMoved = (env.CODEWHALE_HOME?.trim() ?? '') !== ''
  const own = isMoved ? directoryNamed(env, 'CODEWHALE_HOME') : join(home, '.codewhale')
  const current = directoryNamed(env, 'DEJA_CODEWHALE_ROOT') ?? (own === null ? null : join(own, 'sessions'))
  const legacy = isMoved ? null : join(home, '.deepseek', 'sessions')
  const found: StoreRoot[] = []
  if (current !== null) found.push({ path: current, rank: 0 })
  if (legacy !== null && legacy !== current) found.push({ path: legacy, rank: 1 })
  return found
}

export const store: Store = {
  roots,
  classify,
  descends: directory => DIRECTORY.test(directory),
  sidecars: () => [],
  sessionIdOf: path => (classify(path).role === 'transcript' ? (TRANSCRIPT.exec(path)?.[1] ?? null) : null),
}
