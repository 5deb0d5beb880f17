import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CodeWhale, edited, framed, House, ran, tidewatch } from './house.ts'

let house: House
let whale: CodeWhale
const id = (n: number): string => `${String(n).padStart(8, 'c')}-0000-4000-8000-000000000000`
const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

beforeEach(async () => {
  house = new House()
  whale = new CodeWhale(house)
  await house.open()
})
afterEach(() => house.end())

const barometer = 'How did we solve the barometer importer codepage trouble?'
const saveBarometer = (): Promise<void> =>
  whale.save(id(1), [
    [
      'Why does the barometer importer choke on Windows-1252 files?',
      'The barometer importer decoded as UTF-8; it now sniffs the codepage with chardet.',
    ],
  ])

describe('what a session was given', () => {
  it('is not given again after a restart', async () => {
    await saveBarometer()
    await wait(20)
    await whale.submit('hello')
    expect(await whale.submit(barometer)).toMatch(/chardet/)
    await house.reopen()
    house.ahead += 10_000
    expect(await whale.submit(barometer)).toBe('')
  })

  it('is owed when the reply did not arrive, and not given twice while it is on its way', async () => {
    await saveBarometer()
    await wait(20)
    await whale.submit('hello')
    expect(await whale.submit(barometer, { arrives: 'open' })).toMatch(/chardet/)
    house.ahead += 5_000
    expect(await whale.submit(barometer)).toBe('')
    expect(await whale.submit(`${barometer}!`, { session: 'sess_b', arrives: 'owed' })).toMatch(/chardet/)
    house.ahead += 5_000
    expect(await whale.submit(`${barometer}!`, { session: 'sess_b' })).toMatch(/chardet/)
  })

  it('is each window’s own', async () => {
    await saveBarometer()
    await wait(20)
    for (const session of ['sess_1', 'sess_2']) {
      await whale.submit('hello', { session })
      expect(await whale.submit(barometer, { session })).toMatch(/chardet/)
    }
  })
})

describe('forgetting', () => {
  it('reaches what is archived, parked and logged at once, and leaves no trace on disk', async () => {
    await whale.save(id(2), [
      [
        'Make the quillfish tests pass.',
        'The quillfish tests need QUILL_HOME; with it they pass.',
        ...ran('a', 'npm test -- quillfish', 'Error: QuillfishHomeError: no home', 1),
        ...ran('b', 'QUILL_HOME=. npm test -- quillfish', 'ok'),
      ],
    ])
    await wait(20)
    await whale.submit('hello')
    expect(await whale.submit('How did we make the quillfish tests pass with QUILL_HOME?')).toMatch(/QUILL_HOME/)
    await whale.after('npm test -- quillfish', 1, 'Error: QuillfishHomeError: no home', 'c1')
    expect(house.recall.log(5).some(each => each.sources.includes(`codewhale:${id(2)}`))).toBe(true)
    await house.forget('codewhale', id(2))
    expect(await whale.before('bash', { command: 'ls src' }, 'c2')).toBe('')
    expect(
      await whale.submit('Tell me how we made the quillfish tests pass with QUILL_HOME?', { session: 'sess_other' }),
    ).toBe('')
    expect(house.recall.log(5).some(each => each.sources.includes(`codewhale:${id(2)}`))).toBe(false)
    await house.close()
    for (const name of readdirSync(house.data))
      expect(readFileSync(join(house.data, name), 'latin1').includes('quillfish'), name).toBe(false)
  })
})

describe('who asks in CodeWhale', () => {
  const own = 'Please design the sandpiper ledger schema with immutable rows.'

  it('is told by one long text, and its own words are never history to it', async () => {
    await whale.submit(own)
    await whale.save(id(3), [[own, 'The sandpiper ledger schema keeps immutable rows in zirconia tables.']])
    house.ahead += 5_000
    expect(await whale.submit('What did the sandpiper ledger schema keep in zirconia tables?')).toBe('')
    await whale.submit('hello', { session: 'sess_other' })
    expect(
      await whale.submit('What did the sandpiper ledger schema keep in zirconia tables?', { session: 'sess_other' }),
    ).toMatch(/zirconia/)
  })

  it('is not told by a lone "continue", but until it is known what changed since its first message counts as its own', async () => {
    await whale.submit('continue')
    await whale.save(id(4), [
      [own, 'The sandpiper ledger schema keeps immutable rows in zirconia tables.'],
      ['continue', 'Done.'],
    ])
    expect(await whale.submit('Which sandpiper ledger schema rows are in zirconia tables?')).toBe('')
  })

  it('is told by its last three short texts', async () => {
    for (const text of ['continue', 'yes', 'go on']) await whale.submit(text)
    await whale.save(id(5), [
      [own, 'The sandpiper ledger schema is in zirconia tables.'],
      ['continue', 'a'],
      ['yes', 'b'],
      ['go on', 'c'],
    ])
    // to another window it is history, which it would not be if it could be its own
    await wait(20)
    await whale.submit('hello', { session: 'sess_new' })
    const asked = 'Which sandpiper ledger schema is in zirconia tables?'
    expect(await whale.submit(asked)).toBe('')
    expect(await whale.submit(asked, { session: 'sess_new' })).toMatch(/zirconia/)
    expect(house.recall.liveSessions(tidewatch)).toHaveLength(1)
  })

  it('is told anew when its newest text stands in another transcript: ledger and digest begin again', async () => {
    await saveBarometer()
    await wait(20)
    await whale.submit(own)
    await whale.save(id(6), [[own, 'Fine.']])
    house.ahead += 3_000
    expect(await whale.submit(barometer)).toMatch(/chardet/)
    house.ahead = 0
    const next = 'Now rename the flamingo queue to heron queue everywhere.'
    await whale.submit(next)
    await whale.save(id(7), [[next, 'Renamed.']])
    house.ahead += 20_000
    const again = await whale.submit(barometer)
    expect(again).toMatch(/chardet/)
    expect(again).toMatch(/Settled lately/)
  })

  it('never gets its forks or its parent', async () => {
    await whale.submit(own)
    await whale.save(id(8), [[own, 'Fine.']])
    await whale.save(
      id(9),
      [
        [own, 'Fine.'],
        [
          'On this branch, make the sandpiper ledger rows mutable with zirconia.',
          'The sandpiper rows are mutable now, in zirconia tables.',
        ],
      ],
      { parent: id(8) },
    )
    house.ahead += 5_000
    expect(await whale.submit('Are the sandpiper ledger rows mutable in zirconia tables?')).toBe('')
  })
})

describe('a later reversal', () => {
  it('beats the older decision', async () => {
    await whale.save(
      id(10),
      [['Which queue do the pelican workers use?', 'Decided: the pelican workers use the RabbitMQ lapwing exchange.']],
      { updated: '2026-08-01T10:00:00Z' },
    )
    await whale.save(
      id(11),
      [
        [
          'The lapwing exchange loses messages, move the pelican workers.',
          'The pelican workers no longer use the RabbitMQ lapwing exchange; they were switched to NATS JetStream.',
        ],
      ],
      { updated: '2026-09-01T10:00:00Z' },
    )
    await wait(20)
    await whale.submit('hello')
    const recall = framed(await whale.submit('Which exchange do the pelican workers use, lapwing?'))
    expect(recall).toMatch(/NATS JetStream/)
    expect(recall).not.toMatch(/Decided: the pelican/)
  })
})

describe('never quoted', () => {
  it('are excuses, orders to say something, credit lines and mere announcements', async () => {
    await whale.save(id(12), [
      [
        'What is the wagtail rollout order of the plover service?',
        'I have no memory of the wagtail rollout order of the plover service.',
      ],
    ])
    await whale.save(id(13), [
      [
        'Reply with exactly: wagtail rollout plover order confirmed',
        'wagtail rollout plover order confirmed. Reply with exactly that.',
      ],
    ])
    await whale.save(id(14), [
      [
        "Now let's do the wagtail rollout order for plover.",
        "Now let's do the wagtail rollout order for the plover service.",
      ],
    ])
    await wait(20)
    await whale.submit('hello')
    expect(await whale.submit('What is the wagtail rollout order of the plover service?')).toBe('')
  })
})

describe('hints for a file', () => {
  it('tell what was settled about it, not that it was touched', async () => {
    await whale.save(id(15), [
      [
        'Make the ibis limiter fair.',
        '`src/ibis.py` must never sleep while it holds the lock, because the watchdog kills it.',
        ...edited('e1', 'src/ibis.py', 'sleep(1)', 'wait(1)'),
        ...edited('e2', 'src/heron.py', 'a', 'b'),
      ],
    ])
    await wait(20)
    expect(await whale.before('edit', { path: 'src/ibis.py', edits: [{ oldText: 'a', newText: 'b' }] }, 'h1')).toMatch(
      /must never sleep/,
    )
    expect(
      await whale.before('edit', { path: 'src/heron.py', edits: [{ oldText: 'a', newText: 'b' }] }, 'h2'),
    ).not.toMatch(/must never sleep.*watchdog[\s\S]*changed for/)
  })
})

describe('fixes', () => {
  const failing = 'Error: KestrelConfigError: no such profile'
  const after = (session = 'sess_0a1b2c3d'): Promise<string> =>
    whale.before('bash', { command: 'ls' }, `ls${Math.random()}`, session)

  it('are confirmed by a success, and tell the edit that brought it', async () => {
    await whale.save(id(16), [
      [
        'Mend kestrel.',
        'Mended.',
        ...ran('a', 'make kestrel', failing, 1),
        ...edited('e', 'src/kestrel.py', 'profile = None', 'profile = "default"'),
        ...ran('b', 'make kestrel', 'ok'),
      ],
    ])
    await wait(20)
    await whale.after('make kestrel', 2, failing, 'f1')
    expect(await after()).toMatch(/src\/kestrel\.py was changed/)
  })

  it('are never destructive, never what failed, never of another project', async () => {
    await whale.save(id(17), [
      [
        'Mend kestrel.',
        'Mended.',
        ...ran('a', 'make kestrel', failing, 1),
        ...ran('c', 'git reset --hard', 'HEAD is now at'),
        ...ran('b', 'make kestrel', 'ok'),
      ],
    ])
    await whale.save(id(18), [
      [
        'Mend kestrel.',
        'No.',
        ...ran('a', 'make kestrel', failing, 1),
        ...ran('b', 'KESTREL=1 make kestrel', failing, 1),
      ],
    ])
    await whale.save(
      id(19),
      [
        [
          'Mend kestrel.',
          'Mended.',
          ...ran('a', 'make kestrel', failing, 1),
          ...ran('b', 'KESTREL=2 make kestrel', 'ok'),
        ],
      ],
      { workspace: '/home/dev/work/elsewhere' },
    )
    await wait(20)
    await whale.after('make kestrel', 2, failing, 'f1')
    expect(await after()).toBe('')
  })

  it('are dropped when the command has passed meanwhile', async () => {
    await whale.save(id(20), [
      [
        'Mend kestrel.',
        'Mended.',
        ...ran('a', 'make kestrel', failing, 1),
        ...ran('b', 'KESTREL=2 make kestrel', 'ok'),
      ],
    ])
    await wait(20)
    await whale.after('make kestrel', 2, failing, 'f1')
    await whale.after('KESTREL=3 make kestrel', 0, 'ok', 'f2')
    expect(await after()).toBe('')
  })

  it('wait for the next event of their own session', async () => {
    await whale.save(id(21), [
      [
        'Mend kestrel.',
        'Mended.',
        ...ran('a', 'make kestrel', failing, 1),
        ...ran('b', 'KESTREL=2 make kestrel', 'ok'),
      ],
    ])
    await wait(20)
    await whale.after('make kestrel', 2, failing, 'f1', 'sess_one')
    expect(await after('sess_two')).toBe('')
    await house.reopen()
    expect(await after('sess_one')).toMatch(/KESTREL=2 make kestrel/)
  })
})
