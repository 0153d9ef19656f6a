import { inFlight } from './in-flight.ts'

// What the server has not answered of what this person did. Small, because every page loads it; outboxes and the courier report here.

type Waiting = ReadonlyMap<string, number>

/** Keeps for each key since when its act has been waiting. */
function watched() {
  let acts: Waiting = new Map()
  const listeners = new Set<() => void>()
  return {
    /** For useSyncExternalStore. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    acts: () => acts,
    set(next: Waiting): void {
      if (next.size === 0 && acts.size === 0) return
      acts = next
      for (const listener of listeners) listener()
    },
  }
}

/** Acts in the outboxes of this tab. */
export const waitingHere = watched()
/** Acts in the outboxes of other tabs. */
export const waitingElsewhere = watched()

/** Keys of what was done here and the server has not answered. */
const unsentHere = (): ReadonlySet<string> => new Set([...inFlight.acts().keys(), ...waitingHere.acts().keys()])

/** How much that is in all tabs of this person. An act that goes from one to another is in both for a moment. */
export const unsentAnywhere = (): number => new Set([...unsentHere(), ...waitingElsewhere.acts().keys()]).size

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** The browser asks before a tab with unsent acts is closed. */
export function askBeforeLeaving(): void {
  let isAsking = false
  // Only while there is a reason: a page that listens is not kept for the way back.
  const change = () => {
    const isUnsent = unsentHere().size > 0
    if (isUnsent === isAsking) return
    isAsking = isUnsent
    if (isUnsent) addEventListener('beforeunload', ask)
    else removeEventListener('beforeunload', ask)
  }
  inFlight.subscribe(change)
  waitingHere.subscribe(change)
}

const holders = new Set<() => void>()
export const onHold = (hold: () => void) => void holders.add(hold)

/** Somebody leaves or signs in: what waits is of the one before, and is sent once they have signed in again. */
export function holdOutboxes(): void {
  for (const hold of holders) hold()
}

/** A page of its own for each person: nothing that the one before left in memory is shown or sent as this one. It does not ask. */
export function loadForNext(href: string): void {
  holdOutboxes()
  removeEventListener('beforeunload', ask)
  location.replace(href)
}
