/** A tool's path made absolute on the session's workspace; as it is where the workspace isn't known. Slashes stay as they were written. */
export function absolutePath(path: string, workspace: string | null): string {
  if (isAbsolute(path)) return normal(path)
  if (workspace === null || path.startsWith('~')) return path
  const separator = workspace.includes('\\') && !workspace.includes('/') ? '\\' : '/'
  return normal(workspace.replace(/[\\/]+$/, '') + separator + path)
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)
}

/** Without `.`, `..` and doubled slashes. */
function normal(path: string): string {
  if (!/[\\/]\.{0,2}(?:[\\/]|$)/.test(path.slice(1))) return path
  const separator = path.includes('\\') && !path.includes('/') ? '\\' : '/'
  const parts = separator === '\\' ? path.split('\\') : path.split('/')
  const root = parts[0] ?? ''
  const kept: string[] = []
  for (const part of parts.slice(1)) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  return root + separator + kept.join(separator)
}
