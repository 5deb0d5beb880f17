import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents, type Agent } from './agents.ts'
import { framed, Home } from './home.ts'

/** Sessions of hooks, one a test, so that what one is given is nothing to the others. */
let made = 0
const newSession = (agent: Agent): string => {
  const n = (++made).toString(16).padStart(8, '0')
  return agent.id === 'codewhale' ? `sess_${n}` : `${n}-6b0e-4a55-9d0c-1d6f0a7b2c11`
}

describe.each(agents)('%s, through the hook lines that install wrote', (_, wired) => {
  let home: Home
  let agent: Agent

  beforeAll(async () => {
    home = await Home.make()
    agent = await wired(home)
    await home.done('index')
  })
  afterAll(() => home.remove())

  /** A session that has had its digest. */
  async function greeted(): Promise<string> {
    const session = newSession(agent)
    await (agent.start ?? (each => agent.prompt(each, 'hello there')))(session)
    return session
  }

  it('hears where the project stands when a session begins, once', async () => {
    const session = newSession(agent)
    const first = await (agent.start ?? (each => agent.prompt(each, 'Good morning, where were we?')))(session)
    expect(framed(first)).not.toBe('')
    expect(await agent.prompt(session, 'Good morning again')).toBe('')
  })

  /** Asks the same until nothing more is said; gives the lines that were said. */
  async function askedOut(session: string): Promise<string[]> {
    const lines: string[] = []
    for (let asked = 0; asked < 4; asked++) {
      const block = framed(await agent.prompt(session, agent.question.text))
      if (block === '') return lines
      lines.push(...block.split('\n').filter(line => /^\s+(?:asked|came to|changed): /.test(line)))
    }
    throw new Error(`there is no end of it:\n${lines.join('\n')}`)
  }

  it('gets the answer with the question, and nothing of it twice', async () => {
    const lines = await askedOut(await greeted())
    expect(lines.join('\n')).toMatch(agent.question.answer)
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('hears nothing for what is no question', async () => {
    const session = await greeted()
    for (const text of ['continue', 'thanks!', 'Write a haiku about spring rain in Kyoto.', '继续'])
      expect([text, await agent.prompt(session, text)]).toEqual([text, ''])
    expect(await agent.idle(session)).toBe('')
  })

  it('hears what is known of a file that it changes, once', async () => {
    const session = await greeted()
    expect(framed(await agent.change(session))).toMatch(agent.hint)
    expect(await agent.change(session)).toBe('')
  })

  it('hears what made a failing command pass', async () => {
    const session = await greeted()
    expect(framed(await agent.fail(session))).toMatch(agent.fix)
    expect(await agent.idle(session)).toBe('')
  })

  it('gets its own work back after a compaction, and nobody else does', async () => {
    const { owner, other, again } = await agent.compact()
    expect(framed(owner)).toMatch(agent.packet)
    expect(other).not.toMatch(agent.packet)
    expect(again).not.toMatch(agent.packet)
  })

  it('is told nothing twice after the daemon was started anew, while another session is', async () => {
    const session = await greeted()
    expect((await askedOut(session)).join('\n')).toMatch(agent.question.answer)
    await home.done('daemon', 'restart')
    await home.done('index')
    expect(await agent.prompt(session, agent.question.text)).toBe('')
    await agent.end(session)
    expect(await agent.prompt(await greeted(), agent.question.text)).toMatch(agent.question.answer)
  })

  it('stands in the log with what was given, and why', async () => {
    const { injections } = await home.dejaJson<{ injections: { harness: string; sources: string[] }[] }>('log')
    expect(injections.length).toBeGreaterThan(3)
    expect(new Set(injections.map(injection => injection.harness))).toEqual(new Set([agent.id]))
    expect(JSON.stringify(injections)).toContain(agent.sample.id)
    expect(await home.done('why')).toMatch(/\d\.\d\d/)
  })

  it('shows as wired, and its hooks as fired', async () => {
    const { state, hooks } = await home.dejaJson<{ state: string; hooks: { harness: string; count: number }[] }>(
      'status',
    )
    expect(state).toBe('ready')
    expect(hooks.some(hook => hook.harness === agent.id && hook.count > 0)).toBe(true)
    const { agents: told } = await home.dejaJson<{ agents: { id: string; wired: string }[] }>('doctor')
    expect(told.find(each => each.id === agent.id)?.wired).toBe('hooks')
  })
})
