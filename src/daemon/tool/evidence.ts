import { errorLines } from '../../index/errors.ts'
import { redact } from '../../ingest/redaction/redact.ts'
import { codeOf, toldId } from '../../recall/label.ts'
import { localDay } from '../../shared/shown.ts'
import { neutralLine } from '../../recall/neutral.ts'
import { blame } from '../../search/blame.ts'
import { how } from '../../search/how.ts'
import { search } from '../../search/search.ts'
import { excerptOf, headingOf, weightsOf } from './excerpt.ts'
import type { Answer } from './render.ts'
import { agentName, unfinished, type Scene } from './scene.ts'

const shown = 10
const alikeShown = 4

/** Who touched a file, or wrote a line of it, and why. */
export function blameAnswer(
  question: { path: string; absolute?: string | undefined; line?: string | undefined; limit?: number | undefined },
  scene: Scene,
): Answer {
  const { archive } = scene.services
  const { path, absolute = path, line = null, limit = shown } = question
  const here = blame(archive, absolute, line, limit, scene.live)
  // a path that isn't here may be one of another place: its end is looked for
  const touches = here.length > 0 || absolute === path ? here : blame(archive, path, line, limit, scene.live)
  const items = touches.flatMap(({ session, kind, at, line: role, asked, said }) => {
    const key = archive.sessions.keyOf(session)
    const head = key === null ? null : archive.sessions.head(key)
    if (head === null) return []
    const did = role === null ? kinds[kind] : `${role} the line`
    const because = asked === '' ? [] : [`  asked: ${neutralLine(asked)}`]
    const came = said === '' ? [] : [`  came to: ${neutralLine(said)}`]
    return [[`- ${headingOf(head, at, scene)}: ${did ?? 'touched it'}`, ...because, ...came].join('\n')]
  })
  const what = line === null ? 'touched this file' : 'wrote or removed this line'
  const none = items.length === 0 ? [`No session that is kept ${what}.`] : []
  return { sections: [{ heading: null, items }], remarks: [...none, ...unfinished(scene.services)] }
}

const kinds: Readonly<Record<string, string>> = { edit: 'edited it', write: 'wrote it', read: 'read it' }

/** How a tool was run here; where it never was, how anywhere. */
export function howAnswer(question: { query: string; limit?: number | undefined }, scene: Scene): Answer {
  const { services, project, named, live } = scene
  const { query, limit = shown } = question
  const here = how(services.archive, query, project, limit, live)
  const isElsewhere = here.length === 0 && !named
  const ways = isElsewhere ? how(services.archive, query, null, limit, live) : here
  const items = ways.map(({ command, runs, ok, failed, lastAt, session }) => {
    const outcomes = [ok > 0 ? `${ok} ok` : '', failed > 0 ? `${failed} failed` : ''].filter(text => text !== '')
    const times = [`run ${runs === 1 ? 'once' : `${runs} times`}`, ...outcomes].join(', ')
    const day = localDay(lastAt)
    const where = isElsewhere && session.project !== null ? ` in ${neutralLine(session.project)}` : ''
    const last = `last ${day === '' ? '' : `${day}, `}${agentName(services, session.harness)} ${toldId(session.id)}${where}`
    return `- ${codeOf(command, 600)}: ${times}; ${last}`
  })
  const nobody = `No kept session ran that ${named ? 'there' : 'anywhere'}.`
  return {
    sections: [{ heading: isElsewhere ? 'Not in this project, but elsewhere:' : null, items }],
    remarks: [...(items.length === 0 ? [nobody] : []), ...unfinished(services)],
  }
}

/** What fixed an error; where nothing is confirmed, who met its like. */
export function fixAnswer(question: { error: string }, scene: Scene): Answer {
  const { services, workspace, live } = scene
  const error = redact(question.error)
  const fixes = services.recall.fixes(error, workspace, live).map(({ text }) => `- ${text}`)
  const alike = fixes.length > 0 ? [] : metAlike(error, scene)
  const none =
    fixes.length > 0
      ? []
      : [
          alike.length > 0
            ? 'No fix of it is confirmed in this project; these sessions met what is like it.'
            : 'Nothing like it was met before.',
        ]
  return {
    sections: [
      { heading: null, items: fixes },
      { heading: 'Met before:', items: alike },
    ],
    remarks: [...none, ...unfinished(services)],
  }
}

function metAlike(error: string, scene: Scene): string[] {
  const { archive, index, now } = scene.services
  const lines = errorLines(error).slice(0, 3).join('\n')
  const query = (lines === '' ? error : lines).slice(0, 1000)
  const places = { archive, index, now: now() }
  const scoped = scene.named ? { project: scene.project } : {}
  const { hits } = search(places, { query, limit: alikeShown, except: scene.live, ...scoped })
  const weights = weightsOf(query)
  return hits.flatMap(hit => {
    // words in common are no kinship of errors
    if (!hit.why.includes('met the same error') && !hit.why.includes('all of it in one place')) return []
    return excerptOf(hit, weights, scene)?.text ?? []
  })
}
