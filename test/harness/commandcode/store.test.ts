import { describe, expect, it } from 'vitest'
import { store } from '../../../src/harness/commandcode/store.ts'

const role = (path: string) => store.classify(path).role

describe('the store', () => {
  it('follows the home directory, or the variable that replaces it', () => {
    expect(store.roots({ HOME: '/home/dev' })).toEqual([{ path: '/home/dev/.commandcode/projects', rank: 0 }])
    expect(store.roots({ HOME: '/home/dev', DEJA_COMMANDCODE_ROOT: '/mnt/cc' })).toEqual([{ path: '/mnt/cc', rank: 0 }])
  })

  it('knows what stands beside a transcript', () => {
    expect(role('p/a.jsonl')).toBe('transcript')
    for (const name of ['a.meta.json', 'a.checkpoints.jsonl', 'a.prompts.jsonl', 'a.share.json', 'a.v2.bak'])
      expect([name, role(`p/${name}`)]).toEqual([name, 'companion'])
    expect(role('p/a.scheduled-tasks.json')).toBe('companion')
    for (const path of [
      'p/a.jsonl.412.tmp',
      'p/a.checkpoints.jsonl.412.tmp',
      'p/mcp.json',
      '.DS_Store',
      'p/memory/x.jsonl',
    ])
      expect([path, role(path)]).toEqual([path, 'ignored'])
  })

  it('shows what it does not know', () => {
    for (const path of ['p/a.checkpoints.old.jsonl', 'p/a.something.json', 'stray.jsonl'])
      expect([path, role(path)]).toEqual([path, 'unknown'])
  })

  it('looks one directory deep', () => {
    expect(['', 'p', 'p/memory', '.git'].map(each => store.descends(each))).toEqual([true, true, false, false])
    expect(store.sidecars('p/a.jsonl')).toEqual(['p/a.meta.json'])
    expect(store.sessionIdOf('p/a.jsonl')).toBe('a')
  })
})
