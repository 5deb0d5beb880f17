import * as z from 'zod'
import { whenOf } from '../../search/when.ts'
import { loadPrices } from '../../usage/prices.ts'
import { groupings, usageReport } from '../../usage/usage.ts'
import { route } from '../route.ts'
import { usageEndpoint } from '../usage-api.ts'

export const usageRoute = route(
  usageEndpoint,
  z.object({
    by: z.enum(groupings),
    since: z.string().max(40).optional(),
    until: z.string().max(40).optional(),
  }),
  async (services, { by, since, until }) => {
    const { archive, harnesses, settings } = services
    const now = services.now()
    const names = new Map(harnesses.map(({ id, tools }) => [id, tools]))
    const report = await usageReport(
      archive.usage,
      // read at each call: whoever edits the file sees the effect at once
      loadPrices(settings.prices),
      (harness, tool) => names.get(harness)?.normalName(tool) ?? tool,
      {
        by,
        since: since === undefined ? undefined : whenOf(since, 'since', now),
        until: until === undefined ? undefined : whenOf(until, 'until', now),
      },
    )
    const groups = by === 'session' ? report.groups.map(group => ({ ...group, ...titleOf(group.key) })) : report.groups
    return { schemaVersion: 1 as const, currency: 'USD' as const, groups, total: report.total }

    function titleOf(key: string): { title?: string } {
      const at = key.indexOf(':')
      const session = archive.sessions.keyOf({ harness: key.slice(0, at), id: key.slice(at + 1) })
      const title = session === null ? null : archive.sessions.json(session)?.title
      return title === null || title === undefined ? {} : { title }
    }
  },
)
