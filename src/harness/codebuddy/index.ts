import type { Harness } from '../harness.ts'
import { hooks } from './hooks.ts'
import { codebuddyLifecycle, workbuddyLifecycle } from './lifecycle.ts'
import { reader } from './reader.ts'
import { codebuddyHomes, storeOf, workbuddyHomes } from './store.ts'
import { tools } from './tools.ts'
import { wiring, workbuddyWiring } from './wiring.ts'

/** Both are the same agent and write the same files: they differ in their homes, and in what can be opened again. */
function harnessOf(own: Pick<Harness, 'id' | 'name' | 'store' | 'wiring' | 'lifecycle' | 'examples'>): Harness {
  return { ...own, reader, tools, hooks }
}

const codebuddyStore = storeOf(codebuddyHomes, 'DEJA_CODEBUDDY_ROOT')
const workbuddyStore = storeOf(workbuddyHomes, 'DEJA_WORKBUDDY_ROOT')

export const codebuddy: Harness = harnessOf({
  id: 'codebuddy',
  name: 'CodeBuddy',
  store: codebuddyStore,
  wiring,
  lifecycle: codebuddyLifecycle(env => codebuddyStore.roots(env)),
  examples: ['tools/projects'],
})

export const workbuddy: Harness = harnessOf({
  id: 'workbuddy',
  name: 'WorkBuddy',
  store: workbuddyStore,
  wiring: workbuddyWiring,
  lifecycle: workbuddyLifecycle(env => workbuddyStore.roots(env)),
  examples: [],
})
