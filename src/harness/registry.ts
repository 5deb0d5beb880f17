import { codebuddy, workbuddy } from './codebuddy/index.ts'
import { codewhale } from './codewhale/index.ts'
import { commandcode } from './commandcode/index.ts'
import type { Harness } from './harness.ts'

/** Every agent that deja knows. A new one is a folder and a line here. */
export const harnesses: readonly Harness[] = [codewhale, commandcode, codebuddy, workbuddy]
