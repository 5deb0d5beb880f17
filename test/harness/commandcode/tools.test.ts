import { expect, it } from 'vitest'
import { detailOf, tools } from '../../../src/harness/commandcode/tools.ts'

it('names tools as all harnesses do, and leaves what it does not know', () => {
  const names = [
    'shell_command',
    'powershell',
    'monitor_command',
    'read_file',
    'edit_file',
    'write_file',
    'grep',
    'glob',
  ]
  expect(names.map(name => tools.normalName(name))).toEqual([
    'Bash',
    'Bash',
    'Bash',
    'Read',
    'Edit',
    'Write',
    'Grep',
    'Glob',
  ])
  expect(tools.normalName('mcp__github__search')).toBe('mcp__github__search')
  expect(tools.normalName('constructor')).toBe('constructor')
})

it('tells the skill that a call loads and the type of the sub-agent that it starts', () => {
  expect(detailOf('skill', { skill: 'release-notes' })).toBe('release-notes')
  expect(detailOf('agent', '{"subagent_type":"explore","prompt":"p"}')).toBe('explore')
  expect(detailOf('agent', { subagent_type: 'two\nlines' })).toBeUndefined()
  expect(detailOf('grep', { name: 'x' })).toBeUndefined()
})
