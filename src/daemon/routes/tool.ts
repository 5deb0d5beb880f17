import * as z from 'zod'
import { labelOf } from '../../recall/label.ts'
import { liveIn } from '../live.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'
import { toolEndpoint, toolQuestion, toolSessionsEndpoint, type ToolQuestion } from '../tool-api.ts'
import { contextText } from '../tool/context.ts'
import { blameAnswer, fixAnswer, howAnswer } from '../tool/evidence.ts'
import { orientAnswer, remember } from '../tool/project.ts'
import { recallAnswer } from '../tool/recall.ts'
import { ANSWER_BYTES, RECALL_BYTES, render } from '../tool/render.ts'
import { agentName, knownHarness, sceneOf } from '../tool/scene.ts'

const directory = z.string().min(1).max(4096)

export const toolRoute = route(
  toolEndpoint,
  z.object({ directory, question: toolQuestion }),
  async (services, { directory, question }) => ({
    schemaVersion: 1 as const,
    text: await answer(services, directory, question),
  }),
)

async function answer(services: Services, directory: string, question: ToolQuestion): Promise<string> {
  const scene = sceneOf(services, directory, 'project' in question ? question.project : undefined)
  switch (question.mode) {
    case 'recall': {
      const harness = knownHarness(services, question.harness)
      return render(recallAnswer({ ...question, harness }, scene), RECALL_BYTES)
    }
    case 'context':
      return contextText(question, scene)
    case 'blame':
      return render(blameAnswer(question, scene), ANSWER_BYTES)
    case 'how':
      return render(howAnswer(question, scene), ANSWER_BYTES)
    case 'fix':
      return render(fixAnswer(question, scene), ANSWER_BYTES)
    case 'orient':
      return render(orientAnswer(scene), ANSWER_BYTES)
    case 'remember':
      return remember(question, scene)
  }
}

export const toolSessionsRoute = route(
  toolSessionsEndpoint,
  z.object({ directory, limit: z.int().min(1).max(200) }),
  (services, { directory, limit }) => {
    const { archive, projectOf } = services
    const project = projectOf(directory)
    const live = liveIn(services, project)
    const keys = [{ project, limit }, { limit: 2 * limit }]
      .flatMap(query => archive.sessions.newest(query))
      .flatMap(session => archive.sessions.keyOf(session) ?? [])
    const sessions = [...new Set(keys)].flatMap(key => {
      const head = live.has(key) ? null : archive.sessions.head(key)
      if (head === null) return []
      const label = labelOf(head, null, harness => agentName(services, harness))
      return [{ harness: head.harness, id: head.id, label }]
    })
    return { schemaVersion: 1 as const, sessions: sessions.slice(0, limit) }
  },
)
