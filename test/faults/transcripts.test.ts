import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletedEndpoint } from '../../src/daemon/lifecycle-api.ts'
import { indexEndpoint, showEndpoint } from '../../src/daemon/memory-api.ts'
import { House, idOf, line, wait } from './house.ts'
import { rounds, timeFor } from './rounds.ts'

// What happens to a transcript while it is read: what was kept stays, what is new comes once.

describe('one transcript, while the daemon runs', () => {
  let house: House
  let next = 1
  beforeAll(async () => {
    house = await House.make()
    await house.status()
  })
  afterAll(() => house.remove())

  const texts = (n: number): string[] =>
    Array.from({ length: 6 }, (_, m) => `of ${n}: words ${m} ${'and more '.repeat(20)}`)
  const begun = async (): Promise<string> => {
    const session = idOf(next++)
    house.session(session, texts(next))
    await all()
    return session
  }
  const all = (): Promise<void> => house.until(() => house.hasAll())

  test('truncated: what was read is kept; what is written then comes behind it', async () => {
    const session = await begun()
    const path = house.path(session)
    const kept = house.said.get(session) ?? []
    const lines = readFileSync(path, 'utf8').split(/(?<=\n)/)
    writeFileSync(path, lines.slice(0, 3).join(''))
    await house.ask(indexEndpoint, { rebuild: false })
    house.expectAll()
    appendFileSync(path, line(session, 3, 'another turn was taken'))
    house.said.set(session, [...kept, 'another turn was taken'])
    await all()
    truncateSync(path, 0)
    await house.ask(indexEndpoint, { rebuild: false })
    house.expectAll()
  })

  test('replaced by a rename: the same words are the same records', async () => {
    const session = await begun()
    const path = house.path(session)
    writeFileSync(`${path}.tmp`, readFileSync(path, 'utf8') + line(session, 6, 'one more after the replacement'))
    renameSync(`${path}.tmp`, path)
    house.said.get(session)?.push('one more after the replacement')
    await all()
  })

  test('renamed away and back: neither lost nor twice', async () => {
    const session = await begun()
    const path = house.path(session)
    renameSync(path, `${path}.away`)
    await house.until(async () =>
      (await house.ask(deletedEndpoint, undefined)).sessions.some(({ id }) => id === session),
    )
    house.expectAll()
    renameSync(`${path}.away`, path)
    await house.until(async () => (await house.ask(deletedEndpoint, undefined)).sessions.length === 0)
    await house.ask(indexEndpoint, { rebuild: false })
    house.expectAll()
  })

  test('rewritten with the same size and the same time', async () => {
    const session = await begun()
    const path = house.path(session)
    const { atime, mtime } = statSync(path)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('words 5', 'WORDS 5'))
    utimesSync(path, atime, mtime)
    const kept = house.said.get(session) ?? []
    const changed = (kept[5] ?? '').replace('words 5', 'WORDS 5')
    await house.until(
      () =>
        house
          .kept()
          .get(session)
          ?.some(each => each.startsWith(changed.slice(0, 20))) ?? false,
    )
    const now = house.kept().get(session) ?? []
    // the words that were there before may stay beside the new ones, but once
    expect(new Set(now).size).toBe(now.length)
    for (const each of kept.slice(0, 5)) expect(now).toContain(each.trim())
    house.said.set(session, now)
  })

  test(
    'appended through one open descriptor, in pieces that tear lines and letters',
    async () => {
      const session = idOf(next++)
      const path = house.path(session)
      const said = Array.from(
        { length: rounds(30, 3000) },
        (_, n) => `пункт ${n}: 例え話 ${'слово '.repeat(n % 50)}ends`,
      )
      const bytes = Buffer.from(said.map((text, n) => line(session, n, text)).join(''))
      const file = openSync(path, 'a')
      for (let at = 0; at < bytes.length;) {
        const length = 1 + Math.floor(Math.random() * 2 * (bytes.length / rounds(60, 6000)))
        at += writeSync(file, bytes, at, Math.min(length, bytes.length - at))
        await wait(20)
      }
      closeSync(file)
      house.said.set(session, said)
      await all()
    },
    timeFor(40, rounds(60, 6000)),
  )

  const longMb = rounds(6, 100)
  test(`a line of ${longMb} MB: the rest of the file is read, the daemon lives`, async () => {
    const session = idOf(next++)
    const { pid } = house.state()
    house.session(session, ['before it', 'x'])
    appendFileSync(house.path(session), line(session, 2, 'long '.repeat((longMb * 1024 * 1024) / 5)))
    appendFileSync(house.path(session), line(session, 3, 'behind the long line'))
    house.said.delete(session)
    await house.until(() => house.kept().get(session)?.includes('behind the long line') ?? false, 120_000)
    const kept = house.kept().get(session) ?? []
    expect(kept.slice(0, 2)).toEqual(['before it', 'x'])
    house.said.set(session, kept)
    expect(house.state().pid).toBe(pid)
    const show = await house.ask(showEndpoint, { id: session, offset: 0, limit: 100 })
    expect(show.total).toBe(kept.length)
  }, 180_000)

  test('NULs, invalid UTF-8, lone surrogates and lines that are none: what is good around them is read', async () => {
    const session = idOf(next++)
    const good = (n: number): Buffer => Buffer.from(line(session, n, `good ${n}`))
    const bad = [
      Buffer.alloc(5000),
      Buffer.from('\n'),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0x0a]),
      Buffer.from('{"type":"message","role":"user","content":[{"type":"input_text","text":"\\ud800"}]}\n'),
      Buffer.from('null\n[]\n5\n"x"\n{}\n{"type":{}}\n'),
      Buffer.from('[{"type":"message"'),
      Buffer.from('\r\n\n\n'),
    ]
    const bytes = Buffer.concat([good(0), good(1), ...bad, good(2), good(3)])
    mkdirSync(dirname(house.path(session)), { recursive: true })
    writeFileSync(house.path(session), bytes)
    await house.until(() => house.kept().get(session)?.includes('good 3') ?? false)
    const kept = house.kept().get(session) ?? []
    expect(kept.filter(text => text.startsWith('good'))).toEqual(['good 0', 'good 1', 'good 2', 'good 3'])
    house.said.set(session, kept)
    expect(['ready', 'indexing']).toContain((await house.status()).state)
    expect((await house.home.deja(['doctor'])).stdout).toContain(session)
  })
})
