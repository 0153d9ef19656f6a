import { useEffect, useState } from 'react'

const TICK_MS = 5000

/** The time, as often as a screen has to show that some has passed. */
export function useNow(everyMs = TICK_MS): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
