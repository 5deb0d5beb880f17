import { readFileSync, realpathSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * The project that a directory belongs to: its repository's own working tree, which all worktrees of the repository
 * share; else the directory itself, normalised. One function for writing and for reading. A directory that is not on
 * this machine (any more) is its own project, as its text stands. Some ten `stat` calls: cheap enough for a hook.
 */
export function projectOf(workspace: string): string {
  const path = normalised(workspace)
  const directory = real(path)
  if (directory === null) return path
  return repositoryOf(directory) ?? directory
}

/** The repository in which a file lies, existing or not, or null. */
export function repositoryOfFile(path: string): string | null {
  for (let directory = dirname(normalised(path)); ; directory = dirname(directory)) {
    const found = real(directory)
    if (found !== null) return repositoryOf(found)
    if (dirname(directory) === directory) return null
  }
}

function repositoryOf(directory: string): string | null {
  // a repository of dotfiles in the home directory makes no project of everything below it
  const home = homeDirectory()
  for (let at = directory; at !== home; at = dirname(at)) {
    const root = workingTree(at)
    if (root !== null) return root
    if (dirname(at) === at) return null
  }
  return null
}

/** `at` when its `.git` is a directory; the main working tree when it is the file of a linked one. */
function workingTree(at: string): string | null {
  const git = join(at, '.git')
  try {
    if (statSync(git).isDirectory()) return at
    const link = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1]
    if (link === undefined) return null
    const gitDirectory = resolve(at, link.trim())
    const common = commonDirectory(gitDirectory)
    // a submodule or a repository with its .git elsewhere is itself
    return common !== null && common.endsWith('/.git') ? (real(dirname(common)) ?? dirname(common)) : at
  } catch {
    return null
  }
}

/** Linked working trees name the repository's directory in `commondir`. */
function commonDirectory(gitDirectory: string): string | null {
  try {
    return resolve(gitDirectory, readFileSync(join(gitDirectory, 'commondir'), 'utf8').trim()).replaceAll('\\', '/')
  } catch {
    return null
  }
}

function normalised(path: string): string {
  // another system's path (a store copied from Windows) is left as it is
  if (/^[A-Za-z]:[\\/]/.test(path) && process.platform !== 'win32') return path.replace(/[\\/]+$/, '')
  return resolve('/', path)
}

function real(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function homeDirectory(): string | null {
  try {
    return userInfo().homedir
  } catch {
    return null
  }
}
