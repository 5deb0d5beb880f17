import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Unsafe } from './unsafe.ts'

/** A configuration file above this size (bytes) is none: it isn't touched. */
const MOST_BYTES = 8 * 1024 * 1024

/** Another program's file as it was found. */
export interface Found {
  /** Where its bytes are: a symbolic link's target. */
  real: string
  /** Null: there is none. */
  bytes: Buffer | null
  /** Kept over the change, the owner too. */
  mode: number
  owner: { uid: number; gid: number } | null
  /** Directories that would have to be made, outermost first. */
  missing: string[]
}

/** Looks a file up, through links. Throws `Unsafe` where it can't be replaced without risk. */
export function find(path: string): Found {
  const link = statOf(() => lstatSync(path))
  if (!link) return nothing(path)
  const real = link.isSymbolicLink() ? target(path) : path
  const stats = statSync(real)
  if (!stats.isFile()) throw new Unsafe('not a regular file', null)
  if (stats.size > MOST_BYTES) throw new Unsafe(`${stats.size} bytes are too many for a configuration`, null)
  return {
    real,
    bytes: readFileSync(real),
    mode: stats.mode & 0o7777,
    owner: { uid: stats.uid, gid: stats.gid },
    missing: [],
  }
}

function target(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw new Unsafe('a symbolic link that leads nowhere', null)
  }
}

function nothing(path: string): Found {
  const missing: string[] = []
  let directory = dirname(path)
  let stats = statOf(() => statSync(directory))
  for (; !stats; stats = statOf(() => statSync(directory))) {
    missing.unshift(directory)
    if (dirname(directory) === directory) break
    directory = dirname(directory)
  }
  if (stats && !stats.isDirectory()) throw new Unsafe(`${directory} is no directory`, null)
  return { real: path, bytes: null, mode: 0o600, owner: null, missing }
}

function statOf(look: () => Stats): Stats | null {
  try {
    return look()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

/** Throws `Unsafe` where the file, or the directory that it is to come into, isn't to be written. */
export function mustBeReplaceable({ real, bytes, missing }: Found): void {
  if (bytes !== null) mustBeWritable(real)
  mustBeWritable(dirname(missing[0] ?? real))
}

function mustBeWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch {
    throw new Unsafe(`${path} isn't writable`, null)
  }
}

/** A file's text without its byte order mark, and what turns a text into bytes again. Throws `Unsafe` on what isn't UTF-8. */
export function decoded(bytes: Buffer): { text: string; encode: (text: string) => Buffer } {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Unsafe('not UTF-8', null)
  }
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  return { text: text.slice(mark.length), encode: each => Buffer.from(mark + each, 'utf8') }
}

/** The bytes now, or null where there is no file any more. */
export function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

export function sameBytes(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b)
}

/**
 * Replaces a file at one stroke (null: removes it), in its own directory, on disk before it is seen. `still` is asked
 * at the last moment; false leaves everything as it is.
 */
export function replace(
  found: Pick<Found, 'real' | 'mode' | 'owner'>,
  bytes: Buffer | null,
  still: () => boolean,
): boolean {
  const { real, mode, owner } = found
  if (bytes === null) {
    if (!still()) return false
    rmSync(real, { force: true })
    return true
  }
  const temporary = join(dirname(real), `.${basename(real)}.deja-${process.pid}.tmp`)
  try {
    const descriptor = openSync(temporary, 'w', 0o600)
    try {
      writeFileSync(descriptor, bytes)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    chmodSync(temporary, mode)
    keepOwner(temporary, owner)
    if (!still()) return false
    renameSync(temporary, real)
    return true
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Removes drafts of an installer that was killed. For the one that is at work now, before it begins. */
export function removeLeftovers({ real, missing }: Found): void {
  if (missing.length > 0) return
  const start = `.${basename(real)}.deja-`
  for (const name of readdirSync(dirname(real))) {
    if (name.startsWith(start) && /^\d+\.tmp$/.test(name.slice(start.length)))
      rmSync(join(dirname(real), name), { force: true })
  }
}

function keepOwner(path: string, owner: Found['owner']): void {
  const stats = statSync(path)
  if (owner && (stats.uid !== owner.uid || stats.gid !== owner.gid)) chownSync(path, owner.uid, owner.gid)
}
