import type { SessionHead } from './passage.ts'
import type { Session } from './places.ts'

/** The index's sessions, by row id and by project: a query of one project doesn't go through those of all others. */
export class Sessions {
  readonly #byKey = new Map<number, Session>()
  readonly #byProject = new Map<string, Set<Session>>()

  get(key: number): Session | undefined {
    return this.#byKey.get(key)
  }

  add(session: Session): void {
    this.#byKey.set(session.head.key, session)
    this.#join(session)
  }

  /** Takes over what changed of it. */
  update(session: Session, head: SessionHead): void {
    const { projects } = session.head
    const moved = projects.length !== head.projects.length || projects.some((one, i) => one !== head.projects[i])
    if (moved) this.#leave(session)
    session.head = head
    if (moved) this.#join(session)
  }

  delete(session: Session): void {
    this.#byKey.delete(session.head.key)
    this.#leave(session)
  }

  /** Those that worked in one of these projects, each once; all of them where none is named. */
  in(projects: readonly string[] | undefined): Iterable<Session> {
    if (projects === undefined) return this.#byKey.values()
    const [only, ...others] = projects.map(project => this.#byProject.get(project) ?? [])
    return others.length === 0 ? (only ?? []) : new Set([...(only ?? []), ...others.flatMap(each => [...each])])
  }

  #join(session: Session): void {
    for (const project of session.head.projects) {
      const known = this.#byProject.get(project)
      if (known) known.add(session)
      else this.#byProject.set(project, new Set([session]))
    }
  }

  #leave(session: Session): void {
    for (const project of session.head.projects) {
      const known = this.#byProject.get(project)
      known?.delete(session)
      if (known?.size === 0) this.#byProject.delete(project)
    }
  }
}
