// Bundles the entry points: unbundled imports alone cost a third of a second at every start.
import { build } from 'esbuild'
import { chmod, readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))
/** `import text from './file?raw'`, as vite has it: the file's text, whatever its extension. */
const raw = {
  name: 'raw',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -'?raw'.length)),
      namespace: 'raw',
    }))
    onLoad({ filter: /./, namespace: 'raw' }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
      watchFiles: [path],
    }))
  },
}

await rm('dist', { recursive: true, force: true })
await build({
  entryPoints: { deja: 'src/main.ts', 'ingest-worker': 'src/ingest/worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['better-sqlite3'],
  plugins: [raw],
  // Its main file is UMD, whose inner requires can't be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  define: { __DEJA_VERSION__: JSON.stringify(version) },
  loader: { '.bash': 'text', '.sh': 'text', '.md': 'text' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require=__createRequire(import.meta.url);",
  },
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  logLevel: 'warning',
})
await chmod('dist/deja.js', 0o755)
