import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { commandForm, parseCommandLine } from '../../src/shared/command.ts'

describe('the form of a command', () => {
  it.each([
    ['npm test -- limiter', 'npm test -- limiter'],
    ['  npm   test  --  limiter ', 'npm test -- limiter'],
    ['cd /home/dev/acme-api && npm test -- limiter 2>&1 | tail -20', 'npm test -- limiter'],
    ['cd a; cd b && make', 'make'],
    ["go 'test' './...'", 'go test ./...'],
    ['git commit -m "gateway: retry on 503"', "git commit -m 'gateway: retry on 503'"],
    ['PYTHONPATH=. python -m pytest -q', 'PYTHONPATH=. python -m pytest -q'],
    ['make build \\\n  && make test', 'make build && make test'],
    ['make > out.txt', 'make >out.txt'],
    ['npm run dev &', 'npm run dev'],
    ['a | grep x', 'a | grep x'],
  ])('%s', (command, form) => {
    expect(commandForm(command)).toBe(form)
  })

  it.each(['python - <<EOF\nprint(1)\nEOF', 'echo a\necho b', 'echo "open', '', '   ', '&& x', 'x'.repeat(5000)])(
    'has none: %j',
    command => {
      expect(commandForm(command)).toBeNull()
    },
  )

  it('is its own form', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[\w./-]+$|^[ \w|;]+$/), { maxLength: 6 }), words => {
        const form = commandForm(words.map(word => `'${word}'`).join(' '))
        if (form !== null) expect(commandForm(form)).toBe(form)
      }),
    )
  })

  it('never throws, whatever the line', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), line => void commandForm(line)))
  })

  it('tells assignments, words and redirections apart', () => {
    expect(parseCommandLine('A=1 B="x y" run --k=v 2>err.log | cat')).toEqual({
      commands: [
        { assignments: ['A=1', 'B=x y'], words: ['run', '--k=v'], redirections: ['2>err.log'] },
        { assignments: [], words: ['cat'], redirections: [] },
      ],
      operators: ['|'],
    })
  })
})
