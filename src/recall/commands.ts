import { essence, parseCommandLine, type CommandLine, type SimpleCommand } from '../shared/command.ts'

/** Programs that only look. With nothing else on the line there is nothing to hint at and nothing to mend. */
const looking = new Set(
  `ls ll la dir tree cat bat head tail less more nl wc file stat du df pwd cd echo printf true false test [ which whereis type
  command whoami id uname hostname date env printenv set export alias history man help info locate find fd grep egrep fgrep rg ag ack
  sort uniq cut tr column awk jq yq xxd od hexdump strings diff cmp comm md5sum sha1sum sha256sum realpath dirname basename readlink
  ps top htop free uptime lsof ss netstat sleep clear exit seq yes tput Get-Content Get-ChildItem Get-Location Select-String Where-Object
  Format-Table Out-String gc gci`.split(/\s+/),
)
const lookingGit = new Set(
  'status log show diff branch blame grep ls-files ls-tree rev-parse describe remote shortlog reflog cat-file tag config stash'.split(
    ' ',
  ),
)

/** `sudo`, `time`, `npx` …: the program is what follows. */
const wrappers = new Set(['sudo', 'time', 'nice', 'nohup', 'env', 'command', 'exec', 'xargs', 'doas'])

function programOf({ words }: SimpleCommand): string[] {
  let at = 0
  while (wrappers.has(words[at] ?? '') && at + 1 < words.length) {
    at++
    while ((words[at] ?? '').startsWith('-') || /^\w+=/.test(words[at] ?? '')) at++
  }
  return [(words[at] ?? '').replace(/^.*[/\\]/, ''), ...words.slice(at + 1)]
}

function looks(command: SimpleCommand): boolean {
  const [program = '', ...rest] = programOf(command)
  if (command.redirections.some(text => text.includes('>') && !/^\d?>&\d$|\/dev\/null$/.test(text))) return false
  if (program === 'git')
    return (
      lookingGit.has(rest.find(word => !word.startsWith('-')) ?? '') &&
      !rest.some(word => /^(?:-[dD]|--delete|drop|pop|clear|push)$/.test(word))
    )
  if (program === 'find' || program === 'fd') return !rest.some(word => /^-(?:delete|exec|execdir|x|X)$/.test(word))
  if (program === 'sed') return !rest.some(word => /^(?:-\w*i|--in-place)/.test(word))
  if (/^(?:node|python\d*|ruby|go|cargo|npm|java|rustc|deno|bun)$/.test(program))
    return rest.length === 1 && /^(?:-v|-V|--version|version)$/.test(rest[0] ?? '')
  return looking.has(program)
}

/** Whether a command only looks around (`ls`, `git status`, `grep -rn x src | head`). */
export function isInspection(command: string): boolean {
  const line = parseCommandLine(command)
  return line !== null && line.commands.every(looks)
}

const destructive: readonly RegExp[] = [
  /\brm\s+(?:-\w+\s+)*(?:-\w*[rRf]\w*|--recursive|--force)\b/,
  /\bgit\s+(?:\S+\s+)*?(?:push\s+(?:\S+\s+)*(?:-f\b|--force\S*|--delete|--mirror|\+\S+)|reset\s+(?:\S+\s+)*--hard|clean\s+(?:\S+\s+)*-\w*[fdx]|checkout\s+(?:\S+\s+)*(?:--\s|\.(?:\s|$)|-f\b)|restore\b|branch\s+(?:\S+\s+)*-D|stash\s+(?:drop|clear)|filter-(?:branch|repo)|update-ref\s+-d|reflog\s+expire|rebase\b|push\s+\S+\s+:)/,
  /\b(?:drop|truncate)\s+(?:table|database|schema|index|view|column|user|role)\b|\bdelete\s+from\b|\bdropdb\b|\bdropuser\b|\bflush(?:all|db)\b|\bdb:(?:drop|reset|purge|schema:load)\b|\bmigrate[: ](?:reset|fresh|down)\b|\bprisma\s+migrate\s+reset\b/i,
  /\b(?:mkfs|fdisk|parted|wipefs|shred|dd)\b|\bof=\/dev\/|>\s*\/dev\/(?:sd|nvme|disk)|\bchmod\s+(?:-\w+\s+)*-?\w*R|\bchown\s+(?:-\w+\s+)*-\w*R|\bchmod\s+(?:-\w+\s+)*(?:0?777|a\+rwx)\b/,
  /\b(?:kubectl|helm|terraform|pulumi|aws|gcloud|az|heroku|fly|flyctl|doctl)\b.*\b(?:delete|destroy|uninstall|terminate|purge|rm|remove)\b|\bdocker\s+(?:system|volume|image|container|network|builder)?\s*(?:prune|rm|rmi)\b|\bdocker[ -]compose\s+(?:\S+\s+)*down\s+(?:\S+\s+)*(?:-v|--volumes)\b/,
  /\b(?:prod|production|live)\b/i,
  /\bkill(?:all)?\s+-9\b|\bpkill\b|\bkillall\b|\bshutdown\b|\breboot\b|\bsystemctl\s+(?:stop|disable|mask)\b|\bcrontab\s+-r\b|\bufw\s+(?:disable|reset)\b|\biptables\s+-F\b|\bsetenforce\s+0\b/,
  /\b(?:npm|pnpm|yarn)\s+(?:unpublish|publish|deprecate)\b|\b(?:cargo|twine|gem)\s+(?:publish|upload|push|yank)\b|\bRemove-Item\b.*-Recurse|\brd\s+\/s|\bdel\s+\/[sfq]|\bFormat-Volume\b/i,
  /\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|--no-verify\b|--force\b|--allow-unrelated-histories\b|--no-preserve-root\b|:\(\)\s*\{/,
  /\b(?:find|fd)\b.*-(?:delete|exec\s+rm)\b|\bxargs\s+(?:\S+\s+)*rm\b|\btruncate\s+-s\b/,
]

/** Whether a command could take something away that is not easily brought back, reaches production, or silences a check. */
export function isDestructive(command: string): boolean {
  return destructive.some(pattern => pattern.test(command))
}

/** The words of a line that say what it does: its last command that does more than look, or the last one. */
function main(line: CommandLine): SimpleCommand | undefined {
  const { commands } = essence(line)
  return commands.findLast(command => !looks(command)) ?? commands.at(-1)
}

/** Words that stand for running another program. */
const runners = new Set('npx bunx yarn pnpm npm poetry pipenv uv bundle rye hatch pdm run exec dlx -m'.split(' '))

/**
 * Whether `other` is another way to run `command`: the same program with nearly the same arguments, in another
 * environment, by another runner (`poetry run pytest` for `pytest`), or without a wrapper that isn't there. The same
 * command again is no variant of itself.
 */
export function isVariant(command: string, other: string): boolean {
  const [a, b] = [parseCommandLine(command), parseCommandLine(other)]
  if (!a || !b) return false
  const [first, second] = [main(a), main(b)]
  if (!first || !second || looks(first) || looks(second)) return false
  const [x, y] = [bare(first), bare(second)]
  if (x.length === 0 || y.length === 0) return false
  if (x.join('\0') === y.join('\0'))
    return (
      [...first.assignments, ...first.words].join('\0') !== [...second.assignments, ...second.words].join('\0') ||
      essence(a).commands.length !== essence(b).commands.length
    )
  // `timeout 60 npm test` → `npm test`, `foo x` → `./foo x`
  const [short, long] = x.length <= y.length ? [x, y] : [y, x]
  if (short.length >= 2 && long.slice(-short.length).join('\0') === short.join('\0') && long.length - short.length <= 2)
    return true
  if (x[0] !== y[0]) return x.length >= 3 && x.length === y.length && x.slice(1).join('\0') === y.slice(1).join('\0')
  const rest = new Set(y.slice(1))
  const shared = x.slice(1).filter(word => rest.has(word)).length
  const operands = (words: string[]): string[] => words.slice(1).filter(word => !word.startsWith('-'))
  // the same subject (sub-command, files, targets), other options
  if (operands(x).join('\0') === operands(y).join('\0')) return true
  return shared >= 2 && shared / (Math.max(x.length, y.length) - 1) >= 0.6 && operands(x)[0] === operands(y)[0]
}

function bare(command: SimpleCommand): string[] {
  const words = programOf(command)
  let at = 0
  while (
    at + 1 < words.length &&
    (runners.has(words[at] ?? '') || (/^python[\d.]*$/.test(words[at] ?? '') && words[at + 1] === '-m'))
  )
    at++
  // `npm run` alone says nothing; `npm test` is its own program
  if (at > 0 && ['npm', 'yarn', 'pnpm', 'run'].includes(words[at - 1] ?? '')) return words.slice(at - 1)
  return words.slice(at)
}
