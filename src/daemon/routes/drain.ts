import * as z from 'zod'
import { DejaError } from '../../shared/errors.ts'
import { drainEndpoint } from '../api.ts'
import { route } from '../route.ts'

export const drainRoute = route(drainEndpoint, z.object({ instanceId: z.string() }), (services, { instanceId }) => {
  if (instanceId !== services.instanceId) throw new DejaError('refused', 'Another daemon runs here by now.')
  services.drain()
  return { draining: true as const }
})
