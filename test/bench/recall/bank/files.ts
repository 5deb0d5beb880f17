import type { Ways } from './language.ts'

/** What is said of a file when it is changed. `{file}`, `{a}`, `{b}`, `{why}`. */
export const saidOfFile: Ways = {
  en: [
    '{file} must stay on {a} because {why}.',
    'In {file} we keep {a} on purpose: {why}. Never put {b} back.',
    'Decided for {file}: {a} instead of {b}, since {why}.',
    'The cause was in {file}: {b}. It uses {a} now.',
  ],
  zh: ['{file} 必须保留 {a},因为{why}。', '{file} 已改用 {a},不再使用 {b}:{why}。'],
  ru: ['В {file} решили оставить {a}, потому что {why}.', '{file} теперь на {a}, от {b} отказались: {why}.'],
}

/** Remedies that may never be told, and commands whose first line tells nothing. */
export const destructiveRemedies = [
  'git reset --hard origin/main',
  'rm -rf node_modules dist',
  'git push --force origin main',
  'psql -c "DROP TABLE events"',
  'kubectl delete namespace staging',
  'git clean -fdx',
] as const

/** What a long session holds that its packet must say. `{c}`, `{a}`, `{b}`, `{file}`. */
export const packetParts = {
  objective: [
    'Move {c} from {b} to {a} and keep the old readers working.',
    'Get {c} ready for the release: replace {b} by {a}, file by file.',
  ],
  rule: ['Never touch the public types of {c}.', 'Do not add a dependency to {c} without asking me.'],
  decision: ['We decided to keep the {b} reader behind a flag, because two customers still send it.'],
  rejected: ['Tried to stream the whole file first; it did not help, memory went up.'],
  open: ['Still open: the migration guide for {c} is not written yet.'],
} as const
