import type { Spoken, Ways } from './language.ts'

/** Something that a project decides once: what it is about, what may be chosen, why, and how people ask who forgot the words. */
export interface Topic {
  area: Spoken
  /** Words of its identifiers. */
  names: readonly string[]
  file: string
  /** What can be chosen; written alike in every language. */
  options: readonly [string, string, string]
  why: Spoken
  /** Questions without any name in them. */
  vague: Ways
}

/** A topic from its parts: English, Chinese, Russian. */
export const topic = (
  [en, zh, ru]: readonly [string, string, string],
  names: string,
  file: string,
  options: Topic['options'],
  [whyEn, whyZh, whyRu]: readonly [string, string, string],
  vague: Ways,
): Topic => ({
  area: { en, zh, ru },
  names: names.split(' '),
  file,
  options,
  why: { en: whyEn, zh: whyZh, ru: whyRu },
  vague,
})
