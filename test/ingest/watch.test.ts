import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, it } from 'vitest'
import { Bed, until } from './bed.ts'

let bed: Bed
beforeEach(() => {
  bed = new Bed()
})
afterEach(() => bed.end())

const facts = (id: string) => ({ facts: { id, workspace: '/home/dev/tide' } })
const prompt = (text: string) => ({ kind: 'prompt', text })
const line = (text: string) => `${JSON.stringify(prompt(text))}\n`
/** Until the watches stand. */
const stand = () => new Promise(resolve => setTimeout(resolve, 700))

it('a directory that is deleted and made again is watched again, whatever was in it', async () => {
  bed.write('sub/a.jsonl', facts('a'), prompt('one'))
  mkdirSync(bed.path('empty'))
  await bed.start()
  await stand()
  for (const name of ['sub', 'empty']) {
    rmSync(bed.path(name), { recursive: true })
    bed.write(`${name}/b.jsonl`, facts(name), prompt('two'))
    await until(() => bed.said(name).length === 1)
    appendFileSync(bed.path(`${name}/b.jsonl`), line('three'))
    await until(() => bed.said(name).length === 2)
  }
})

it('writes in quick succession are all read', async () => {
  bed.write('a.jsonl', facts('a'))
  await bed.start()
  await stand()
  for (let n = 0; n < 40; n++) {
    appendFileSync(bed.path('a.jsonl'), line(`turn ${n}`))
    await new Promise(resolve => setTimeout(resolve, n % 7 === 0 ? 45 : n % 23))
  }
  await until(() => bed.said('a').length === 40, 2000)
})

it('a transcript that was left for long is noticed as soon as it grows', async () => {
  bed.write('a.jsonl', facts('a'), prompt('one'))
  await new Promise(resolve => setTimeout(resolve, 20))
  // only so many that changed last are watched by themselves
  for (let n = 0; n < 1100; n++) writeFileSync(bed.path(`s${n}.jsonl`), '{}\n')
  await bed.start()
  await stand()
  appendFileSync(bed.path('a.jsonl'), line('two'))
  await until(() => bed.said('a').length === 2, 2000)
}, 30_000)

it('an old file that is moved into the store is noticed', async () => {
  await bed.start()
  await stand()
  bed.write('../a.tmp', facts('a'), prompt('one'))
  utimesSync(bed.path('../a.tmp'), 1e9, 1e9)
  renameSync(bed.path('../a.tmp'), bed.path('a.jsonl'))
  await until(() => bed.said('a').length === 1, 2000)
})

it('a directory with very many files: new ones, those that go, recent ones that grow, and one whose agent calls', async () => {
  const last = 2100
  for (let n = 0; n <= last; n++) writeFileSync(bed.path(`s${n}.jsonl`), n % 500 === 0 ? '' : '{}\n')
  for (let n = 0; n <= last; n += 500) bed.write(`s${n}.jsonl`, facts(`s${n}`), prompt('one'))
  await bed.start()
  await stand()
  // among the thousand that changed last
  appendFileSync(bed.path('s2000.jsonl'), line('two'))
  await until(() => bed.said('s2000').length === 2, 2000)
  bed.write('new.jsonl', facts('new'), prompt('one'))
  await until(() => bed.said('new').length === 1)
  appendFileSync(bed.path('new.jsonl'), line('two'))
  await until(() => bed.said('new').length === 2, 2000)
  rmSync(bed.path('s500.jsonl'))
  await until(() => bed.reader.sessions.deleted().length === 1)
  await bed.river.peek(bed.path('s0.jsonl'))
  await stand()
  appendFileSync(bed.path('s0.jsonl'), line('two'))
  await until(() => bed.said('s0').length === 2, 2000)
}, 30_000)
