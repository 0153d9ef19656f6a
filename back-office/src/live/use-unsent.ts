import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { inFlight } from './in-flight.ts'
import type { Kept } from './outbox.ts'

const LATE_MS = 3_000
/** Timers may come a little early. */
const MARGIN_MS = 20

/** How many acts the server has not answered, once one of them has waited for 3 s; else 0. `kept`: those of the outbox. */
export function useUnsent(kept: readonly Kept[] = []): number {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const sending = useSyncExternalStore(inFlight.subscribe, inFlight.acts)
  const waiting = kept.filter(({ refused, answered }) => !refused && !answered)
  const all = new Map([...sending, ...waiting.map(({ key, since = 0 }) => [key, since] as const)])
  const oldest = Math.min(...all.values())
  useEffect(() => {
    if (oldest === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(drawAgain, Math.max(0, oldest + LATE_MS + MARGIN_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [oldest])
  // A clock that was set back is no reason to wait for an hour.
  return all.size > 0 && Math.abs(Date.now() - oldest) >= LATE_MS ? all.size : 0
}
