import type { Harness } from '../harness.ts'
import { hooks } from './hooks.ts'
import { lifecycle } from './lifecycle.ts'
import { reader } from './reader.ts'
import { store } from './store.ts'
import { tools } from './tools.ts'
import { wiring } from './wiring.ts'

/** Command Code up to 1.64: a v3 tree in JSONL that only grows; flat files of 0.x are rewritten whole. */
export const commandcode: Harness = {
  id: 'commandcode',
  name: 'Command Code',
  store,
  reader,
  tools,
  hooks,
  wiring,
  lifecycle,
  examples: ['projects'],
}
