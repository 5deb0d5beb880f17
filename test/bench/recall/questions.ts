import { Random } from '../corpus/random.ts'
import { filled, languages, type Language, type Ways } from './bank/language.ts'
import type { Failure } from './bank/failure.ts'
import type { Topic } from './bank/topic.ts'
import { inLanguage, type Values } from './histories.ts'
import { componentNames, styled } from './names.ts'
import { failureValues, type Plant, type World } from './world.ts'

type QuestionKind = 'decision' | 'fix' | 'reason' | 'identifier' | 'error' | 'paraphrase'

export interface Question {
  kind: QuestionKind
  text: string
  workspace: string
  /** What it is asked in, and what the history was told in. */
  language: Language
  plant: Plant
  /** Whether the question has a name (a component, an identifier, an error's text) that the history has, too. */
  named: boolean
}

type SilenceKind =
  'chatter' | 'order' | 'machine-made' | 'stranger' | 'other-component' | 'other-topic' | 'new-task' | 'other-project'

export interface Silence {
  kind: SilenceKind
  text: string
  workspace: string
  language: Language
}

const phrase = (random: Random, ways: Ways, language: Language, values: Values): string =>
  filled(random.pick(ways[language]), values)

const others = (language: Language): Language[] => languages.filter(each => each !== language)

/** Everything that is asked about what was planted. */
export function questionsOf(world: World, seed: number): Question[] {
  const random = new Random(seed * 7919 + 1)
  const { asksDecision, asksError, asksFix, asksIdentifier, asksReason } = world.bank.phrases
  return world.plants.flatMap(plant => {
    const { language } = plant
    const other = random.pick(others(language))
    const own: Question[] = []
    const ask = (kind: QuestionKind, ways: Ways, asked: Language, named = true): void => {
      const values = { ...inLanguage(plant.values, plant.spoken, asked), ...again(random, plant) }
      own.push({
        kind,
        text: phrase(random, ways, asked, values),
        workspace: plant.project,
        language: asked,
        plant,
        named,
      })
    }
    if (plant.kind === 'fix') {
      ask('fix', asksFix, language)
      ask('fix', asksFix, other)
      ask('error', asksError, random.pick([language, other]))
      if (plant.failure) {
        ask('paraphrase', plant.failure.vague, language, false)
        ask('paraphrase', plant.failure.vague, other, false)
      }
      return own
    }
    if (plant.kind === 'value') {
      ask('reason', asksReason, language)
      ask('reason', asksReason, other)
      ask('identifier', asksIdentifier, random.pick([language, other]))
      return own
    }
    ask('decision', asksDecision, language)
    ask('decision', asksDecision, other)
    if (plant.topic) {
      ask('paraphrase', plant.topic.vague, language, false)
      ask('paraphrase', plant.topic.vague, other, false)
    }
    return own
  })
}

/** As it is written the next time: an identifier in another style, an error with other numbers. */
function again(random: Random, plant: Plant): Values {
  if (plant.failure) {
    const { cmd = '', error = '' } = failureValues(random, plant.values.c ?? '', plant.failure)
    return { cmd, error }
  }
  const id = plant.values.id ?? ''
  const words = id.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map(word => word.toLowerCase())
  return { id: random.chance(0.3) ? styled(words, random.below(4)) : id }
}

/** Whether a failure is about something of a topic: then what mended it is an answer, too. */
function touches({ area }: Topic, failure: Failure): boolean {
  const told = [failure.symptom.en, failure.cause.en, failure.command, failure.passes ?? '', ...failure.vague.en]
    .join(' ')
    .toLowerCase()
  return area.en.split(/\W+/).some(word => word.length > 3 && told.includes(word.replace(/s$/, '')))
}

const hex = (random: Random): string => random.hex(12)

/** `count` prompts that deserve silence, of each kind about as many. */
export function silencesOf(world: World, seed: number, count: number): Silence[] {
  const random = new Random(seed * 104_729 + 2)
  const prompts: Silence[] = []
  const kinds: SilenceKind[] = [
    'chatter',
    'order',
    'machine-made',
    'stranger',
    'other-component',
    'other-topic',
    'new-task',
    'other-project',
  ]
  for (let n = 0; n < count; n++) {
    const kind = kinds[n % kinds.length] ?? 'chatter'
    const project = random.pick(world.projects)
    const language = random.pick(languages)
    const text = silence(random, world, kind, project.workspace, language)
    if (text !== null) prompts.push({ kind, text, workspace: project.workspace, language })
  }
  return prompts
}

function silence(
  random: Random,
  world: World,
  kind: SilenceKind,
  workspace: string,
  language: Language,
): string | null {
  const { chatter, machineMade, newTasks, orders, strangers } = world.bank.everyday
  const { asksDecision, asksIdentifier } = world.bank.phrases
  const here = world.plants.filter(plant => plant.project === workspace)
  const some = here.length > 0 ? random.pick(here) : undefined
  const spoken = some ? inLanguage(some.values, some.spoken, language) : {}
  switch (kind) {
    case 'chatter':
      return random.pick(chatter[language])
    case 'order':
      return random.pick(orders[language])
    case 'stranger':
      return random.pick(strangers[language])
    case 'machine-made':
      return filled(random.pick(machineMade), {
        area: 'build',
        id: 'buildMode',
        cmd: 'npm test',
        error: 'Error: exit 1',
        file: 'src/a.ts',
        ...spoken,
        hex: hex(random),
      })
    case 'new-task':
      return phrase(random, newTasks, language, spoken)
    case 'other-component': {
      // what was settled here, asked of something that this project doesn't have
      const known = new Set(world.components.get(workspace))
      const elsewhere = componentNames(random).find(
        name => !known.has(name) && !here.some(plant => plant.values.c === name),
      )
      const settled = here.filter(plant => plant.topic !== null)
      if (settled.length === 0 || elsewhere === undefined) return null
      const one = random.pick(settled)
      return phrase(random, asksDecision, language, {
        ...inLanguage(one.values, one.spoken, language),
        c: elsewhere,
      })
    }
    case 'other-topic': {
      // what this project never heard of, asked of something that it has
      const heard = world.topics.get(workspace)
      const unheard = world.bank.topics.filter(
        topic => !heard?.has(topic) && !here.some(plant => plant.failure && touches(topic, plant.failure)),
      )
      if (some === undefined || unheard.length === 0) return null
      const { area } = random.pick(unheard)
      return phrase(random, asksDecision, language, { c: some.values.c ?? '', area: area[language] })
    }
    case 'other-project': {
      const known = new Set(world.components.get(workspace))
      const topicsHere = new Set(here.map(plant => plant.topic))
      const foreign = world.plants.filter(
        plant =>
          plant.project !== workspace &&
          plant.kind !== 'fix' &&
          !topicsHere.has(plant.topic) &&
          !known.has(plant.values.c ?? '') &&
          !here.some(mine => mine.values.c === plant.values.c),
      )
      if (foreign.length === 0) return null
      const one = random.pick(foreign)
      const ways = one.kind === 'value' ? asksIdentifier : asksDecision
      return phrase(random, ways, language, inLanguage(one.values, one.spoken, language))
    }
  }
}
