import type { Harness } from '../harness.ts'
import { hooks } from './hooks.ts'
import { lifecycle } from './lifecycle.ts'
import { reader } from './reader.ts'
import { store } from './store.ts'
import { tools } from './tools.ts'
import { wiring } from './wiring.ts'

/** CodeWhale 0.8–0.10: one pretty-printed JSON a session, rewritten whole at each save. */
export const codewhale: Harness = {
  id: 'codewhale',
  name: 'CodeWhale',
  store,
  reader,
  tools,
  hooks,
  wiring,
  lifecycle,
  examples: ['home/.codewhale/sessions', 'home/.deepseek/sessions'],
}
