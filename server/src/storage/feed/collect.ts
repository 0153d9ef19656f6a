import type { Collector, Data, MergeRules, NewEvent } from './new-event.ts'

// E10: handlers only collect events. `Database.transaction` appends them last, in the order in which they were published.

const NONE: Map<string, NewEvent> = new Map()

/** E2: one event for each object and type; what is created and then changed was created. */
export function collectEvents(rules: MergeRules): Collector {
  let only: NewEvent | undefined // most transactions publish one, and need no map
  let byKey = NONE

  const keyOf = ({ brand_id, venue_id, subject, data }: NewEvent, type: string) =>
    `${brand_id} ${type} ${venue_id} ${rules[type]?.part?.(data)} ${subject}`

  function merged(one: NewEvent, other: NewEvent): NewEvent {
    const data: Record<string, unknown> = { ...one.data, ...other.data }
    const [{ changed, status }, later] = [one.data, other.data]
    if (changed || later.changed) data.changed = union(changed, later.changed)
    if (status && later.status) data.status = { ...(status as Data), to: (later.status as Data).to }
    return { ...one, data: { ...data, ...rules[one.type]?.merge?.(one.data, later) } }
  }

  return {
    get size() {
      return only ? 1 : byKey.size
    },
    clear() {
      only = undefined
      byKey = NONE
    },
    events: () => (only ? [only] : [...byKey.values()]),
    add(event) {
      if (!only && byKey.size === 0) {
        only = event
        return
      }
      if (only) byKey = new Map([[keyOf(only, only.type), only]])
      only = undefined
      const dot = event.type.lastIndexOf('.')
      const [kind, happened] = [event.type.slice(0, dot), event.type.slice(dot + 1)]
      const sibling = (other: string) => keyOf(event, `${kind}.${other}`)
      if (happened === 'updated')
        for (const key of [sibling('created'), sibling('opened')]) {
          const created = byKey.get(key)
          if (created) return void byKey.set(key, merged(created, event))
        }
      if (happened === 'deleted') {
        byKey.delete(sibling('updated'))
        if (byKey.delete(sibling('created'))) return // nobody ever saw it
      }
      const key = keyOf(event, event.type)
      const same = byKey.get(key)
      byKey.set(key, same ? merged(same, event) : event)
    },
  }
}

const union = (one: unknown, other: unknown) => [
  ...new Set([...((one as string[]) ?? []), ...((other as string[]) ?? [])]),
]
