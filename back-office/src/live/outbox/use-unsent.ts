import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { inFlight } from './in-flight.ts'
import { waitingElsewhere, waitingHere } from './waiting.ts'

const LATE_MS = 3_000
/** Timers may come a little early. */
const MARGIN_MS = 20

/** How many acts of this person the server has not answered, in any tab, once one of them has waited for 3 s; else 0. */
export function useUnsent(): number {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const sending = useSyncExternalStore(inFlight.subscribe, inFlight.acts)
  const waiting = useSyncExternalStore(waitingHere.subscribe, waitingHere.acts)
  const elsewhere = useSyncExternalStore(waitingElsewhere.subscribe, waitingElsewhere.acts)
  const all = new Map([...elsewhere, ...sending, ...waiting])
  const oldest = Math.min(...all.values())
  useEffect(() => {
    if (oldest === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(drawAgain, Math.max(0, oldest + LATE_MS + MARGIN_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [oldest])
  // A clock that was set back is no reason to wait for an hour.
  return all.size > 0 && Math.abs(Date.now() - oldest) >= LATE_MS ? all.size : 0
}
