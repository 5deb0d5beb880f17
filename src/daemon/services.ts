import type { Settings } from '../settings/settings.ts'
import type { Environment } from '../shared/environment.ts'

/** What the routes work with. */
export interface Services {
  dataDir: string
  env: Environment
  settings: Settings
  now: () => Date
}
