/** Error lines: what of an output is worth indexing, and what makes two errors the same. Pure; never throws. */

const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** A line that names what went wrong, best kind first. */
const kinds: readonly RegExp[] = [
  // a named error, a compiler's or a database's code
  /\b[A-Z]\w*(?:Error|Exception|Warning|Fault|Panic|Failure)\b|\berror(?:\[[A-Z]?\d+\]|:? [A-Z]{1,4}\d{3,5}\b)|\b(?:ORA|SQLSTATE|HY|TS|CS|MSB|NU)-?\d{3,5}\b|\bE[A-Z]{4,}\b|panicked at/,
  // a program's own word for it
  /^(?:\S+: )*(?:fatal|panic|error|err!|cannot|can't|unable|failed|failure|undefined reference|segmentation fault)\b|\b(?:no such file|not found|command not found|permission denied|access denied|connection (?:refused|reset|timed out)|out of memory|already in use|does not exist|is not defined|not recognized|no module named|unresolved|undefined symbol|syntax error|unexpected token|assertion failed|timed out|deadlock|core dumped|is not assignable)\b/i,
  /(?:错误|失败|异常|无法|找不到|拒绝|超时|不存在|未定义)|(?:ошибк|исключени|не найден|не удалось|отказано|невозможно|тайм-?аут)/iu,
  /\b(?:error|exception|fatal|panic|failed|failure|invalid|refused|denied|missing|expected|mismatch|conflict|unreachable|abort(?:ed)?)\b/i,
]

/** Says that something failed, not what. */
const hollow =
  /^(?:traceback \(most recent call last\):?|error:?|failed:?|failures?:?|errors?:?|fail|command failed.*|(?:process |command )?exit(?:ed)?(?: with)?(?: \(?(?:status|code))?[ :]*\d+\)?\.?|npm err! (?:code \w+|errno.*|a complete log.*)|=+.*=+|-+.*-+|\d+ (?:tests? )?(?:failed|passed|errors?|problems?|warnings?).*|.*\b0 (?:errors?|failed|failures?)\b.*|make(?:\[\d+\])?: \*\*\*.*|error: process completed.*|elifecycle.*|no errors?.*|short test summary info)$/i

const lineLimit = 240
const linesLimit = 12
const scanLimit = 64 * 1024

/** The head and the tail of a long output: where errors stand. */
const scanned = (output: string): string =>
  output.length <= scanLimit ? output : `${output.slice(0, scanLimit / 2)}\n${output.slice(-scanLimit / 2)}`

const clean = (line: string): string =>
  line
    .replace(/^\s*(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?)\s*/, '')
    .replace(/^[\s>|│✗✖×❯●E]*(?=\s)\s+/u, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, lineLimit)

interface ErrorLine {
  line: string
  kind: number
}

function found(output: string): ErrorLine[] {
  const lines: ErrorLine[] = []
  const seen = new Set<string>()
  for (const raw of scanned(output)
    .replace(escapes, '')
    .split(/\r\n|\r|\n/)) {
    if (raw.length > 4000 || raw.trim() === '') continue
    const line = clean(raw)
    if (line.length < 4 || hollow.test(line) || seen.has(line)) continue
    const kind = kinds.findIndex(pattern => pattern.test(line))
    if (kind < 0) continue
    seen.add(line)
    lines.push({ line, kind })
    if (lines.length >= 200) break
  }
  return lines
}

/** What changes from run to run gone, words kept: for the index and for signatures. */
const unvaried = (line: string): string =>
  line
    .replace(/\b[a-z]+:\/\/[^\s'")]+/gi, url => url.replace(/:\d+\b/, '').replace(/[?#].*$/, ''))
    .replace(
      /(?:[a-z]:)?[/\\](?:private[/\\])?(?:tmp|temp|var[/\\]folders|var[/\\]tmp|dev[/\\]shm)[/\\][^\s:'")\],]*/gi,
      ' ',
    )
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, ' ')
    .replace(/\b\d{4}-\d\d-\d\d(?:[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)?/g, ' ')
    .replace(/\b\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\b/g, ' ')
    .replace(/\b0x[0-9a-f]+\b/gi, ' ')
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, ' ')
    // positions: file.ts:12:5, file.ts(12,5), line 12, column 5
    .replace(/(\.\w+)(?::\d+){1,2}\b|(\.\w+)\(\d+(?:,\d+)?\)/g, '$1$2 ')
    .replace(/\b(?:line|lines|col|column|offset|position|char|row|pid|port|index)[ :=#]*\d+/gi, ' ')
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds|minutes|m|h|kb|mb|gb|kib|mib|gib|bytes|b|%)(?![\w])/gi, ' ')

/** The lines of an output that say what went wrong, at most a dozen, in order, without what differs between two runs. */
export function errorLines(output: string): string[] {
  const lines = found(output)
  const best = lines.map((entry, i) => ({ ...entry, i })).sort((a, b) => a.kind - b.kind || a.i - b.i)
  const kept = best.slice(0, linesLimit).sort((a, b) => a.i - b.i)
  return [...new Set(kept.map(({ line }) => unvaried(line).replace(/\s+/g, ' ').trim()))].filter(line => line !== '')
}

/** A path comes down to its last two segments, so that a worktree or another checkout meets the same error. */
const shortPaths = (line: string): string =>
  line.replace(/(?:[a-z]:)?(?:[~.]{0,2}[/\\])?(?:[\w.@+-]+[/\\])+([\w.@+-]+[/\\][\w.@+-]+)/gi, '$1')

/** Codes keep their digits (TS2345, E0382, HTTP 404); any other number is one like another. */
const numbers = (line: string): string =>
  line.replace(
    /\b((?:http|status|errno|code|error|signal)(?: code)?[ :=]*\(?)(\d{1,5})\b|\b([a-z]{1,8}-?\d{2,5})\b|\d+(?:[.,]\d+)*/gi,
    (_whole, before: string | undefined, code: string | undefined, named: string | undefined) =>
      before !== undefined && code !== undefined
        ? `${before}${code}`
        : named !== undefined && /^[A-Z]{1,8}-?\d{3,5}$/.test(named)
          ? named
          : '#',
  )

/** Enough to tell an error by: a code or a name, or three words. */
const telling = (signature: string): boolean =>
  /[a-z]+(?:error|exception)\b|\b[a-z]{1,8}-?\d{3,5}\b|\be[a-z]{5,}\b/.test(signature)
    ? signature.replace(/[^\p{L}]/gu, '').length >= 8
    : (signature.match(/\p{L}{2,}/gu) ?? []).length >= 3 || /\p{Script=Han}{4,}/u.test(signature)

/**
 * What makes an error the same error: its lines, most telling first, at most six, lower case, with temporary paths, hex,
 * ids, times, positions and numbers gone (codes stay). Empty where nothing telling was printed.
 */
export function errorSignatures(output: string): string[] {
  const lines = found(output)
    .map((entry, i) => ({ ...entry, i }))
    .sort((a, b) => a.kind - b.kind || a.i - b.i)
  const signatures = new Set<string>()
  for (const { line } of lines) {
    const signature = numbers(shortPaths(unvaried(line)))
      .toLowerCase()
      .replace(/["'`“”‘’«»]/g, '')
      .replace(/[\s#]*#[\s#]*/g, ' # ')
      .replace(/\s+/g, ' ')
      .replace(/^[\s#:,;.\-–]+|[\s:,;.\-–#]+$/g, '')
      .slice(0, 160)
    if (telling(signature)) signatures.add(signature)
    if (signatures.size >= 6) break
  }
  return [...signatures]
}
