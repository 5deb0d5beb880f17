import { describe, expect, test } from 'vitest'
import { parsePatch } from '../../../src/harness/shared/patch.ts'

describe('parsePatch', () => {
  test('an edited file, a made one and a removed one', () => {
    const patch = [
      '--- a/README.md\n+++ b/README.md\n@@ -3,2 +3,2 @@\n Usage\n-  run: pytest\n+  run: tox',
      '--- /dev/null\n+++ b/conftest.py\n@@ -0,0 +1,2 @@\n+import sys\n+sys.exit()',
      '--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n',
    ].join('\n')
    expect(parsePatch(patch)).toEqual([
      { path: 'README.md', type: 'edit', removed: '  run: pytest', added: '  run: tox' },
      { path: 'conftest.py', type: 'write', removed: '', added: 'import sys\nsys.exit()' },
      { path: 'old.py', type: 'delete', removed: 'gone', added: '' },
    ])
  })

  test('a removed line that looks like a header is a line', () => {
    const patch = '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ b comment\n select 1\n'
    expect(parsePatch(patch)).toEqual([{ path: 'q.sql', type: 'edit', removed: '-- a comment', added: '++ b comment' }])
  })

  test('counts that promise too much do not swallow the next file', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-1\n+2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-3\n+4'
    expect(parsePatch(patch).map(file => [file.path, file.removed, file.added])).toEqual([
      ['x', '1', '2'],
      ['y', '3', '4'],
    ])
  })

  test('a path given beside the patch names a single file', () => {
    expect(parsePatch('@@ -1 +1 @@\n-1\n+2', 'src/a.ts')).toEqual([
      { path: 'src/a.ts', type: 'edit', removed: '1', added: '2' },
    ])
  })

  test('the envelope form', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@ f()\n-1\n+2\n*** Add File: b.ts\n+3\n*** End Patch'
    expect(parsePatch(patch)).toEqual([
      { path: 'a.ts', type: 'edit', removed: '1', added: '2' },
      { path: 'b.ts', type: 'write', removed: '', added: '3' },
    ])
  })

  test('no patch, no file', () => expect(parsePatch('hello\nworld')).toEqual([]))
})
