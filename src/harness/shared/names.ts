import { textOf } from './json.ts'

/** A skill's or a sub-agent type's name as a call gives it; undefined where the value is none: names are short and of one line. */
export function nameOf(value: unknown): string | undefined {
  const name = textOf(value)?.trim()
  return name !== undefined && /^[\p{L}\p{N}][\p{L}\p{N} _.:/@+-]{0,79}$/u.test(name) ? name : undefined
}
