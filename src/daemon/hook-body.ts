import type { HookCall } from '../harness/hooks.ts'

/**
 * The body of `POST /v1/hooks/<harness>/<event>`: blocks of a name, a length in bytes, and that many bytes.
 *
 *     DEEPSEEK_WORKSPACE 15\n
 *     /home/dev/works\n
 *     stdin 27\n
 *     {"event":"message_submit"}\n\n
 *
 * Every block but `stdin` is an environment variable. A shell can write this without escaping anything, whatever the
 * values hold (newlines, quotes, invalid UTF-8), and the lengths are of what the shell holds: bash drops NULs.
 * `stdin` comes last, and what follows it is ignored (padding). Its length may be `-`: all bytes to the end (`sh` doesn't know how many it passes through).
 */
export function parseHookBody(event: string, body: Uint8Array): HookCall | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const env: Record<string, string> = {}
  let at = 0
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf(0x0a, at)
    if (lineEnd === -1 || lineEnd - at > 200) return null
    const header = /^([A-Za-z_][A-Za-z0-9_]*) ([0-9]{1,8}|-)$/.exec(bytes.toString('latin1', at, lineEnd))
    const [, name, length] = header ?? []
    if (name === undefined || length === undefined) return null
    const start = lineEnd + 1
    if (name === 'stdin') {
      const end = length === '-' ? bytes.length : start + Number(length)
      return end > bytes.length ? null : { event, stdin: bytes.toString('utf8', start, end), env }
    }
    const end = start + Number(length)
    if (length === '-' || end >= bytes.length || bytes[end] !== 0x0a) return null
    env[name] = bytes.toString('utf8', start, end)
    at = end + 1
  }
  return { event, stdin: '', env }
}

/** The same, written by Node (`deja hook`). Names that are not set are left out. */
export function encodeHookBody(
  stdin: Uint8Array,
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Buffer {
  const parts: Uint8Array[] = []
  for (const name of names) {
    const value = env[name]
    if (value === undefined) continue
    const bytes = Buffer.from(value)
    parts.push(Buffer.from(`${name} ${bytes.length}\n`), bytes, Buffer.from('\n'))
  }
  parts.push(Buffer.from(`stdin ${stdin.length}\n`), stdin, Buffer.from('\n'))
  return Buffer.concat(parts)
}
