import { InvalidArgumentError, Option, type Command } from 'commander'
import type { CliContext } from '../context.ts'

/** What a command is declared with. It imports its code only when it runs. */
export interface Declaring {
  program: Command
  context: CliContext
  /** Runs a command's code and keeps its exit code. */
  run: (action: () => Promise<number>) => Promise<void>
}

/** A whole number from `least` up, for an option's value. */
export function wholeNumber(least: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (/^\d{1,7}$/.test(text) && value >= least) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least}, got "${text}".`)
  }
}

export const jsonOption = (): Option => new Option('--json', 'print one JSON object')
