/** Tells deja's own entries from others', whatever version wrote them and wherever the program stood then. */

const words = /^(?:.*[\\/])?deja(?:-recall)?(?:\.\w+)?$/

/** The event that a hook's command line hands to deja for this harness, or null where it isn't deja's. */
export function hookEvent(command: unknown, harness: string): string | null {
  if (typeof command !== 'string') return null
  // `…/deja-hook codewhale X`, `deja hook codewhale X`, `node '/…/deja.js' hook codewhale X`
  const line =
    /(?:^|[\s"'\\/])(?:deja-hook(?:\.\w+)?["']?|deja(?:\.\w+)?["']?\s+hook)\s+["']?([\w-]+)["']?\s+["']?([\w-]+)/
  const [, whose, event] = line.exec(command) ?? []
  return whose === harness && event !== undefined ? event : null
}

/** Whether an MCP server's entry starts deja's server. */
export function isOurServer(server: unknown): boolean {
  if (typeof server !== 'object' || server === null) return false
  const { command, args }: { command?: unknown; args?: unknown } = server
  if (typeof command !== 'string') return false
  const given: unknown[] = Array.isArray(args) ? args : []
  const line = [...(given.length > 0 ? [command] : command.split(/\s+/)), ...given].filter(
    word => typeof word === 'string',
  )
  return line.includes('mcp') && line.some(word => words.test(word))
}

/** Whether a status line's command is deja's. */
export function isOurStatusline(command: unknown): boolean {
  return (
    typeof command === 'string' && /(?:^|[\s"'\\/])deja(?:-hook|\.\w+)?["']?\s+(?:\S+\s+)?statusline\b/.test(command)
  )
}

/** Whether the person switched an entry off (`enabled: false`, `disabled: true`). */
export function isOff(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  const { enabled, disabled }: { enabled?: unknown; disabled?: unknown } = entry
  return enabled === false || disabled === true
}
