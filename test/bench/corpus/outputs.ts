import type { Project, SourceFile } from './project.ts'
import type { Random } from './random.ts'

/** What tools print. Most of a transcript's bytes are this, so lines are put together from few pieces. */
export class Outputs {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** How long an output is, in characters: most bytes are in a few long ones. */
  size(): number {
    return Math.round(Math.min(100_000, Math.max(40, this.#random.lognormal(26_000, 1.2))))
  }

  /** The lines of a file, at most `size` characters of them. */
  file(project: Project, file: SourceFile, size: number): string[] {
    const lines: string[] = []
    let length = 0
    for (let n = 0; n < file.length && length < size; n++) {
      const line = project.code[file.start + n] ?? ''
      lines.push(line)
      length += line.length + 1
    }
    return lines
  }

  /** What a command prints, by what it is. */
  command(project: Project, command: string, size: number): string {
    if (command.startsWith('rg ')) return this.#search(project, size)
    if (command.startsWith('sed ') || command.startsWith('git diff')) return this.#diff(project, size)
    if (/test|pytest/.test(command)) return this.#tests(project, size)
    return this.#log(project, size)
  }

  #log(project: Project, size: number): string {
    const random = this.#random
    let second = random.below(50_000)
    let text = ''
    while (text.length < size) {
      second += random.below(3)
      const clock = `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`
      text += `2026-09-14T${clock}.${random.below(900) + 100}Z ${random.zipf(project.logged)}`
      if (random.chance(0.3)) text += ` request=${random.hex(16)}`
      text += ` took=${random.below(4000)}ms\n`
    }
    return text
  }

  #tests(project: Project, size: number): string {
    const random = this.#random
    let text = `> ${project.name}@1.${random.below(40)}.0 test\n\n`
    let count = 0
    while (text.length < size) {
      text += ` ✓ ${random.pick(project.tests)} ${random.below(900)}ms\n`
      if (random.chance(0.1)) text += `   stdout | ${random.zipf(project.logged)} n=${random.below(100_000)}\n`
      count++
    }
    return `${text}\n Tests  ${count} passed (${count})\n Duration  ${random.below(90_000)}ms\n`
  }

  #search(project: Project, size: number): string {
    const random = this.#random
    let text = ''
    while (text.length < size) {
      const file = random.zipf(project.files)
      const line = random.below(file.length)
      text += `${file.path}:${line + 1}:${project.code[file.start + line] ?? ''}\n`
    }
    return text
  }

  #diff(project: Project, size: number): string {
    const random = this.#random
    let text = ''
    while (text.length < size) {
      const file = random.pick(project.files)
      const from = random.below(file.length)
      text += `diff --git a/${file.path} b/${file.path}\nindex ${random.hex(7)}..${random.hex(7)} 100644\n@@ -${from},8 +${from},9 @@\n`
      for (let n = 0; n < 8; n++) {
        const line = project.code[(file.start + from + n) % project.code.length] ?? ''
        text += `${random.zipf([' ', '+', '-'])}${line}\n`
      }
    }
    return text
  }
}

const pad = (n: number): string => (n < 10 ? `0${n}` : String(n))
