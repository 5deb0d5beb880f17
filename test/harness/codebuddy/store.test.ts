import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codebuddyHomes, storeOf, workbuddyHomes } from '../../../src/harness/codebuddy/store.ts'
import { tools } from '../../../src/harness/codebuddy/tools.ts'
import { fixtures } from './fixture.ts'

const codebuddy = storeOf(codebuddyHomes, 'DEJA_CODEBUDDY_ROOT')
const workbuddy = storeOf(workbuddyHomes, 'DEJA_WORKBUDDY_ROOT')
const HOME = '/home/dev'

describe('where the sessions are', () => {
  const paths = (store: typeof codebuddy, env: Record<string, string>) =>
    store.roots({ HOME, ...env }).map(root => root.path)

  it('is below the home, or where the variables say', () => {
    expect(paths(codebuddy, {})).toEqual(['/home/dev/.codebuddy/projects'])
    expect(paths(codebuddy, { CODEBUDDY_CONFIG_DIR: '/data/cb/' })).toEqual(['/data/cb/projects'])
    expect(paths(codebuddy, { CODEBUDDY_CONFIG_DIR: ' ' })).toEqual(['/home/dev/.codebuddy/projects'])
    expect(paths(codebuddy, { CODEBUDDY_CONFIG_DIR: '/data/cb', DEJA_CODEBUDDY_ROOT: '/x' })).toEqual(['/x'])
  })

  it("is two homes for WorkBuddy, which CodeBuddy's variable never names", () => {
    const both = ['/home/dev/.workbuddy/projects', '/home/dev/.workbuddy-ai/projects']
    expect(paths(workbuddy, {})).toEqual(both)
    expect(paths(workbuddy, { WORKBUDDY_CONFIG_DIR: '/data/wb' })).toEqual(['/data/wb/projects', ...both])
    expect(paths(workbuddy, { DEJA_WORKBUDDY_ROOT: '/x' })).toEqual(['/x'])
    expect(paths(codebuddy, { CODEBUDDY_CONFIG_DIR: '/home/dev/.workbuddy' })).toEqual([
      '/home/dev/.codebuddy/projects',
    ])
  })
})

describe('what a file is', () => {
  const roles = (...names: string[]) => names.map(name => codebuddy.classify(name).role)

  it('is told by its place and name', () => {
    expect(roles('p/a-1.jsonl', 'p/a-1/subagents/agent-0a1b2c3d.jsonl')).toEqual(['transcript', 'transcript'])
    const companions = [
      'p/a-1.meta.json',
      'p/a-1.file-rollback.ndjson',
      'p/a-1.quickask',
      'p/a-1.quickask.json',
      'p/a-1/tool-results/call_1.txt',
      'p/a-1/subagents/agent-0a1b2c3d.meta.json',
      'p/a-1/subagents/agent-0a1b2c3d/tool-results/call_1.txt',
    ]
    expect(companions.map(name => codebuddy.classify(name).role)).toEqual(companions.map(() => 'companion'))
  })

  it("leaves the agent's memory and passing files alone", () => {
    expect(roles('p/memory/MEMORY.md', 'p/memory/x.jsonl', 'p/.DS_Store', 'p/a.jsonl.tmp')).toEqual(
      Array.from({ length: 4 }, () => 'ignored'),
    )
    expect(['', 'p', 'p/a-1', 'p/a-1/subagents', 'p/memory', 'p/.git'].map(name => codebuddy.descends(name))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('shows what it does not know', () => {
    expect(roles('x.jsonl', 'p/notes.txt', 'p/a.b.jsonl', 'p/a/other.jsonl', 'p/a/subagents/x.jsonl')).toEqual(
      Array.from({ length: 5 }, () => 'unknown'),
    )
  })

  it('is known for everything in the fixtures', () => {
    for (const scenario of readdirSync(fixtures, { withFileTypes: true }).filter(entry => entry.isDirectory())) {
      if (scenario.name === 'hooks') continue
      const root = join(fixtures, scenario.name, 'projects')
      for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
        const relative = join(entry.parentPath, entry.name).slice(root.length + 1)
        if (entry.isFile()) expect(codebuddy.classify(relative).role, relative).toMatch(/transcript|companion/)
        else expect(codebuddy.descends(relative), relative).toBe(true)
      }
    }
  })

  it('names its session and its sidecar', () => {
    expect(codebuddy.sessionIdOf('p/a-1.jsonl')).toBe('a-1')
    expect(codebuddy.sessionIdOf('p/a-1/subagents/agent-2.jsonl')).toBe('agent-2')
    expect(codebuddy.sessionIdOf('p/a-1.meta.json')).toBeNull()
    expect(codebuddy.sidecars('p/a-1.jsonl')).toEqual(['p/a-1.meta.json'])
  })
})

it('gives tools their normal names, MCP and unknown ones as they are', () => {
  expect(
    ['PowerShell', 'NotebookEdit', 'TaskCreate', 'Read', 'mcp__x__y', 'toString'].map(name => tools.normalName(name)),
  ).toEqual(['Bash', 'Edit', 'Todo', 'Read', 'mcp__x__y', 'toString'])
})
