import { dirname } from 'node:path'
import { projectOf, repositoryOfFile } from '../archive/project.ts'

/** How long an answer counts: a repository may be made, moved or cloned meanwhile. */
const freshMs = 60_000
const mostKept = 5000

/** `projectOf` for many records at once. */
export class ProjectCache {
  readonly #now
  readonly #of = new Map<string, string>()
  readonly #touched = new Map<string, string | null>()
  #since: number

  constructor(now: () => number) {
    this.#now = now
    this.#since = now()
  }

  of(workspace: string): string {
    this.#expire()
    let project = this.#of.get(workspace)
    if (project === undefined) {
      project = projectOf(workspace)
      this.#of.set(workspace, project)
    }
    return project
  }

  /** The repositories in which the files lie. */
  touched(paths: Iterable<string>): Set<string> {
    this.#expire()
    const projects = new Set<string>()
    for (const path of paths) {
      const directory = dirname(path)
      let project = this.#touched.get(directory)
      if (project === undefined) {
        project = repositoryOfFile(path)
        this.#touched.set(directory, project)
      }
      if (project !== null) projects.add(project)
    }
    return projects
  }

  #expire(): void {
    const age = this.#now() - this.#since
    if (age >= 0 && age < freshMs && this.#of.size < mostKept && this.#touched.size < mostKept) return
    this.#of.clear()
    this.#touched.clear()
    this.#since = this.#now()
  }
}
