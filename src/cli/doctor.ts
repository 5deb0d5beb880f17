import { existsSync } from 'node:fs'
import { askDaemon } from '../client/client.ts'
import type { Status } from '../daemon/api.ts'
import { deletedEndpoint } from '../daemon/lifecycle-api.ts'
import type { Harness } from '../harness/harness.ts'
import { harnesses } from '../harness/registry.ts'
import { loadSettings } from '../settings/settings.ts'
import { DejaError } from '../shared/errors.ts'
import { wiringState, type WiringState } from '../wiring/standing.ts'
import { switchedOff } from '../wiring/switches.ts'
import { localTime } from '../shared/shown.ts'
import type { CliContext, Terminal } from './context.ts'
import { asSentence, count, padded, plain, styled, wrap } from './render.ts'
import { readStatus } from './status.ts'
import { wiringContext } from './wiring-context.ts'

/** What is the matter, and what to do about it. */
interface Finding {
  /** `wrong` ends the command with 1; `note` is worth knowing. */
  level: 'wrong' | 'note'
  text: string
  remedy: string | null
}

interface AgentReport {
  id: string
  name: string
  /** Its program or its store was seen on this machine. */
  present: boolean
  wired: 'hooks' | 'surfaces' | 'no'
  wiring: WiringState[]
  store: Status['harnesses'][number] | null
  hooks: Status['hooks']
  /** Sessions that it deletes within seven days. */
  soon: number
  findings: Finding[]
}

interface Report {
  schemaVersion: 1
  ok: boolean
  state: Status['state']
  findings: Finding[]
  agents: AgentReport[]
}

/** What is wired, what is read, what isn't and why, and what to do about each. */
export async function doctorCommand({ json }: { json?: boolean }, context: CliContext): Promise<number> {
  const report = await examine(context)
  context.out(json === true ? `${JSON.stringify(report)}\n` : renderReport(report, context.terminal))
  return report.ok ? 0 : 1
}

async function examine(context: CliContext): Promise<Report> {
  const findings: Finding[] = []
  try {
    loadSettings(context.dataDir)
  } catch (error) {
    if (!(error instanceof DejaError)) throw error
    findings.push({
      level: 'wrong',
      text: error.message,
      remedy: error.hint ?? 'Mend the file; until then no daemon starts.',
    })
  }
  const deleted = await askDaemon(context, deletedEndpoint, undefined).catch((error: unknown) => {
    if (error instanceof DejaError) return null
    throw error
  })
  const status = await readStatus(context)
  if (status.state === 'stopped')
    findings.push({
      level: 'wrong',
      text: 'No daemon runs.',
      remedy: '`deja daemon start` starts it, or says why it can’t.',
    })
  if (status.state === 'degraded')
    for (const reason of status.reasons)
      findings.push({ level: 'wrong', text: asSentence(reason), remedy: '`deja daemon logs` has more.' })
  if (status.lastError !== null)
    findings.push({
      level: 'note',
      text: `Last error, ${localTime(status.lastError.at)}: ${status.lastError.message}`,
      remedy: '`deja daemon logs` has more.',
    })
  const soon = deleted?.soon ?? []
  const agents = harnesses.map(harness => {
    const own = soon.filter(({ session }) => session.harness === harness.id)
    return examineAgent(harness, status, own.length, context)
  })
  const wrong = [...findings, ...agents.flatMap(agent => agent.findings)].some(({ level }) => level === 'wrong')
  return { schemaVersion: 1, ok: !wrong, state: status.state, findings, agents }
}

function examineAgent(harness: Harness, status: Status, soon: number, context: CliContext): AgentReport {
  const { id, name } = harness
  const wiring = wiringContext(context)
  const states = wiringState(harness, wiring)
  const store = status.harnesses.find(each => each.id === id) ?? null
  const present = harness.wiring.presence(wiring).some(path => existsSync(path)) || (store?.sessions ?? 0) > 0
  const has = (scope: WiringState['scope']) =>
    states.some(state => state.scope === scope && ['wired', 'old', 'off'].includes(state.standing))
  const wired = has('hooks') ? 'hooks' : has('surfaces') ? 'surfaces' : 'no'
  const findings = present ? [...wiringFindings(harness, states, wired, context), ...storeFindings(harness, store)] : []
  if (soon > 0)
    findings.push({
      level: 'note',
      text: `${name} itself deletes ${count(soon, 'session')} within seven days.`,
      remedy: 'They stay here; `deja deleted` lists them.',
    })
  const hooks = status.hooks.filter(each => each.harness === id)
  return { id, name, present, wired, wiring: states, store, hooks, soon, findings }
}

function wiringFindings(
  harness: Harness,
  states: WiringState[],
  wired: AgentReport['wired'],
  context: CliContext,
): Finding[] {
  const { id, name } = harness
  const install = `\`deja install ${id}-auto\``
  const findings: Finding[] = []
  if (wired === 'no') findings.push({ level: 'note', text: `${name} isn’t wired.`, remedy: `${install} wires it.` })
  if (wired === 'surfaces')
    findings.push({
      level: 'note',
      text: `${name} can ask deja, but no hook recalls by itself.`,
      remedy: `${install} adds the hooks.`,
    })
  for (const { standing, file, reason, scope } of states) {
    if (standing === 'broken')
      findings.push({
        level: 'wrong',
        text: `${file} can’t be edited.`,
        remedy: reason === null ? null : asSentence(reason),
      })
    if (
      standing === 'old' ||
      (standing === 'absent' && (wired === 'hooks' || (wired === 'surfaces' && scope === 'surfaces')))
    )
      findings.push({
        level: 'wrong',
        text: `deja's part of ${file} ${standing === 'old' ? 'is of another version or place' : 'is missing'}.`,
        remedy: `${wired === 'hooks' ? install : `\`deja install ${id}\``} puts it right.`,
      })
    if (standing === 'off')
      findings.push({ level: 'note', text: `deja's part of ${file} was switched off by you.`, remedy: null })
  }
  for (const text of switchedOff(harness, wiringContext(context))) findings.push({ level: 'note', text, remedy: null })
  return findings
}

function storeFindings({ name }: Harness, store: AgentReport['store']): Finding[] {
  const findings: Finding[] = []
  for (const { path, state } of store?.roots ?? []) {
    if (state === 'unreadable')
      findings.push({
        level: 'wrong',
        text: `${path} can’t be read.`,
        remedy: 'Its mode and owner decide; what was kept stays.',
      })
  }
  for (const { path, reason } of store?.unread ?? [])
    findings.push({ level: 'note', text: `${path} was not read in full.`, remedy: asSentence(reason) })
  if (store !== null && store.sessions === 0 && store.roots.every(({ state }) => state === 'absent'))
    findings.push({ level: 'note', text: `${name} has no sessions yet.`, remedy: null })
  return findings
}

function renderReport({ findings, agents, state }: Report, terminal: Terminal): string {
  const lines = [
    `deja is ${styled(terminal, 'bold', state)}`,
    ...findings.flatMap(finding => renderFinding(finding, terminal)),
  ]
  const wrong = agents.flatMap(agent => agent.findings).filter(({ level }) => level === 'wrong').length
  if (wrong > 0)
    lines.push(styled(terminal, 'red', `${count(wrong, 'thing')} below ${wrong === 1 ? 'is' : 'are'} wrong`))
  for (const agent of agents.filter(({ present }) => present)) {
    const { name, wired, store, hooks } = agent
    lines.push('', styled(terminal, 'bold', name))
    const files = [...new Set(agent.wiring.filter(({ standing }) => standing !== 'absent').map(({ file }) => file))]
    lines.push(fact('wired', { hooks: 'with hooks', surfaces: 'without hooks', no: 'no' }[wired]))
    if (wired !== 'no') lines.push(...files.map(file => fact('', plain(file))))
    for (const root of store?.roots ?? []) if (root.state !== 'absent') lines.push(fact(root.state, root.path))
    if (store !== null && store.sessions > 0)
      lines.push(
        fact('kept', `${count(store.sessions, 'session')}, ${count(store.records, 'record')}`),
        fact('newest', localTime(store.newestAt)),
      )
    const last = hooks.toSorted((a, b) => b.lastAt.localeCompare(a.lastAt))[0]
    if (last !== undefined)
      lines.push(
        fact('hook', `${last.event} fired last, ${localTime(last.lastAt)}`),
        fact('', `${last.p50Ms} ms median, ${last.p95Ms} ms p95 of ${count(last.count, 'call')}`),
      )
    else if (wired === 'hooks') lines.push(fact('hook', 'none has fired since the daemon started'))
    for (const finding of agent.findings) lines.push(...renderFinding(finding, terminal))
  }
  const away = agents.filter(({ present }) => !present).map(({ name }) => name)
  if (away.length > 0)
    lines.push(
      '',
      ...wrap(`Not on this machine: ${away.join(', ')}.`, terminal.width).map(line => styled(terminal, 'dim', line)),
    )
  return `${lines.join('\n')}\n`
}

const fact = (label: string, text: string): string => `  ${padded(label, 11)}${text}`

function renderFinding({ level, text, remedy }: Finding, terminal: Terminal): string[] {
  const sign = level === 'wrong' ? styled(terminal, 'red', '✗') : styled(terminal, 'yellow', '·')
  const [first = '', ...rest] = wrap(plain(text), terminal.width - 4, true)
  const more = remedy === null ? [] : wrap(plain(remedy), terminal.width - 4, true)
  return [`  ${sign} ${first}`, ...[...rest, ...more].map(line => `    ${line}`)]
}
