import { DejaError } from '../../shared/errors.ts'
import { neutralLine } from '../../recall/neutral.ts'
import { noteLine } from './recall.ts'
import { framed, type Answer } from './render.ts'
import { unfinished, type Scene } from './scene.ts'

const notesShown = 12

/** Where a project stands: its notes, what was settled, what is open, what failed, and its files. */
export function orientAnswer({ services, workspace, project, live }: Scene): Answer {
  const notes = services.archive.notes.ofProject(project, notesShown).map(noteLine)
  const sections = services.recall.standing(workspace, live)?.sections ?? []
  const isEmpty = notes.length === 0 && sections.length === 0
  const { sessions } = services.archive.counts()
  const nothing = `Nothing is kept about this project yet${sessions > 0 ? ' (of others there is: ask mode "recall")' : ''}.`
  return {
    sections: [{ heading: 'Noted on purpose:', items: notes }, ...sections],
    remarks: [...(isEmpty ? [nothing] : []), ...unfinished(services)],
    drops: 'longest',
  }
}

/** Keeps a durable note for a project. Throws `refused` where the settings say that nothing of it is kept. */
export async function remember({ text }: { text: string }, { services, workspace, project }: Scene): Promise<string> {
  const { exclude } = services.settings
  const isBelow = (path: string) => (root: string) => path === root || path.startsWith(`${root.replace(/\/+$/, '')}/`)
  if (exclude.projects.some(root => isBelow(workspace)(root) || isBelow(project)(root)))
    throw new DejaError('refused', 'The settings exclude this project: nothing of it is kept.')
  await services.ingest.remember(project, text)
  const [kept] = services.archive.notes.ofProject(project, 1)
  return framed(`Kept for ${neutralLine(project)}: ${neutralLine(kept?.text ?? '')}`)
}
