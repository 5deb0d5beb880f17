import { toolQuestion, type ToolQuestion } from '../daemon/tool-api.ts'
import { DejaError } from '../shared/errors.ts'
import { fileLine } from '../shared/file-line.ts'
import { modes } from './definition.ts'

/** The one argument that a mode can't do without. */
const needed: Readonly<Record<string, string>> = {
  recall: 'query',
  context: 'id',
  blame: 'path',
  how: 'query',
  fix: 'error',
  remember: 'text',
}

/**
 * A call's arguments as a question. What is null or empty counts as absent: many models fill in every key that they know.
 * Throws `usage` with a sentence that says what to do.
 */
export function questionOf(given: unknown, directory: string): ToolQuestion {
  const filled = Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== '')
  const args: Record<string, unknown> = Object.fromEntries(filled)
  const { mode } = args
  if (typeof mode !== 'string' || !modes.some(known => known === mode))
    throw new DejaError('usage', `"mode" must be one of ${modes.join(', ')}.`)
  const key = needed[mode]
  if (key !== undefined && args[key] === undefined) throw new DejaError('usage', `Mode "${mode}" needs "${key}".`)
  const parsed = toolQuestion.safeParse(mode === 'blame' ? { ...args, ...placeOf(args.path, directory) } : args)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new DejaError(
    'usage',
    `"${issue?.path.join('.') ?? 'arguments'}": ${issue?.message.replace('Invalid input: ', '') ?? 'not understood'}.`,
  )
}

/** The line is read here, where the caller could read it too: the daemon reads no path that a caller names. */
function placeOf(path: unknown, directory: string): Record<string, unknown> {
  if (typeof path !== 'string') return {}
  const { line, ...place } = fileLine(path.trim(), directory)
  return { ...place, line: line ?? undefined }
}
