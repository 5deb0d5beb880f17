import type { Redactor } from '../archive/redactor.ts'
import type { ReaderOptions, ReaderState, ReadStep, TranscriptFile } from '../harness/harness.ts'
import type { FileSource } from './file-source.ts'
import { redactStep } from './redact-step.ts'
import type { TranscriptRef } from './transcript-reading.ts'
import { withWanted } from './wanted-files.ts'

/** One step of reading, ready to be written. */
export interface PreparedStep {
  /** Redacted, but for the reader's own state. */
  step: ReadStep
  /** As the transcript tells it: projects and exclusions go by that. */
  workspace: string | null
}

export function prepareStep(
  ref: TranscriptRef,
  file: TranscriptFile,
  state: ReaderState,
  source: FileSource,
  tools: { options: ReaderOptions; redactor: Redactor },
): PreparedStep {
  const raw = withWanted(ref.harness.reader.read(file, state, source, tools.options), ref, file, tools.options)
  return { step: redactStep(raw, tools.redactor), workspace: raw.session?.workspace ?? null }
}
