import type { FileRole, Harness, StoreRoot } from '../harness/harness.ts'
import type { TranscriptRef } from './transcript-reading.ts'

/** A store's directory, as it is watched. */
export interface WatchedRoot {
  harness: Harness
  root: StoreRoot
  state: 'read' | 'absent' | 'unreadable'
  /** Device of the directory when it was last read: another one means that something else is mounted there. */
  device: number | null
}

/** A file below a root, as it was last seen. */
export interface SeenFile {
  watched: WatchedRoot
  path: string
  relative: string
  role: FileRole
  size: number
  mtimeMs: number
  /** When it was last changed, moved here or made: never set back, as `mtimeMs` may be. */
  ctimeMs: number
  /** `device:inode`. */
  inode: string
  /** Changes with everything about the file: content, place, rights. */
  mark: string
}

/** Every file that was seen in the stores. */
export class Catalog {
  readonly #files = new Map<string, SeenFile>()
  /** Transcripts by the sidecars that belong to them. */
  readonly #bySidecar = new Map<string, Set<string>>()
  /** Transcripts by the session that their paths name. */
  readonly #bySession = new Map<string, Set<string>>()

  get(path: string): SeenFile | undefined {
    return this.#files.get(path)
  }

  all(): IterableIterator<SeenFile> {
    return this.#files.values()
  }

  put(file: SeenFile): void {
    const known = this.#files.has(file.path)
    this.#files.set(file.path, file)
    if (known || file.role.role !== 'transcript') return
    const { store } = file.watched.harness
    const { path: root } = file.watched.root
    for (const sidecar of store.sidecars(file.relative)) add(this.#bySidecar, `${root}/${sidecar}`, file.path)
    const session = this.#sessionOf(file)
    if (session !== null) add(this.#bySession, session, file.path)
  }

  remove(path: string): SeenFile | undefined {
    const file = this.#files.get(path)
    if (!file) return undefined
    this.#files.delete(path)
    if (file.role.role === 'transcript') {
      const { store } = file.watched.harness
      for (const sidecar of store.sidecars(file.relative)) {
        this.#bySidecar.get(`${file.watched.root.path}/${sidecar}`)?.delete(path)
      }
      const session = this.#sessionOf(file)
      if (session !== null) this.#bySession.get(session)?.delete(path)
    }
    return file
  }

  /** Transcripts whose facts a sidecar tells. */
  ofSidecar(path: string): string[] {
    return [...(this.#bySidecar.get(path) ?? [])]
  }

  /** A file of the same session in a better root, which is read in its place. */
  better(file: SeenFile): SeenFile | null {
    return this.#others(file).find(other => other.watched.root.rank < file.watched.root.rank) ?? null
  }

  /** Files of the same session in worse roots, best first: one of them takes over when this one is gone. */
  worse(file: SeenFile): SeenFile[] {
    return this.#others(file)
      .filter(other => other.watched.root.rank > file.watched.root.rank)
      .sort((a, b) => a.watched.root.rank - b.watched.root.rank)
  }

  #others(file: SeenFile): SeenFile[] {
    const session = this.#sessionOf(file)
    if (session === null) return []
    return [...(this.#bySession.get(session) ?? [])].flatMap(path => {
      const other = path === file.path ? undefined : this.#files.get(path)
      return other ? [other] : []
    })
  }

  #sessionOf({ watched: { harness }, relative }: SeenFile): string | null {
    const id = harness.store.sessionIdOf(relative)
    return id === null ? null : `${harness.id}:${id}`
  }
}

export function refOf({ watched: { harness, root }, path, relative }: SeenFile): TranscriptRef {
  return { harness, root, path, relative }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}
