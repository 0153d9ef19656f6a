import { retryDelay } from '../../delivery/backoff.ts'
import type { Mark } from '../../events/event-id.ts'

// W10, W12, pure: what of one endpoint may be sent next, and what becomes of the cursor. Events after the cursor stand in a window; those
// that failed, and those of the same object behind them, are held and no longer stop the cursor.

/** What a kill can repeat (W24): outcomes that are not written yet, and requests in flight. */
const MAX_UNWRITTEN = 72
export const MAX_WAITING = 1_000

/** An event of the feed, as far as order needs it. */
export interface Item extends Mark {
  readonly type: string
  /** Kind and subject; empty where the event is about no single object. */
  readonly object: string
}

export interface Held extends Item {
  readonly state: 'waiting' | 'failed' | 'refused'
  readonly attempts: number
  /** Null: it waits for one of its object before it. */
  readonly next_at: number | null
  readonly class: string | null
  readonly status: number | null
}

/** Something to send now. */
export interface Sending<Event extends Item> {
  readonly item: Item
  /** Undefined where it was held and has to be read again. */
  readonly event: Event | undefined
  readonly cause: 'live' | 'retry' | 'probe'
  readonly attempt: number
}

interface Failed {
  readonly kind: 'refused' | 'failed'
  readonly class: string
  readonly status: number | null
}
export type Outcome = { readonly kind: 'delivered' } | { readonly kind: 'passed' } | Failed

/** What is to be written since the last time, with the cursor that holds once it is. */
export interface Changes {
  readonly cursor: Mark
  readonly added: readonly Held[]
  readonly changed: readonly Held[]
  readonly removed: readonly Mark[]
}

interface Entry<Event extends Item> {
  readonly event: Event
  state: 'ready' | 'flying' | 'settled'
  isDelivered: boolean
  /** Where the cursor stands once this and all before it are settled: what was passed over behind it included. */
  end: Mark
}

export function deliveryQueue<Event extends Item>(start: Mark, stored: readonly Held[], random = Math.random) {
  let written: Mark = start
  let readTo: Mark = start
  let base: Mark = start // the cursor in memory
  let window: Entry<Event>[] = []
  const held = new Map<number, Held>(stored.map((each) => [each.position, each]))
  const flying = new Set<number>() // held ones
  let added = new Set<number>()
  let changed = new Set<number>()
  let removed = new Map<number, Mark>()
  let delivered = 0 // no longer in the window, and not written yet
  let writing = 0 // the same, while they are being written
  let isCursorTurn = true
  let heads: Held[] | undefined // the first waiting one of each object, soonest first

  const isWaiting = ({ state }: Held) => state === 'waiting'
  let waiting = [...held.values()].filter(isWaiting).length

  function headsNow(): Held[] {
    if (heads) return heads
    const first = new Map<string, Held>()
    for (const each of [...held.values()].filter(isWaiting).sort((one, other) => one.position - other.position)) {
      const key = each.object || `#${each.position}` // one without an object keeps none behind it
      if (!first.has(key)) first.set(key, each)
    }
    heads = [...first.values()].sort((one, other) => (one.next_at ?? 0) - (other.next_at ?? 0))
    return heads
  }

  const blocked = () => new Set(headsNow().flatMap(({ object }) => object || []))

  function put(entry: Held): void {
    const before = held.get(entry.position)
    if (!before) added.add(entry.position)
    else if (!added.has(entry.position)) changed.add(entry.position)
    waiting += Number(isWaiting(entry)) - Number(before !== undefined && isWaiting(before))
    held.set(entry.position, entry)
    heads = undefined
  }

  function drop(entry: Held): void {
    held.delete(entry.position)
    waiting -= Number(isWaiting(entry))
    changed.delete(entry.position)
    if (!added.delete(entry.position)) removed.set(entry.position, entry)
    heads = undefined
  }

  const behind = (item: Item): Held => ({
    ...plain(item),
    state: 'waiting',
    attempts: 0,
    next_at: null,
    class: null,
    status: null,
  })

  /** Moves what can no longer be sent in order out of the cursor's way. */
  function holdBlocked(): void {
    const objects = blocked()
    for (const entry of window) {
      const { event } = entry
      if (entry.state !== 'ready' || event.object === '' || !objects.has(event.object)) continue
      if (waiting >= MAX_WAITING) return
      put(behind(event))
      entry.state = 'settled'
    }
  }

  function nextLive(): Entry<Event> | undefined {
    const objects = blocked()
    let isFree = true
    for (const entry of window) {
      const { object } = entry.event
      if (entry.state === 'settled') continue
      const isNext = object === '' ? isFree : !objects.has(object)
      if (entry.state === 'ready' && isNext) return entry
      isFree = false
      if (object !== '') objects.add(object)
    }
    return undefined
  }

  const unwritten = () => window.filter(({ isDelivered }) => isDelivered).length + delivered + writing
  const inFlight = () => window.filter(({ state }) => state === 'flying').length + flying.size

  const live = (entry: Entry<Event>, cause: 'live' | 'probe'): Sending<Event> => {
    entry.state = 'flying'
    return { item: entry.event, event: entry.event, cause, attempt: 1 }
  }
  const again = (entry: Held, cause: 'retry' | 'probe'): Sending<Event> => {
    flying.add(entry.position)
    const event = window.find((each) => each.event.position === entry.position)?.event
    return { item: entry, event, cause, attempt: entry.attempts + 1 }
  }

  function nextProbe(): Sending<Event> | undefined {
    const oldest = headsNow().toSorted((one, other) => one.position - other.position)[0]
    const entry = nextLive()
    const takesCursor = entry && (isCursorTurn || !oldest)
    isCursorTurn = !takesCursor
    if (takesCursor) return live(entry, 'probe')
    return oldest && again(oldest, 'probe')
  }

  return {
    get waiting() {
      return waiting
    },
    /** Events in memory, which do not grow with the backlog (W26). */
    get size() {
      return held.size + window.length
    },
    get readTo() {
      return readTo
    },
    inFlight,
    /** The first event after the cursor that is not settled. */
    oldest: () => window.find(({ state }) => state !== 'settled')?.event,
    /** Whether more of the feed is wanted. */
    wantsMore: () => waiting < MAX_WAITING && window.length < MAX_UNWRITTEN,
    /** Takes what the feed has next; `undefined`: it is passed over. */
    add(mark: Mark, event: Event | undefined): void {
      readTo = { position: mark.position, nonce: mark.nonce }
      if (event === undefined) {
        const last = window.at(-1)
        if (last) last.end = readTo
        else base = readTo
        return
      }
      const isHeld = held.has(mark.position) // written before the cursor passed it
      window.push({ event, state: isHeld ? 'settled' : 'ready', isDelivered: false, end: readTo })
    },
    /** What may be sent now, in the order of W10; it counts as sent until it is settled. */
    next(now: number, mode: 'active' | 'probe'): Sending<Event> | undefined {
      holdBlocked()
      if (unwritten() + inFlight() >= MAX_UNWRITTEN) return undefined
      if (mode === 'probe') return inFlight() > 0 ? undefined : nextProbe()
      const due = headsNow().find((each) => !flying.has(each.position) && (each.next_at ?? now) <= now)
      if (due) return again(due, 'retry')
      const entry = nextLive()
      return entry && live(entry, 'live')
    },
    /** What was not sent after all is next again. */
    putBack({ item }: Sending<Event>): void {
      flying.delete(item.position)
      const entry = window.find(({ event }) => event.position === item.position)
      if (entry?.state === 'flying') entry.state = 'ready'
    },
    settle({ item, cause }: Sending<Event>, outcome: Outcome, now: number): void {
      const entry = window.find(({ event }) => event.position === item.position)
      const before = held.get(item.position)
      flying.delete(item.position)
      if (before) {
        if (outcome.kind === 'failed' && cause === 'probe') return // it is not the event's turn that failed
        if (outcome.kind === 'delivered' || outcome.kind === 'passed') {
          drop(before)
          if (entry) entry.isDelivered = outcome.kind === 'delivered'
          else if (outcome.kind === 'delivered') delivered++
        } else put(failedOnce(before, outcome, now))
        return
      }
      if (entry?.state !== 'flying') return // dropped meanwhile
      if (outcome.kind === 'failed' && cause === 'probe') {
        entry.state = 'ready'
        return
      }
      entry.state = 'settled'
      entry.isDelivered = outcome.kind === 'delivered'
      if (outcome.kind === 'failed' || outcome.kind === 'refused') put(failedOnce(behind(item), outcome, now))
    },
    /** When something held is due, while active; what waited for one that is settled now is due at once. */
    dueAt(): number | undefined {
      const next = headsNow().find(({ position }) => !flying.has(position))
      return next && (next.next_at ?? 0)
    },
    hasWork: () => waiting > 0 || window.some(({ state }) => state !== 'settled'),
    /** What is to be written, one write at a time; `written` is called once it is. */
    changes(): Changes | undefined {
      holdBlocked()
      while (window[0]?.state === 'settled') {
        base = window[0].end
        if (window[0].isDelivered) delivered++
        window = window.slice(1)
      }
      if (base.position === written.position && added.size + changed.size + removed.size === 0) return undefined
      const rows = (positions: Iterable<number>) => [...positions].map((position) => held.get(position)!)
      const taken: Changes = {
        cursor: base,
        added: rows(added),
        changed: rows(changed),
        removed: [...removed.values()],
      }
      written = base
      ;[added, changed, removed] = [new Set(), new Set(), new Map()]
      for (const [position, each] of held) if (!isWaiting(each) && position <= base.position) held.delete(position)
      writing = delivered
      delivered = 0
      return taken
    },
    written(): void {
      writing = 0
    },
  }

  function failedOnce(entry: Held, outcome: Failed, now: number): Held {
    const attempts = entry.attempts + 1
    const reported = { ...entry, attempts, class: outcome.class, status: outcome.status, next_at: null }
    if (outcome.kind === 'refused') return { ...reported, state: 'refused' }
    const delay = retryDelay(attempts, random)
    return delay === undefined
      ? { ...reported, state: 'failed' }
      : { ...reported, state: 'waiting', next_at: now + delay }
  }
}

const plain = ({ position, nonce, type, object }: Item): Item => ({ position, nonce, type, object })

export type DeliveryQueue<Event extends Item> = ReturnType<typeof deliveryQueue<Event>>
