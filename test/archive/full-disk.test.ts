import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ForgottenFile } from '../../src/archive/forgotten-file.ts'
import { NotesFile } from '../../src/archive/notes-file.ts'

// A file that may not grow beyond some kilobytes stands for a disk that is nearly full: a write takes a part of it.

let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'deja-full-'))
  const files = ['forgotten-file', 'notes-file'].map(name => resolve('src/archive', `${name}.ts`))
  await build({
    stdin: { contents: files.map(file => `export * from ${JSON.stringify(file)}`).join('\n'), resolveDir: directory },
    outfile: join(directory, 'files.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs it where no file may grow beyond 16 blocks of 1,024 bytes; gives what it threw. */
function onFullDisk(code: string): string {
  const script = `import { ForgottenFile, NotesFile } from './files.mjs'
    try { ${code} } catch (error) { process.stdout.write(error.code) }`
  const command = `ulimit -f 16; exec '${process.execPath}' --input-type=module`
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: directory, input: script, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}

it.skipIf(process.platform === 'win32')('notes that find no room leave the file as it was, and say so', () => {
  const path = join(directory, 'notes.jsonl')
  const note = { project: '/w', at: '2026-09-24T10:00:00.000Z', text: 'Gauges are read in UTC.', redaction: 1 }
  new NotesFile(path).write([note])
  const before = readFileSync(path, 'utf8')
  const many = `Array.from({ length: 1000 }, () => (${JSON.stringify(note)}))`
  expect(onFullDisk(`new NotesFile(${JSON.stringify(path)}).write(${many})`)).toBe('EFBIG')
  expect(readFileSync(path, 'utf8')).toBe(before)
})

it.skipIf(process.platform === 'win32')('a tombstone that finds no room is not confirmed', () => {
  const path = join(directory, 'forgotten.jsonl')
  const stone = { kind: 'session', harness: 'codewhale', value: 'a', at: '2026-09-24T10:00:00.000Z' } as const
  new ForgottenFile(path).append([stone])
  const long = `{ ...${JSON.stringify(stone)}, value: 'b', turns: Array.from({ length: 9000 }, (_, n) => n) }`
  expect(onFullDisk(`new ForgottenFile(${JSON.stringify(path)}).append([${long}])`)).toBe('EFBIG')
  new ForgottenFile(path).append([{ ...stone, value: 'c' }])
  expect(new ForgottenFile(path).read().map(({ value }) => value)).toEqual(['a', 'c'])
})
