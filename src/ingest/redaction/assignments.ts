import { needle, type Needle, type Scan } from './scan.ts'

/** Values that a name gives away: assignments, flags, headers, in the spellings of code, shells, YAML, JSON and prose. */

interface SecretName {
  /** Lower case; found by `scan`. */
  needle: Needle
  /** What has to stand right before the needle. */
  before?: RegExp
  /** What may follow it, still part of the name. */
  after?: RegExp
}

/** Words that make a name a secret's, if they end it: `token_count` and `password_field` name no secret. */
const secretNames: readonly SecretName[] = [
  { needle: needle('pass'), after: /(?:word|wd|phrase|wort|code)/iy },
  { needle: needle('pwd') },
  { needle: needle('secret') },
  { needle: needle('token') },
  {
    needle: needle('key'),
    before: /(?:api|access|secret|private|signing|encryption|account|auth)[_-]?$/,
    after: /[_-]?id/iy,
  },
  { needle: needle('credential'), after: /s/iy },
  { needle: needle('x-amz-signature') },
  { needle: needle('sessionid') },
  ...['contraseña', 'contrasena', 'mot de passe', 'пароль', 'секрет', 'токен', 'ключ доступа'].map(text => ({
    needle: needle(text),
  })),
  ...['密码', '密碼', '口令', '密钥', '密鑰', '令牌'].map(text => ({ needle: needle(text) })),
]

const sign = /(?:\\?["'`\]])*\s{0,4}(?:=>|:=|={1,3}|[:：]|是|为)\s{0,4}(?:[rbuf]{1,2}(?=["']))?/y
/** What `sign` and `flagSign` begin with, in ASCII: most names are followed by something else. */
const signStarts = new Set(Array.from('\\"\'`] \t\n\v\f\r=:', mark => mark.charCodeAt(0)))
const maySign = (code: number): boolean => code > 127 || signStarts.has(code)
const flagSign = /[ =]\s{0,4}/y
const flagBefore = /(?<![\w-])--?(?:[a-z0-9]+[-_])*$/

/** A value that stands for another one, or for none: a variable, a call, a type, a placeholder. */
const reference =
  /^(?:\$[A-Za-z_{(]|%[A-Za-z_({]|\{\{|<|\[|\(|\*+$|x{3,}$|\.{3}|…|null\b|none\b|nil\b|undefined\b|true\b|false\b|string\b|str\b|number\b|int\b|bool(?:ean)?\b|bytes\b|any\b|optional\b|process\.|os\.|env[.([]|import\b|await\b|new\b|self\.|this\.|req\.|config\.|settings\.|ctx\.|args\.|options\.|get|your[-_ ]?|my[-_]|example|changeme|placeholder|redacted|required|missing|invalid|expired|wrong|incorrect|must|should|is\b|not\b|the\b|for\b|and\b|or\b|was\b)/iu

const closers: Readonly<Record<string, RegExp>> = {
  '"': /(?:\\.|[^"\\\n]){0,5000}/y,
  "'": /(?:\\.|[^'\\\n]){0,5000}/y,
  '`': /(?:\\.|[^`\\\n]){0,5000}/y,
  '\\"': /[^"\\\n]{0,5000}/y,
}
const bare = /[^\s"'`,;)}\]<>&|，。；]{1,5000}/y

/** Names whose value is a person's secret, however plain; the others' values must look like a key. */
const passwordName = /^(?:pass|pwd|secret|contrase|mot|парол|секрет|密码|密碼|口令|密)/iu
const plainName = /^[A-Za-z_$][A-Za-z_$]*(?:[.:?!]+[A-Za-z_$][\w$]*)*[.:;,?!]*$/

function isQuotedSecret(value: string, name: string): boolean {
  if (/\s/.test(value)) return passwordName.test(name) && value.length <= 64 && /\d/.test(value)
  if (passwordName.test(name)) return value.toLowerCase() !== name.toLowerCase()
  return value.length >= 20 || (value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value))
}

/** `sign` is without white space. */
function isBareSecret(value: string, name: string, sign: string): boolean {
  if (value.length < 4 || /^\d{1,8}(?:\.\d+)?$/.test(value) || /[(){}]/.test(value)) return false
  if (sign === '=' && /^[A-Z0-9_-]+$/.test(name)) return true // FOO_TOKEN=value, as in an .env file
  if (plainName.test(value)) return false // an identifier, or a word of prose
  if (/^(?:\.{0,2}|~)\//.test(value)) return false // a path
  return passwordName.test(name) || (value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value))
}

interface Found {
  start: number
  end: number
}

/** The places of secret values that their names give away. */
export function secretAssignments(text: string, { places }: Scan): Found[] {
  const found: Found[] = []
  for (const { needle, before, after } of secretNames) {
    for (const at of places.get(needle) ?? []) {
      let end = at + needle.text.length
      if (after) end += matchAt(after, text, end).length
      if (!maySign(text.charCodeAt(end))) continue
      const lead = text.slice(Math.max(0, at - 24), at).toLowerCase()
      if (before && !before.test(lead)) continue
      const name = text.slice(at, end)
      // `compass` is no pass: a short name starts a word, or a part of one (dbPass, db_pass)
      if (name.length <= 4 && /[a-z]$/.test(lead) && !/^[A-Z][a-z]/.test(name)) continue
      const place = assigned(text, name, end) ?? (flagBefore.test(lead) ? flagged(text, end) : null)
      if (place) found.push(place)
    }
  }
  return found
}

function assigned(text: string, name: string, end: number): Found | null {
  const between = matchAt(sign, text, end)
  if (between === '') return null
  const quote = quoteAt(text, end + between.length)
  return valueAt(text, end + between.length + quote.length, quote, value =>
    quote === '' ? isBareSecret(value, name, between.trim()) : isQuotedSecret(value, name),
  )
}

function flagged(text: string, end: number): Found | null {
  const between = matchAt(flagSign, text, end)
  if (between === '') return null
  const quote = quoteAt(text, end + between.length)
  return valueAt(text, end + between.length + quote.length, quote, value => !value.startsWith('-'))
}

function valueAt(text: string, start: number, quote: string, accept: (value: string) => boolean): Found | null {
  const value = matchAt(closers[quote] ?? bare, text, start)
  if (value.length < 3 || value.length > 4096 || reference.test(value) || !accept(value)) return null
  return { start, end: start + value.length }
}

function quoteAt(text: string, at: number): string {
  const quote = text.startsWith('\\', at) ? text.slice(at, at + 2) : text.charAt(at)
  return quote in closers ? quote : ''
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0] ?? ''
}

/** Headers and command-line spellings of passwords that no name precedes. Group 1 stands in front of the value. */
export const credentialPatterns: readonly { needles: readonly Needle[]; pattern: RegExp }[] = [
  {
    needles: ['authorization'].map(needle),
    pattern:
      /((?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|token|digest|apikey|key|negotiate|aws4-hmac-sha256)\s{1,4})?)((?!(?:bearer|basic|token|digest|apikey|key|negotiate)\b)[^\s"'\\$<{[,;]{6,}(?:[^\n"'\\]{0,300}(?:signature|response)=[^\n"'\\]+)?)/gi,
  },
  {
    needles: ['bearer'].map(needle),
    pattern: /(\bbearer\s{1,4})((?=[A-Za-z0-9._~+/=-]{0,200}\d)[A-Za-z0-9._~+/=-]{8,})/gi,
  },
  {
    needles: ['cookie'].map(needle),
    pattern: /((?<![\w-])(?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?)([^\s"'$<{[][^\n"']{7,})/gi,
  },
  {
    needles: ['x-'].map(needle),
    pattern: /((?<![\w-])x-(?:[a-z]{1,20}-){0,4}(?:key|token)["']?\s{0,4}:\s{0,4}["']?)([^\s"'$<{[]{6,})/gi,
  },
  {
    needles: ['://'].map(needle),
    pattern: /(:\/\/(?<=[a-z0-9+.-]:\/\/)[^\s/:@"'<>]{0,100}:)([^\s@"'<>/?#$[{][^\s@"'<>/?#]{0,200}?)(?=@[\w.[\]-])/gi,
  },
  {
    needles: ['-u', '--user', '--proxy-user'].map(needle),
    pattern: /((?<![\w-])(?:-u|--user|--proxy-user|-U)[ =]?["']?[\w.@+-]{1,100}:)([^\s"'$<{[]{3,})/g,
  },
  {
    needles: ['sshpass', 'mysql', 'mariadb', 'docker login', 'redis-cli'].map(needle),
    pattern:
      /((?:sshpass\s{1,4}-p|(?:mysql|mariadb|mysqldump|mysqladmin)\b[^\n|;&]{0,120}?\s-p|docker login\b[^\n|;&]{0,120}?\s-p|redis-cli\b[^\n|;&]{0,120}?\s-a)\s{0,4}["']?)([^\s"'$<{[-][^\s"']{2,})/g,
  },
]

/** Merges overlapping places. */
export function disjoint(found: Found[]): Found[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const result: Found[] = []
  for (const next of found) {
    const last = result.at(-1)
    if (last && next.start < last.end) last.end = Math.max(last.end, next.end)
    else result.push({ ...next })
  }
  return result
}
