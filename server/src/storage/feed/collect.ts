import type { Data, NewEvent } from './new-event.ts'

// E10: handlers only collect events. `Database.transaction` appends them last, in the order in which they were published.

interface Collector {
  readonly size: number
  add(event: NewEvent): void
  events(): NewEvent[]
  clear(): void
}

const MAX_PRODUCT_IDS = 200 // E1: price_list.prices_changed

const NONE: Map<string, NewEvent> = new Map()

const keyOf = ({ brand_id, venue_id, subject, data }: NewEvent, type: string) =>
  `${brand_id} ${type} ${venue_id} ${balanceOf(data)?.type} ${subject}`

/** E2: one event for each object and type; what is created and then changed was created. */
export function collectEvents(): Collector {
  let only: NewEvent | undefined // most transactions publish one, and need no map
  let byKey = NONE

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

function merged(one: NewEvent, other: NewEvent): NewEvent {
  const [a, b] = [one.data, other.data]
  const data: Record<string, unknown> = { ...a, ...b }
  if (a.changed || b.changed) data.changed = union(a.changed, b.changed)
  if (a.status && b.status) data.status = { ...(a.status as Data), to: (b.status as Data).to }
  if (balanceOf(b)) data.balance = { ...balanceOf(b), from: balanceOf(a)?.from }
  if (a.product_ids || a.all) Object.assign(data, { product_ids: undefined }, productIds(a, b))
  if (one.type === 'stock.moved') Object.assign(data, movements(a as never, b as never))
  return { ...one, data }
}

/** customer.balance_changed: each balance of a customer moves by itself. */
const balanceOf = ({ balance }: Data) => balance as { type: string; from: number } | undefined

const union = (one: unknown, other: unknown) => [
  ...new Set([...((one as string[]) ?? []), ...((other as string[]) ?? [])]),
]

function productIds(a: Data, b: Data): Data {
  if (a.all || b.all) return { all: true }
  const ids = union(a.product_ids, b.product_ids)
  return ids.length > MAX_PRODUCT_IDS ? { all: true } : { product_ids: ids }
}

interface Moved {
  first_id: number
  last_id: number
  count: number
  receipt_id?: number | undefined
  operation_id?: number | undefined
}

/** A receipt or a document is named when all movements are its own. */
const movements = (a: Moved, b: Moved): Moved => ({
  first_id: Math.min(a.first_id, b.first_id),
  last_id: Math.max(a.last_id, b.last_id),
  count: a.count + b.count,
  receipt_id: a.receipt_id === b.receipt_id ? a.receipt_id : undefined,
  operation_id: a.operation_id === b.operation_id ? a.operation_id : undefined,
})
