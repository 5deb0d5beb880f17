/** Command lines taken apart far enough to compare them. Not a shell: what it doesn't understand has no form. */

/** One simple command of a line: `PYTHONPATH=. python -m pytest -q`. */
export interface SimpleCommand {
  /** `NAME=value` words in front of it. */
  assignments: string[]
  /** Program and arguments, unquoted. */
  words: string[]
  /** Redirections as written (`2>&1`, `> out.txt`), in order. */
  redirections: string[]
}

/** A command line: simple commands and what joins them. */
export interface CommandLine {
  commands: SimpleCommand[]
  /** `operators[n]` stands between command n and n + 1. */
  operators: string[]
}

const longest = 4_000
const longestForm = 300

type Token = { type: 'word'; text: string } | { type: 'operator'; text: string } | { type: 'redirection'; text: string }

function tokenise(line: string): Token[] | null {
  const tokens: Token[] = []
  let word: string | null = null
  const end = (): void => {
    if (word !== null) tokens.push({ type: 'word', text: word })
    word = null
  }
  for (let i = 0; i < line.length;) {
    const rest = line.slice(i, i + 4)
    const char = line.charAt(i)
    if (char === "'") {
      const close = line.indexOf("'", i + 1)
      if (close < 0) return null
      word = (word ?? '') + line.slice(i + 1, close)
      i = close + 1
    } else if (char === '"') {
      let text = ''
      let j = i + 1
      for (; j < line.length && line.charAt(j) !== '"'; j++) {
        if (line.charAt(j) === '\\' && '"\\$`'.includes(line.charAt(j + 1))) j++
        text += line.charAt(j)
      }
      if (j >= line.length) return null
      word = (word ?? '') + text
      i = j + 1
    } else if (char === '\\') {
      word = (word ?? '') + line.charAt(i + 1)
      i += 2
    } else if (rest.startsWith('<<')) {
      return null // a here-document: its first line says little of what it does
    } else if (/^\s/.test(char)) {
      end()
      i++
    } else if (/^(&&|\|\||\|&|[;|&])/.test(rest) && !/^&>/.test(rest)) {
      end()
      const text = /^(&&|\|\||\|&|[;|&])/.exec(rest)?.[0] ?? char
      tokens.push({ type: 'operator', text })
      i += text.length
    } else if (char === '>' || char === '<' || rest.startsWith('&>')) {
      if (word !== null && /^\d$/.test(word)) {
        tokens.push({ type: 'redirection', text: word })
        word = null
      } else {
        end()
        tokens.push({ type: 'redirection', text: '' })
      }
      const text = /^(&>>?|>>|>&|>\||<&|[<>])/.exec(rest)?.[0] ?? char
      let j = i + text.length
      while (line.charAt(j) === ' ') j++
      const target = /^(?:"[^"]*"|'[^']*'|[^\s;|&<>])*/.exec(line.slice(j))?.[0] ?? ''
      const last = tokens.at(-1)
      if (last) last.text += text + target
      i = j + target.length
    } else {
      word = (word ?? '') + char
      i++
    }
  }
  end()
  return tokens
}

/** Null: several lines, a here-document, an open quote, or longer than 4,000 characters. */
export function parseCommandLine(command: string): CommandLine | null {
  const line = command.replaceAll(/\\\r?\n/g, ' ').trim()
  if (line === '' || line.length > longest || /[\r\n]/.test(line)) return null
  const tokens = tokenise(line)
  if (!tokens) return null
  const commands: SimpleCommand[] = []
  const operators: string[] = []
  let current: SimpleCommand = { assignments: [], words: [], redirections: [] }
  const filled = (): boolean => current.words.length + current.assignments.length > 0
  for (const token of tokens) {
    if (token.type === 'operator') {
      if (!filled()) return null
      commands.push(current)
      operators.push(token.text)
      current = { assignments: [], words: [], redirections: [] }
    } else if (token.type === 'redirection') current.redirections.push(token.text)
    else if (current.words.length === 0 && /^[A-Za-z_]\w*=/.test(token.text)) current.assignments.push(token.text)
    else current.words.push(token.text)
  }
  if (filled()) commands.push(current)
  else if (operators.length > 0 && [';', '&'].includes(operators.at(-1) ?? '')) operators.pop()
  else return null
  return commands.length > 0 ? { commands, operators } : null
}

const plain = /^[\w@%+=:,./~^-]+$/
const quoted = (word: string): string => (plain.test(word) ? word : `'${word}'`)

function written({ assignments, words, redirections }: SimpleCommand): string {
  const values = assignments.map(text => {
    const at = text.indexOf('=') + 1
    return text.slice(0, at) + (text.length > at ? quoted(text.slice(at)) : '')
  })
  return [...values, ...words.map(quoted), ...redirections].join(' ')
}

/** Shows only a part of the output: says nothing about what ran. */
const trims = new Set(['tail', 'head', 'cat', 'less', 'more'])

/**
 * The line without what changes from run to run though the command is the same: a `cd` in front, quoting, spaces, a
 * `2>&1` and a `| tail` behind. Environment assignments stay: they are often the point.
 */
export function essence(line: CommandLine): CommandLine {
  const commands = line.commands.map(command => ({
    ...command,
    redirections: command.redirections.filter(text => !/^(2>&1|[12]?>\/dev\/null|&>\/dev\/null)$/.test(text)),
  }))
  const operators = [...line.operators]
  while (
    commands.length > 1 &&
    ['cd', 'pushd'].includes(commands[0]?.words[0] ?? '') &&
    /^(&&|;)$/.test(operators[0] ?? '')
  ) {
    commands.shift()
    operators.shift()
  }
  while (commands.length > 1 && operators.at(-1)?.startsWith('|') && operators.at(-1) !== '||') {
    const last = commands.at(-1)
    if (!last || !trims.has(last.words[0] ?? '') || last.words.slice(1).some(word => !/^-|^\d+$/.test(word))) break
    commands.pop()
    operators.pop()
  }
  return { commands, operators }
}

/**
 * A command line's normal form: two runs of the same command have the same one. Null for what has none (several lines,
 * a here-document): such a thing is never told by its first line.
 */
export function commandForm(command: string): string | null {
  const line = parseCommandLine(command)
  if (!line) return null
  const { commands, operators } = essence(line)
  const form = commands
    .map((each, n) => written(each) + (operators[n] ? ` ${operators[n]} ` : ''))
    .join('')
    .trim()
  return form === '' || form.length > longestForm ? null : form
}
