import { Ingest } from '../../src/ingest/ingest.ts'

// A process that ingests what it is told and says when it is through: `node ingest-process <data> <home> <worker>`.
const [, , dataDir = '', home = '', worker = ''] = process.argv
const ingest = await Ingest.start({
  dataDir,
  env: { HOME: home },
  settings: { exclude: { projects: [], paths: [] }, subagents: 'default' },
  worker: new URL(worker),
})
ingest.on(() => undefined)
await ingest.settle()
process.stdout.write('settled\n')
await ingest.stop()
