import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deletedEndpoint } from '../../src/daemon/lifecycle-api.ts'
import { indexEndpoint } from '../../src/daemon/memory-api.ts'
import { cli, House, idOf, line, project, wait } from './house.ts'
import { Namespace } from './namespace.ts'
import { isFull, notRun, rounds, timeFor } from './rounds.ts'

// What happens to whole stores: away, unwatched, unreadable for a while, very full.

describe('stores', () => {
  let house: House
  /** Watches that couldn't be had are tried again after a minute. */
  async function recovered(what: string): Promise<void> {
    if (!isFull) notRun(`that there are ${what} again is seen`, 'it takes a minute: npm run test:faults')
    else await house.until(async () => (await house.status()).state === 'ready', 90_000)
  }
  const withHouse = (what: () => Promise<void>) => async () => {
    house = await House.make()
    try {
      await what()
    } finally {
      await house.remove()
    }
  }

  test(
    'one whose root vanishes and comes back: nothing counts as deleted',
    withHouse(async () => {
      for (let n = 1; n <= 5; n++) house.session(idOf(n), [`question ${n}`, `answer ${n}`])
      await house.settled()
      const root = join(house.home.path, '.codebuddy/projects')
      const states = async (): Promise<string[]> =>
        (await house.status()).harnesses.flatMap(({ id, roots }) =>
          id === 'codebuddy' ? roots.map(({ state }) => state) : [],
        )
      expect(await states()).toEqual(['read'])
      renameSync(root, `${root}.away`)
      await house.ask(indexEndpoint, { rebuild: false })
      await wait(600)
      expect(await states()).toEqual(['absent'])
      expect((await house.ask(deletedEndpoint, undefined)).sessions).toEqual([])
      // an empty directory in its place, as a mount point that nothing is mounted on: another file system's at that
      expect((await house.home.deja(['search', 'question'])).stdout).toContain('00000001')
      renameSync(`${root}.away`, root)
      house.append(idOf(1), 'back again')
      await house.until(() => house.hasAll())
      expect(await states()).toEqual(['read'])
      expect((await house.ask(deletedEndpoint, undefined)).sessions).toEqual([])
    }),
  )

  test(
    'an unmounted store leaves an empty mount point: nothing counts as deleted',
    withHouse(async () => {
      const root = join(house.home.path, '.codebuddy/projects')
      const from = join(house.home.path, 'volume')
      for (let n = 1; n <= 3; n++) house.session(idOf(n), [`question ${n}`, `answer ${n}`])
      renameSync(root, from)
      mkdirSync(root)
      const space = await Namespace.open(`mount -t tmpfs deja '${root}' && cp -r '${from}/.' '${root}'`)
      if (space === null) {
        notRun('a store on a mount that goes', 'it takes user namespaces')
        return
      }
      try {
        await house.launched(space.inside(process.execPath, cli, 'daemon', 'run'))
        await house.until(() => house.hasAll())
        space.sh(`umount -l '${root}'`)
        await house.ask(indexEndpoint, { rebuild: false })
        await wait(800)
        await house.ask(indexEndpoint, { rebuild: false })
        expect((await house.ask(deletedEndpoint, undefined)).sessions).toEqual([])
        house.expectAll()
      } finally {
        await house.killed()
        space.close()
      }
    }),
  )

  test(
    'no file watches left (ENOSPC): said in status, what is written is still found, and it passes',
    withHouse(async () => {
      house.session(idOf(1), ['question', 'answer'])
      mkdirSync(join(house.home.path, '.commandcode/projects/a'), { recursive: true })
      const limit = '/proc/sys/user/max_inotify_watches'
      const space = await Namespace.open(`echo 1 > ${limit}`)
      if (space === null) {
        notRun('no inotify watches left', 'it takes user namespaces')
        return
      }
      try {
        await house.launched(space.inside(process.execPath, cli, 'daemon', 'run'))
        await house.until(async () => (await house.status()).state === 'degraded')
        expect((await house.status()).reasons.join()).toMatch(/no file watches left/)
        house.append(idOf(1), 'written while nobody watches')
        await house.until(() => house.hasAll())
        space.sh(`echo 10000 > ${limit}`)
        await recovered('file watches')
      } finally {
        await house.killed()
        space.close()
      }
    }),
    120_000,
  )

  test(
    'no descriptors left (EMFILE): it lives through it, and what was written meanwhile is read',
    withHouse(async () => {
      house.session(idOf(1), ['question', 'answer'])
      await house.settled()
      const { pid } = house.state()
      const nofile = (count: number | string): number | null =>
        spawnSync('prlimit', ['--pid', String(pid), `--nofile=${count}:`]).status
      if (nofile(8) !== 0) {
        notRun('no descriptors left', 'it takes prlimit')
        return
      }
      house.append(idOf(1), 'written when nothing could be opened')
      house.session(idOf(2), ['a new one', 'as well'])
      await wait(1500)
      expect(nofile(1024)).toBe(0)
      await house.until(() => house.hasAll(), 40_000)
      await recovered('descriptors')
      expect(house.state().pid).toBe(pid)
    }),
    120_000,
  )

  const files = rounds(1500, 50_000)
  test(
    `one of ${files} files: all of them are kept, and a change is noticed at once`,
    withHouse(async () => {
      for (let n = 1; n <= files; n++) {
        const path = join(house.home.path, project, '..', `p${n % 40}`, `${idOf(n)}.jsonl`)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, line(idOf(n), 0, `question ${n}`) + line(idOf(n), 1, `answer ${n}`))
      }
      await house.status()
      await house.until(async () => (await house.status()).state === 'ready', timeFor(10, files))
      expect((await house.status()).archive).toMatchObject({ sessions: files, records: 2 * files })
      const path = join(house.home.path, project, '..', 'p1', `${idOf(1)}.jsonl`)
      appendFileSync(path, line(idOf(1), 2, 'noticed'))
      await house.until(() => house.kept().get(idOf(1))?.includes('noticed') ?? false, 5000)
      rmSync(path)
      await house.until(async () => (await house.ask(deletedEndpoint, undefined)).sessions.length === 1, 5000)
    }),
    timeFor(20, files),
  )
})
