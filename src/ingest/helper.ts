import type { MessagePort } from 'node:worker_threads'
import type { Redactor } from '../archive/redactor.ts'
import { packTexts, type PackedTexts } from '../archive/text.ts'
import type { Harness, ReaderOptions, StoreRoot } from '../harness/harness.ts'
import { FileSource, seen } from './file-source.ts'
import { prepareStep, type PreparedStep } from './prepared-step.ts'
import { readSidecars } from './sidecars.ts'

/** Bounded steps of one file that are prepared ahead: some 32 MB. */
const mostSteps = 4

/** What a helper is asked to read. */
export interface HelperAsk {
  harness: string
  root: StoreRoot
  path: string
  relative: string
}

/** A transcript's first steps, and the file as it was then. */
export interface ReadAhead {
  path: string
  inode: string
  size: number
  mtime_ms: number
  sidecars: Record<string, string>
  steps: (PreparedStep & { packed: (PackedTexts | null)[] })[]
}

/** `ahead` null: it could not be read; whoever writes it finds out why. */
export interface HelperAnswer {
  path: string
  ahead: ReadAhead | null
}

/** A thread beside the worker: reads transcripts from their start, redacts and packs what they hold, and writes nothing. */
export function runHelper(
  port: MessagePort,
  harnesses: readonly Harness[],
  tools: { options: ReaderOptions; redactor: Redactor },
): void {
  port.on('message', (ask: HelperAsk) => {
    const harness = harnesses.find(({ id }) => id === ask.harness)
    let ahead: ReadAhead | null = null
    try {
      ahead = harness ? readAhead({ ...ask, harness }, tools) : null
    } catch {
      // read once more by the worker itself, which tells what is wrong
    }
    port.postMessage({ path: ask.path, ahead } satisfies HelperAnswer)
  })
}

function readAhead(
  ref: Omit<HelperAsk, 'harness'> & { harness: Harness },
  tools: { options: ReaderOptions; redactor: Redactor },
): ReadAhead {
  const { path, relative, root } = ref
  const source = new FileSource(root.path, path)
  try {
    const { signs, texts } = readSidecars(ref)
    const ahead: ReadAhead = { path, ...seen(source), sidecars: signs, steps: [] }
    let state: unknown = null
    do {
      const prepared = prepareStep(ref, { path, relative, sidecars: texts }, state, source, tools)
      state = prepared.step.state
      const packed = prepared.step.records.map(record => {
        const texts = packTexts(record)
        return texts.big === null ? null : texts
      })
      ahead.steps.push({ ...prepared, packed })
    } while (ahead.steps.at(-1)?.step.more === true && ahead.steps.length < mostSteps)
    return ahead
  } finally {
    source.close()
  }
}
