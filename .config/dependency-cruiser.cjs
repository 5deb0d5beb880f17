// Imports run downwards through the rooms: doors, services, stores, shared.
const rooms = [
  ['cli', 'mcp', 'daemon', 'client'],
  ['recall', 'search', 'ingest', 'usage', 'wiring', 'lifecycle'],
  ['index', 'archive', 'harness', 'settings'],
  ['shared'],
]
const upward = rooms.slice(1).map((lower, i) => ({
  name: `no-upward-import-from-${lower.join('-')}`,
  severity: 'error',
  from: { path: `^src/(${lower.join('|')})/` },
  to: {
    path: `^src/(${rooms
      .slice(0, i + 1)
      .flat()
      .join('|')})/`,
  },
}))
module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'a-harness-knows-no-other',
      severity: 'error',
      from: { path: '^src/harness/([^/]+)/' },
      to: { path: '^src/harness/([^/]+)/', pathNot: '^src/harness/($1|shared)/' },
    },
    {
      name: 'only-the-registry-names-harnesses',
      severity: 'error',
      from: { pathNot: '^src/harness/' },
      to: { path: '^src/harness/(codewhale|commandcode|codebuddy)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
