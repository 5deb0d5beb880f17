import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { harnesses } from '../../src/harness/registry.ts'
import type { Harness } from '../../src/harness/harness.ts'
import { loadPrices, type PriceList } from '../../src/usage/prices.ts'
import { usageReport, type Grouping, type UsageGroup, type UsageReport } from '../../src/usage/usage.ts'
import { Bed } from '../ingest/bed.ts'

/** A home with the agents' stores in it, and the archive that is filled from them. */
export class House {
  readonly bed = new Bed()

  path(name: string): string {
    return join(this.bed.base, name)
  }

  fixture(name: string, to: string): void {
    cpSync(join(import.meta.dirname, '../../fixtures', name), this.path(to), { recursive: true })
  }

  /** One agent's store is read; the archive stays from start to start. */
  async read(id: string): Promise<void> {
    await this.bed.stop()
    await this.bed.start(harnessOf(id), { environments: () => [{ HOME: this.bed.base }] })
  }

  report(by: Grouping, more: { since?: string; until?: string; prices?: PriceList } = {}): Promise<UsageReport> {
    const { prices = loadPrices(null), ...span } = more
    return usageReport(this.bed.reader.usage, prices, (harness, tool) => harnessOf(harness).tools.normalName(tool), {
      by,
      ...span,
    })
  }

  async session(id: string): Promise<UsageGroup> {
    const { groups } = await this.report('session')
    const group = groups.find(({ key }) => key.includes(id))
    if (group === undefined) throw new Error(`no usage of ${id}`)
    return group
  }

  /** Days with what was spent on them. */
  async days(): Promise<Record<string, number | null>> {
    const { groups } = await this.report('day')
    return Object.fromEntries(groups.map(({ key, costUsd }) => [key, costUsd]))
  }

  /** A CodeWhale session as it is saved, dated as its file is. */
  save(id: string, metadata: object, written: string): void {
    const path = this.path(`.codewhale/sessions/${id}.json`)
    mkdirSync(dirname(path), { recursive: true })
    const messages = [{ role: 'user', content: [{ type: 'text', text: `the question of ${id}` }] }]
    const whole = {
      id,
      title: id,
      workspace: '/home/dev/tide',
      message_count: 1,
      model: 'deepseek-v4-pro',
      ...metadata,
    }
    writeFileSync(path, JSON.stringify({ schema_version: 1, metadata: whole, messages }, null, 2))
    utimesSync(path, new Date(written), new Date(written))
  }

  /** What a session's metadata say, and some more of it. */
  resave(id: string, change: object, written: string): void {
    const path = this.path(`.codewhale/sessions/${id}.json`)
    const document = JSON.parse(readFileSync(path, 'utf8')) as { metadata: object }
    writeFileSync(path, JSON.stringify({ ...document, metadata: { ...document.metadata, ...change } }, null, 2))
    utimesSync(path, new Date(written), new Date(written))
  }

  end(): Promise<void> {
    return this.bed.end()
  }
}

function harnessOf(id: string): Harness {
  const harness = harnesses.find(known => known.id === id)
  if (harness === undefined) throw new Error(`no harness ${id}`)
  return harness
}
