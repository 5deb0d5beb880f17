/** What a patch did to one file. */
export interface PatchedFile {
  path: string
  /** `write`: the file was made; `delete`: it is gone; `edit`: its hunks. */
  type: 'edit' | 'write' | 'delete'
  removed: string
  added: string
}

/**
 * The files of a unified diff (`---`/`+++`, `/dev/null` for what is made or removed) or of a `*** Begin Patch` envelope.
 * Context lines belong to neither side. `override` names the file where the diff's own headers don't count.
 */
export function parsePatch(patch: string, override: string | null = null): PatchedFile[] {
  const files = /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/m.test(patch)
    ? parseEnvelope(patch)
    : parseUnified(patch)
  const [only] = files
  if (override !== null && only !== undefined && files.length === 1) return [{ ...only, path: override }]
  return files
}

class Change {
  readonly path: string
  readonly type: PatchedFile['type']
  readonly #removed: string[] = []
  readonly #added: string[] = []

  constructor(path: string, type: PatchedFile['type']) {
    this.path = path
    this.type = type
  }

  take(line: string): void {
    if (line.startsWith('-')) this.#removed.push(line.slice(1))
    else if (line.startsWith('+')) this.#added.push(line.slice(1))
  }

  done(): PatchedFile {
    return { path: this.path, type: this.type, removed: this.#removed.join('\n'), added: this.#added.join('\n') }
  }
}

function parseUnified(patch: string): PatchedFile[] {
  const lines = patch.split(/\r?\n/)
  const changes: Change[] = []
  let current: Change | undefined
  // Lines that the hunk's header still promises: inside them `--- x` is a removed line, not a file's header,
  // unless a hunk follows, since the numbers that models write are often wrong.
  let [old, fresh, headerAt] = [0, 0, -2]
  lines.forEach((line, index) => {
    const next = lines[index + 1] ?? ''
    const within = (old > 0 || fresh > 0) && !(lines[index + 2] ?? '').startsWith('@@')
    const hunk = /^@@+ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (!within && line.startsWith('--- ') && next.startsWith('+++ ')) {
      const [from, to] = [headerPath(line), headerPath(next)]
      current = to === null ? new Change(from ?? '', 'delete') : new Change(to, from === null ? 'write' : 'edit')
      changes.push(current)
      headerAt = index
      old = fresh = 0
    } else if (line.startsWith('+++ ') && headerAt === index - 1) {
      return
    } else if (hunk !== null) {
      current ??= start(changes)
      old = Number(hunk[1] ?? 1)
      fresh = Number(hunk[2] ?? 1)
    } else if (current !== undefined || line.startsWith('@@')) {
      current ??= start(changes)
      if (!line.startsWith('+')) old--
      if (!line.startsWith('-')) fresh--
      if (!/^(?:diff --git|index |rename |similarity )/.test(line)) current.take(line)
    }
  })
  return changes.map(change => change.done())
}

/** A hunk without a file's header: its path comes from elsewhere. */
function start(changes: Change[]): Change {
  const change = new Change('', 'edit')
  changes.push(change)
  return change
}

function headerPath(line: string): string | null {
  const path = line.slice(4).split('\t')[0]?.trim() ?? ''
  if (path === '/dev/null') return null
  const bare = /^"(.*)"$/.exec(path)?.[1] ?? path
  return bare.replace(/^[ab]\//, '')
}

function parseEnvelope(patch: string): PatchedFile[] {
  const changes: Change[] = []
  let current: Change | undefined
  for (const line of patch.split(/\r?\n/)) {
    const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line)
    if (header !== null) {
      const [, verb, path = ''] = header
      current = new Change(path.trim(), verb === 'Add' ? 'write' : verb === 'Delete' ? 'delete' : 'edit')
      changes.push(current)
    } else if (!line.startsWith('***')) current?.take(line)
  }
  return changes.map(change => change.done())
}
