import { TIMEOUT_SECONDS, type HookGroup, type WiringEdit } from '../../harness/wiring.ts'
import type { Editor, Installed, Standing } from '../editor.ts'
import { hookEvent, isOff } from '../ours.ts'
import { renewed, type Trace } from '../trace.ts'
import { isObject, jsonOf, nodeAt, parseJson, same, valueOf, writtenAt, type Json, type JsonPath } from './document.ts'
import { append, remove, set } from './engine.ts'

/** A hook of ours where it stands. */
interface Place {
  /** The event under which it stands. */
  event: string
  /** Of the group, and of the hook in it. */
  group: number
  hook: number
  /** The group holds nothing else. */
  alone: boolean
  off: boolean
  command: string
}

/** One group of our own for each event; an older one of ours is brought up to date where it stands, a second one goes. */
export function hookGroupsEditor(
  { dialect, groups }: Extract<WiringEdit, { kind: 'hook-groups' }>,
  harness: string,
): Editor {
  const path = (place: Place): JsonPath => ['hooks', place.event, place.group]
  const get = (text: string, at: JsonPath): Json | undefined => {
    const node = nodeAt(parseJson(text, dialect), at)
    return node ? valueOf(node) : undefined
  }

  const places = (text: string): Place[] => {
    const events = get(text, ['hooks'])
    if (!isObject(events)) return []
    return Object.entries(events).flatMap(([event, list]) =>
      (Array.isArray(list) ? list : []).flatMap((group, at) => {
        const hooks = isObject(group) && Array.isArray(group.hooks) ? group.hooks : []
        return hooks.flatMap((hook, n): Place[] =>
          isObject(hook) && typeof hook.command === 'string' && hookEvent(hook.command, harness) !== null
            ? [
                {
                  event,
                  group: at,
                  hook: n,
                  alone: hooks.length === 1,
                  off: isOff(hook) || isOff(group),
                  command: hook.command,
                },
              ]
            : [],
        )
      }),
    )
  }

  const takeOut = (text: string, place: Place, traces: Record<string, Trace>): string => {
    if (!place.alone) return remove(text, [...path(place), 'hooks', place.hook], dialect, undefined)
    const trace = traces[place.event]
    const after = remove(text, path(place), dialect, trace)
    // An event under which nothing is left says nothing; without a record of who made it, it counts as ours.
    const left = get(after, ['hooks', place.event])
    return !trace && Array.isArray(left) && left.length === 0
      ? remove(after, ['hooks', place.event], dialect, undefined)
      : after
  }

  const upToDate = (text: string, place: Place, wanted: HookGroup): string => {
    let after = text
    const hookPath = [...path(place), 'hooks', place.hook]
    const put = (at: JsonPath, value: Json): void => {
      if (!same(get(after, at), value)) after = set(after, at, value, dialect).text
    }
    put([...hookPath, 'type'], 'command')
    put([...hookPath, 'command'], wanted.command)
    const timeout = get(after, [...hookPath, 'timeout'])
    if (typeof timeout !== 'number' || timeout < TIMEOUT_SECONDS.least || timeout > TIMEOUT_SECONDS.most)
      put([...hookPath, 'timeout'], wanted.timeout)
    const matcher = [...path(place), 'matcher']
    if (wanted.matcher !== undefined) put(matcher, wanted.matcher)
    else if (get(after, matcher) !== undefined) after = remove(after, matcher, dialect, undefined)
    return after
  }

  return {
    install(text, given): Installed {
      const traces: Record<string, Trace> = { ...given }
      const notes: string[] = []
      let after = text
      for (const wanted of groups) {
        const here = places(after).filter(place => place.event === wanted.event)
        if (here.some(place => place.off)) notes.push(`the hook for ${wanted.event} stays switched off`)
        const live = here.filter(place => !place.off)
        // A group shared with others' hooks can't take our matcher, unless it has it.
        const keep = live.find(place => place.alone || get(after, [...path(place), 'matcher']) === wanted.matcher)
        for (const place of live.toReversed()) if (place !== keep) after = takeOut(after, place, {})
        const [survivor] = places(after).filter(place => place.event === wanted.event && !place.off)
        if (survivor) {
          const before = after
          after = upToDate(after, survivor, wanted)
          const trace = renewed(
            traces[wanted.event],
            writtenAt(before, path(survivor), dialect),
            writtenAt(after, path(survivor), dialect),
          )
          Reflect.deleteProperty(traces, wanted.event)
          if (trace) traces[wanted.event] = trace
        } else if (here.every(place => !place.off)) {
          const { event, matcher, command, timeout } = wanted
          const group = {
            ...(matcher === undefined ? {} : { matcher }),
            hooks: [{ type: 'command', command, timeout }],
          }
          const added = append(after, ['hooks', event], jsonOf(group), dialect)
          after = added.text
          Reflect.deleteProperty(traces, event)
          if (added.trace) traces[event] = added.trace
        }
      }
      // Events that an earlier version used and this one doesn't.
      const events = new Set(groups.map(group => group.event))
      for (const place of places(after).toReversed())
        if (!events.has(place.event)) after = takeOut(after, place, traces)
      return { text: after, traces, notes }
    },

    uninstall(text, traces): string {
      let after = text
      // In the reverse of the order in which they came, so that each stands as it was put in.
      const order = [...groups.map(group => group.event)].toReversed()
      const rank = (place: Place): number => order.indexOf(place.event)
      for (;;) {
        const [place] = places(after).toSorted((a, b) => rank(a) - rank(b) || b.group - a.group || b.hook - a.hook)
        if (!place) return after
        after = takeOut(after, place, traces)
      }
    },

    standing(text): Standing {
      const here = places(text)
      if (here.length === 0) return 'absent'
      const states = groups.map(({ event, command }): Standing => {
        const mine = here.filter(place => place.event === event)
        if (mine.some(place => !place.off && place.command === command)) return 'wired'
        if (mine.some(place => !place.off)) return 'old'
        return mine.length > 0 ? 'off' : 'absent'
      })
      if (states.every(state => state === 'wired')) return 'wired'
      return states.every(state => state === 'off' || state === 'absent') ? 'off' : 'old'
    },
  }
}
