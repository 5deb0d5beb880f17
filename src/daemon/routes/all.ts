import type { Route } from '../route.ts'
import { drainRoute } from './drain.ts'
import { statusRoute } from './status.ts'

/** Every call but the hooks' (hooks.ts). A new one is an endpoint in api.ts, a route here, and nothing else. */
export const routes: readonly Route[] = [statusRoute, drainRoute]
