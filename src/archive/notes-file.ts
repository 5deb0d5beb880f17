import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'

/** A durable note as it stands in the file beside the archive: redacted, with the version of the rules. */
export interface NoteLine {
  project: string
  at: string
  text: string
  redaction: number
}

/**
 * The notes beside the archive (notes.jsonl). Everything else of a lost or broken archive is read again from what the
 * agents wrote; a note stands nowhere else. Written whole and by rename: notes are few and short.
 */
export class NotesFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** A line that isn't a note is passed over. */
  read(): NoteLine[] {
    return this.#text()
      .split('\n')
      .flatMap(line => parseLine(line) ?? [])
  }

  /** What stood there before is overwritten: it may have been forgotten. */
  write(notes: readonly NoteLine[]): void {
    const text = notes.map(note => `${JSON.stringify(note)}\n`).join('')
    if (text === this.#text()) return
    const draft = `${this.#path}.tmp`
    rmSync(draft, { force: true })
    const file = openSync(draft, 'wx', 0o600)
    try {
      // whole or not at all: a nearly full disk takes a part, which a single write tells only by its count
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    const old = openIfThere(this.#path)
    renameSync(draft, this.#path)
    if (old === null) return
    try {
      writeSync(old, Buffer.alloc(fstatSync(old).size))
      fsyncSync(old)
    } finally {
      closeSync(old)
    }
  }

  #text(): string {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch {
      return ''
    }
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r+')
  } catch {
    return null
  }
}

function parseLine(line: string): NoteLine | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  if (!('project' in value && 'at' in value && 'text' in value && 'redaction' in value)) return null
  const { project, at, text, redaction } = value
  return typeof project === 'string' &&
    typeof at === 'string' &&
    typeof text === 'string' &&
    typeof redaction === 'number'
    ? { project, at, text, redaction }
    : null
}
