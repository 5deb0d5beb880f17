import { build } from 'esbuild'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The worker and a process around it, built as the product is. Within node_modules, so that better-sqlite3 is found. */
export async function bundle(): Promise<{ worker: URL; process: string; remove: () => void }> {
  const cache = resolve('node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(join(cache, 'deja-ingest-'))
  await build({
    entryPoints: { 'ingest-worker': 'src/ingest/worker.ts', 'ingest-process': 'test/ingest/ingest-process.ts' },
    outdir: directory,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    external: ['better-sqlite3'],
    loader: { '.bash': 'text', '.sh': 'text', '.md': 'text' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require=__createRequire(import.meta.url);",
    },
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  })
  return {
    worker: new URL(`file://${join(directory, 'ingest-worker.mjs')}`),
    process: join(directory, 'ingest-process.mjs'),
    remove: () => {
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
