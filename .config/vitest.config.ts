import { readFile } from 'node:fs/promises'
import { defineConfig } from 'vitest/config'

/** Vite's counterpart of the bundler's text loader: the shims are imported as what they are. */
const shimsAsText = {
  name: 'shims-as-text',
  enforce: 'pre' as const,
  async load(id: string) {
    const [path = ''] = id.split('?')
    if (!/\/hooks\/shim\.(bash|sh|cjs)$/.test(path)) return null
    return `export default ${JSON.stringify(await readFile(path, 'utf8'))}`
  },
}

export default defineConfig({
  plugins: [shimsAsText],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
