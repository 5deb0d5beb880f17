import { InvalidArgumentError, Option, type Command } from 'commander'
import type { CliContext } from '../context.ts'

/** What a command is declared with. It imports its code only when it runs. */
export interface Declaring {
  program: Command
  context: CliContext
  /** Every agent's id; empty where the command line names no command that tells them. */
  agents: readonly string[]
  /** The command that a search's first word is nearly the name of; null where the search was asked for by name. */
  meant: () => string | null
  /** Runs a command's code and keeps its exit code. */
  run: (action: () => Promise<number>) => Promise<void>
}

/** A whole number from `least` to `most`, for an option's value. */
export function wholeNumber(least: number, most = 9_999_999): (text: string) => number {
  return text => {
    const value = Number(text)
    if (/^\d{1,7}$/.test(text) && value >= least && value <= most) return value
    const upTo = most === 9_999_999 ? '' : ` to ${most.toLocaleString('en')}`
    throw new InvalidArgumentError(`Expected a whole number from ${least}${upTo}, got "${text}".`)
  }
}

export const jsonOption = (): Option => new Option('--json', 'print one JSON object')
