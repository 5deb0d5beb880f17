import type { Random } from './random.ts'
import { capital, type Vocabulary } from './words.ts'

export interface SourceFile {
  /** Relative to the workspace. */
  path: string
  /** Where its lines lie in the project's `code`. */
  start: number
  length: number
}

/** A directory that agents work in: its files, its names, and what its tools print. */
export interface Project {
  name: string
  workspace: string
  identifiers: readonly string[]
  files: readonly SourceFile[]
  /** Lines of code that the files are cut from. */
  code: readonly string[]
  /** What its programs log, without time and figures. */
  logged: readonly string[]
  tests: readonly string[]
  commands: readonly string[]
}

const extensions = ['ts', 'ts', 'tsx', 'py', 'go', 'rs', 'md', 'json', 'yaml', 'sql']
const codeLines = 5_000

export function makeProject(random: Random, vocabulary: Vocabulary): Project {
  const name = `${vocabulary.unheard()}-${vocabulary.seldom()}`
  const identifiers = Array.from({ length: 1_200 }, () => vocabulary.identifier())
  const directories = Array.from({ length: 40 }, () => {
    const top = random.pick(['src', 'src', 'lib', 'test', 'docs'])
    return random.chance(0.3) ? top : `${top}/${vocabulary.word()}`
  })
  const code = Array.from({ length: codeLines }, () => codeLine(random, vocabulary, identifiers))
  const files = Array.from({ length: 400 }, () => {
    const length = Math.round(Math.min(1_500, Math.max(12, random.lognormal(260, 0.9))))
    const path = `${random.pick(directories)}/${vocabulary.word()}-${vocabulary.seldom()}.${random.pick(extensions)}`
    return { path, start: random.below(codeLines - length), length }
  })
  return {
    name,
    workspace: `/home/dev/work/${name}`,
    identifiers,
    files,
    code,
    logged: Array.from({ length: 300 }, () => {
      const module = random.zipf(identifiers)
      return `${random.zipf(['INFO', 'DEBUG', 'WARN', 'ERROR'])} [${module}] ${vocabulary.words(random.between(3, 9))}`
    }),
    tests: Array.from({ length: 300 }, () => {
      return `${random.zipf(files).path} > ${random.zipf(identifiers)} > ${vocabulary.words(random.between(3, 7))}`
    }),
    commands: [
      'npm test',
      'git status --short',
      'npm run build',
      'git diff HEAD~1',
      'npx tsc --noEmit',
      ...Array.from({ length: 60 }, () => {
        const { path } = random.zipf(files)
        const programs = [`npx vitest run ${path}`, `python -m pytest -q ${path}`, `node ${path} --verbose`]
        return random.pick([...programs, `rg -n ${random.zipf(identifiers)} src`, `sed -n 1,200p ${path}`])
      }),
    ],
  }
}

/** A line of some program, as the redaction meets them: names that sound like secrets, hashes, paths, strings. */
function codeLine(random: Random, vocabulary: Vocabulary, identifiers: readonly string[]): string {
  const indent = '  '.repeat(random.below(5))
  const id = () => random.zipf(identifiers)
  switch (random.below(14)) {
    case 0:
      return `${indent}const ${id()} = await ${id()}(${id()}, ${random.below(5000)})`
    case 1:
      return `${indent}if (${id()}.${vocabulary.word()} === null) return ${id()}`
    case 2:
      return `${indent}// ${capital(vocabulary.words(random.between(5, 12)))}.`
    case 3:
      return `import { ${id()}, ${id()} } from './${vocabulary.word()}/${vocabulary.seldom()}.ts'`
    case 4:
      return `${indent}throw new Error(\`${vocabulary.words(4)} \${${id()}}: ${vocabulary.words(3)}\`)`
    case 5:
      return `${indent}${id()}.push({ ${vocabulary.word()}: ${id()}, ${vocabulary.word()}: '${vocabulary.words(2)}' })`
    case 6:
      return `export function ${id()}(${vocabulary.word()}: ${capital(vocabulary.word())}, ${id()}: string): ${id()} {`
    case 7:
      return `${indent}}`
    case 8:
      return `${indent}"${vocabulary.word()}_${vocabulary.word()}": "${vocabulary.words(3)}",`
    case 9:
      return `${indent}expect(${id()}(${random.below(100)})).toEqual([${random.below(100)}, ${random.below(100)}])`
    case 10:
      return ''
    case 11:
      return random.chance(0.2)
        ? `${indent}const token = await ${id()}(request, { key: ${id()}.apiKey, user: config.user })`
        : `${indent}for (const ${vocabulary.word()} of ${id()}) ${id()}.set(${vocabulary.word()}, ${id()})`
    case 12:
      return random.chance(0.1)
        ? `${indent}resolved "https://registry.example/${vocabulary.seldom()}.tgz#${random.hex(40)}"`
        : `${indent}return ${id()} ? ${id()}(${vocabulary.word()}) : ${id()}.${vocabulary.word()}`
    default:
      return `| ${vocabulary.words(3)} | ${random.below(10_000)} | ${id()} |`
  }
}
