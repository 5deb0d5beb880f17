import { describe, expect, it } from 'vitest'
import { personsWords, silenceFor } from '../../src/recall/persons-words.ts'

describe('prompts that want silence', () => {
  it.each([
    'continue',
    'go on',
    'thanks!',
    '继续',
    'Thank you very much!',
    'ok, go ahead',
    'yes please',
    '好的，谢谢',
    'продолжай',
    'Спасибо!',
    '👍',
    '...',
    'again',
    'LGTM, ship it',
    '继续吧',
  ])('chatter: %s', text => {
    expect(silenceFor(text)).toBe('chatter')
  })
  it.each(['/help', '/deja vat export', '/compact', '!ls -la', '  /model gpt'])('slash command: %s', text => {
    expect(silenceFor(text)).toBe('slash-command')
  })
  it.each([
    'Stop hook feedback: lint failed',
    'Monitor exited: dev server log\nTask: m8x2k9q1\nStatus: completed\nExit code: 0',
    '<task-notification><task-id>x</task-id></task-notification>',
    '<codewhale:runtime_event kind="background_shell_completion">x</codewhale:runtime_event>',
    'Command: ls\nStdout: a\nStderr: (empty)',
    'Please continue with the conversation based on the summarized context above.',
    '<teammate-message from="x">done</teammate-message>',
    '{"type":"event","role":"x"}',
    'Another language model started to solve this problem',
  ])('machine-made: %s', text => {
    expect(silenceFor(text)).toBe('machine-made')
  })
  it.each([
    'Why does the nightly export skip customers?',
    '/home/dev/src/fetch.py fails on import',
    '# Heading\nfix the barometer',
    'continue with the harbour table port',
    '继续修复潮汐解析器',
    'test the kaleidoscope worker',
    'Error: listen EADDRINUSE :::7070',
  ])('but not: %s', text => {
    expect(silenceFor(text)).toBeNull()
  })
})

describe("the person's words", () => {
  it('leave out frames, envelopes and what hooks put in', () => {
    expect(
      personsWords(
        '<ide-context>\nActive file: a.sql\n</ide-context>\nIs the left join covered?\n\n<deja-recall>\nold\n</deja-recall>\n<system-reminder data-role="hook">x</system-reminder>',
      ),
    ).toBe('Is the left join covered?')
    expect(personsWords('<user_query>Print one please.</user_query>')).toBe('Print one please.')
    expect(personsWords('why?\n<deja-recall>\nnever closed')).toBe('why?')
  })
})
