// Runs a measurement of test/bench by name: bundled like the product, so that it measures what is shipped.
import { build } from 'esbuild'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'

const [name, ...rest] = process.argv.slice(2)
await mkdir('.bench', { recursive: true })
const outfile = join('.bench', `${name}.mjs`)
await build({
  entryPoints: [`test/bench/${name}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  packages: 'external',
  loader: { '.bash': 'text', '.sh': 'text', '.md': 'text' },
  logLevel: 'warning',
})
process.exit(spawnSync(process.execPath, ['--expose-gc', outfile, ...rest], { stdio: 'inherit' }).status ?? 1)
