import { isAlike } from '../../recall/label.ts'
import { localDay } from '../../shared/shown.ts'
import { neutralLine } from '../../recall/neutral.ts'
import { notedFor } from '../../recall/noted.ts'
import { search, type SearchHit } from '../../search/search.ts'
import { excerptOf, weightsOf } from './excerpt.ts'
import type { Answer } from './render.ts'
import { unfinished, type Scene } from './scene.ts'

export interface RecallQuestion {
  query: string
  harness?: string | undefined
  limit?: number | undefined
}

const sessionsShown = 8
const notesShown = 3
/** Of the question's worth: a note that shares less is about something else. */
const leastShare = 0.34

/** What is kept about some words: notes first, then the project's sessions, then everybody else's. */
export function recallAnswer({ query, harness, limit = sessionsShown }: RecallQuestion, scene: Scene): Answer {
  const notes = notedFor(query, scene.project, scene.services.archive.notes)
    .filter(({ bearing }) => bearing.share >= leastShare)
    .slice(0, notesShown)
    .map(({ note }) => noteLine(note))
  const { here, elsewhere, note } = hitsFor({ query, harness, limit }, scene)
  const weights = weightsOf(query)
  const said: string[] = []
  const excerpts = (hits: readonly SearchHit[]): string[] =>
    hits.flatMap(hit => {
      const excerpt = excerptOf(hit, weights, scene)
      // forks and retold stories say the same once more
      if (excerpt === null || said.some(text => isAlike(text, excerpt.said))) return []
      if (excerpt.said !== '') said.push(excerpt.said)
      return [excerpt.text]
    })
  const sections = [
    { heading: 'Noted on purpose for this project:', items: notes },
    { heading: 'Sessions of this project:', items: excerpts(here) },
    { heading: 'Sessions elsewhere:', items: excerpts(elsewhere) },
  ]
  const isEmpty = sections.every(({ items }) => items.length === 0)
  return {
    sections,
    remarks: [...(isEmpty ? [note ?? 'Nothing is kept about that.'] : []), ...unfinished(scene.services)],
  }
}

export const noteLine = ({ at, text }: { at: string; text: string }): string =>
  `- ${localDay(at)}: ${neutralLine(text)}`

function hitsFor(
  { query, harness, limit }: RecallQuestion & { limit: number },
  { services, project, named, live }: Scene,
): { here: SearchHit[]; elsewhere: SearchHit[]; note: string | null } {
  const { archive, index } = services
  const places = { archive, index, now: services.now() }
  const asked = { query, ...(harness === undefined ? {} : { harness }) }
  const here = search(places, { ...asked, project, limit, except: live })
  const left = limit - here.hits.length
  if (named || left <= 0) return { here: here.hits, elsewhere: [], note: here.note }
  const told = here.hits.flatMap(({ session }) => archive.sessions.keyOf(session) ?? [])
  const elsewhere = search(places, { ...asked, limit: left, except: new Set([...live, ...told]) })
  return { here: here.hits, elsewhere: elsewhere.hits, note: elsewhere.note }
}
