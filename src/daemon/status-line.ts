import type { Services } from './services.ts'

/** One line for a status bar: what is remembered, and what was given today. */
export function statusLine({ archive, recall, status }: Pick<Services, 'archive' | 'recall' | 'status'>): string {
  const { sessions } = archive.counts()
  const { injectionsToday } = recall.facts()
  const { state } = status()
  const parts = [`deja: ${sessions.toLocaleString('en')} ${sessions === 1 ? 'session' : 'sessions'}`]
  if (injectionsToday > 0) parts.push(`${injectionsToday} recalled today`)
  if (state !== 'ready') parts.push(state)
  return parts.join(' · ')
}
