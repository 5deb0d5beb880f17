import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectOf, repositoryOfFile } from '../../src/archive/project.ts'

let base: string
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd, stdio: 'ignore' })

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deja-project-')))
  mkdirSync(join(base, 'repo/src/deep'), { recursive: true })
  mkdirSync(join(base, 'plain'))
  git(join(base, 'repo'), 'init', '-q')
  writeFileSync(join(base, 'repo/a.txt'), 'a')
  git(join(base, 'repo'), 'add', '.')
  git(join(base, 'repo'), 'commit', '-q', '-m', 'a')
  git(join(base, 'repo'), 'worktree', 'add', '-q', join(base, 'elsewhere/tree'), '-b', 'side')
})
afterAll(() => {
  rmSync(base, { recursive: true, force: true })
})

it('a repository is one project, from any directory in it and from its worktrees', () => {
  const repo = join(base, 'repo')
  expect(projectOf(repo)).toBe(repo)
  expect(projectOf(join(repo, 'src/deep/'))).toBe(repo)
  expect(projectOf(join(base, 'elsewhere/tree'))).toBe(repo)
})

it('a directory without one is itself, and so is one that is not on this machine', () => {
  expect(projectOf(join(base, 'plain'))).toBe(join(base, 'plain'))
  expect(projectOf('/home/nobody/gone/../project/')).toBe('/home/nobody/project')
  expect(projectOf('C:\\work\\tide\\')).toBe('C:\\work\\tide')
})

it('a file lies in a repository or in none, existing or not', () => {
  expect(repositoryOfFile(join(base, 'repo/src/new/file.ts'))).toBe(join(base, 'repo'))
  expect(repositoryOfFile(join(base, 'plain/file.ts'))).toBe(null)
})
