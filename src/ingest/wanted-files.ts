import { dirname, resolve, sep } from 'node:path'
import type { ReaderOptions, ReadStep, TranscriptFile } from '../harness/harness.ts'
import { readSmall } from './file-source.ts'
import type { TranscriptRef } from './transcript-reading.ts'

/** Bytes of an output kept in a file of its own. */
const wantedLimit = 16 << 20

/** Takes in files that a step asked for: large outputs kept apart. None from outside the store. */
export function withWanted(
  step: ReadStep,
  { harness: { reader }, path, root }: TranscriptRef,
  file: TranscriptFile,
  options: ReaderOptions,
): ReadStep {
  let whole = step
  for (const wanted of step.wants ?? []) {
    if (!reader.attach) break
    const place = resolve(dirname(path), wanted)
    const below = resolve(root.path)
    const text = place.startsWith(below + sep) ? readSmall(below, place, wantedLimit) : null
    if (text === null) continue
    const got = reader.attach(file, whole.state, wanted, text, options)
    whole = {
      ...whole,
      state: got.state,
      session: got.session ?? whole.session,
      records: [...whole.records, ...got.records],
      usage: [...whole.usage, ...got.usage],
      problems: [...whole.problems, ...got.problems],
    }
  }
  return whole
}
