import type { SessionRecord } from '../../shared/model.ts'

/**
 * What deja itself put into a transcript. None of it is evidence of anything: a recalled text that were read again
 * would be recalled as its own witness.
 */

// A bracket as it was written, escaped for XML once or more often, or escaped for JSON.
const OPEN = String.raw`(?:<|&(?:amp;)*(?:lt|#0*60|#x0*3c);|(?<!\\)\\+(?:u003c|x3c))`
const CLOSE = String.raw`(?:>|&(?:amp;)*(?:gt|#0*62|#x0*3e);|\\+u003e|\\+x3e)`
const SLASH = String.raw`(?:\\*\/|&(?:amp;)*(?:sol|#0*47|#x0*2f);)`
const TAG = new RegExp(`${OPEN}\\s{0,8}(${SLASH}?)\\s{0,8}deja-recall(?:\\s[^<>&\\n]{0,200})?${CLOSE}`, 'gi')
const NAME = /deja-recall/i
const QUOTES = '`\'"“”‘’'

interface Tag {
  start: number
  end: number
  closes: boolean
}

/** A text without `<deja-recall>` frames: raw, entity-escaped, JSON-escaped, nested, or unclosed (cut to the end then). */
export function stripRecall(text: string): string {
  if (!NAME.test(text)) return text
  const tags = [...text.matchAll(TAG)].map((match): Tag => {
    return { start: match.index, end: match.index + match[0].length, closes: match[1] !== '' }
  })
  if (tags.length === 0) return text
  const lastClosing = tags.findLastIndex(tag => tag.closes)
  let kept = ''
  let from = 0
  let depth = 0
  tags.forEach((tag, index) => {
    if (tag.closes) {
      if (depth === 0) kept += text.slice(from, tag.start) // closes nothing: the tag alone goes
      depth = Math.max(0, depth - 1)
      if (depth === 0) from = tag.end
    } else if (depth > 0) {
      depth++
    } else if (isMention(text, tag) && index > lastClosing) {
      kept += text.slice(from, tag.end)
      from = tag.end
    } else {
      kept += text.slice(from, tag.start)
      depth = 1
    }
  })
  if (depth === 0) kept += text.slice(from)
  const last = tags.at(-1)
  // The blank line that set the frame apart goes with it.
  return depth > 0 || (last !== undefined && text.slice(last.end).trim() === '') ? kept.trimEnd() : kept
}

/** A record without frames in anything that it says. */
export function withoutRecall<T extends Pick<SessionRecord, 'text' | 'command' | 'removed' | 'added'>>(record: T): T {
  const { text, command, removed, added } = record
  if (![text, command, removed, added].some(said => said !== undefined && NAME.test(said))) return record
  return {
    ...record,
    ...(text === undefined ? {} : { text: stripRecall(text) }),
    ...(command === undefined ? {} : { command: stripRecall(command).trim() }),
    ...(removed === undefined ? {} : { removed: stripRecall(removed) }),
    ...(added === undefined ? {} : { added: stripRecall(added) }),
  }
}

/** `<deja-recall>` in quotes, talked about in a sentence or a command line. */
function isMention(text: string, tag: Tag): boolean {
  const [before, after] = [text[tag.start - 1], text[tag.end]]
  return before !== undefined && after !== undefined && QUOTES.includes(before) && QUOTES.includes(after)
}

/** The name of the skill that `install` writes. */
const OWN_SKILL = 'deja-history'

/** Whether a tool call asked deja's MCP server, by any client's spelling of its name. */
export function isOwnTool(tool: string): boolean {
  return /^mcp_{1,2}deja(?:_{1,2}\w+)?$/i.test(tool)
}

export function isOwnSkill(name: string): boolean {
  return name === OWN_SKILL
}

const COMMAND_START = String.raw`(?:^|[;&|(\n\x60]|\bthen\b|\bdo\b|\bsudo\b|\bxargs\b)\s*(?:[A-Za-z_]\w*=\S*\s+)*`
const PROGRAM = String.raw`["']?(?:[^\s"';&|()]*[\\/])?deja(?:\.exe|\.cmd)?["']?(?=\s|$|[;&|)])`
const RUNNER = String.raw`(?:npx|bunx|pnpm\s+dlx|yarn\s+dlx)\s+(?:-\S+\s+)*deja-recall\b`
const SCRIPT = String.raw`node\s+(?:-\S+\s+)*\S*[\\/]?deja\.js\b`
const OWN_COMMAND = new RegExp(`${COMMAND_START}(?:${PROGRAM}|${RUNNER}|${SCRIPT})`)

/** Whether a command line runs deja, alone or among others: what it prints is not evidence then. */
export function isOwnCommand(command: string): boolean {
  return command.includes('deja') && OWN_COMMAND.test(command)
}

/** The members that stand together in the answers of CONTRACT's `--json`. */
const ANSWERS: readonly (readonly string[])[] = [
  ['query', 'hits'],
  ['session', 'records'],
  ['injections'],
  ['candidates'],
  ['currency', 'groups'],
  ['sessions'],
  ['harnesses', 'state'],
]

/** Whether a text is what deja prints with `--json`, however it came there (a file, a pipe, an MCP reply). */
export function isOwnJson(text: string): boolean {
  const start = text.trimStart()
  if (!start.startsWith('{')) return false
  const version = /"schemaVersion"\s*:\s*1\b/.exec(start)
  if (version === null) return false
  return ANSWERS.some(members => members.every(member => new RegExp(`"${member}"\\s*:`).test(start)))
}
