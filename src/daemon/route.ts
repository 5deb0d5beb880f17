import type { z } from 'zod'
import { DejaError } from '../shared/errors.ts'
import type { Endpoint } from './api.ts'
import type { Services } from './services.ts'

/** A call's other half: what the daemon does with it. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly url: `/v1/${string}`
  /** Takes the body as it came (parsed JSON, or undefined). A DejaError that it throws reaches the caller as such. */
  readonly answer: (services: Services, input: unknown) => Promise<unknown>
}

/** Joins an endpoint with its input's schema (`z.undefined()` where it takes none) and what answers it. */
export function route<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  schema: z.ZodType<Input>,
  handle: (services: Services, input: Input) => Output | Promise<Output>,
): Route {
  return {
    method: endpoint.method,
    url: endpoint.url,
    answer: async (services, input) => {
      const checked = schema.safeParse(input)
      if (checked.success) return handle(services, checked.data)
      const [issue] = checked.error.issues
      const where = issue?.path.map(String).join('.') ?? ''
      throw new DejaError('usage', `${endpoint.url}: ${where === '' ? '' : `${where}: `}${issue?.message ?? 'invalid'}`)
    },
  }
}
