import type { Route } from '../route.ts'
import { drainRoute } from './drain.ts'
import { blameRoute, fixRoute, howRoute, logRoute, statuslineRoute, whyRoute } from './evidence.ts'
import { deletedRoute, deleteRoute, forgetRoute, forgottenRoute, restoreRoute, unforgetRoute } from './lifecycle.ts'
import { indexRoute, lastRoute, resumeRoute, searchRoute, showRoute } from './memory.ts'
import { statusRoute } from './status.ts'
import { toolRoute, toolSessionsRoute } from './tool.ts'
import { usageRoute } from './usage.ts'

/** Every call but the hooks' (hooks.ts). A new one is an endpoint in an …-api.ts, a route here, and nothing else. */
export const routes: readonly Route[] = [
  statusRoute,
  drainRoute,
  searchRoute,
  showRoute,
  lastRoute,
  resumeRoute,
  indexRoute,
  deletedRoute,
  deleteRoute,
  restoreRoute,
  forgetRoute,
  forgottenRoute,
  unforgetRoute,
  logRoute,
  whyRoute,
  blameRoute,
  howRoute,
  fixRoute,
  statuslineRoute,
  toolRoute,
  toolSessionsRoute,
  usageRoute,
]
