// The server's clock, as far as its answers tell it: that of a tablet may be wrong. A little in the past, never ahead.

const KEY = 'comptoir-clock'

let aheadMs = kept()

function kept(): number {
  try {
    return Number(localStorage.getItem(KEY) ?? 0)
  } catch {
    return 0 // this browser keeps nothing
  }
}

function keep(ms: number): void {
  try {
    localStorage.setItem(KEY, String(ms))
  } catch {}
}

/** Takes the time of an answer, whole seconds; a page that is loaded without the server knows the last one. */
export function hearClock(date: string | null): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  const before = aheadMs
  aheadMs = at - Date.now()
  if (Math.abs(aheadMs - before) > 5_000) keep(aheadMs)
}

/** Now, as the server would say it. */
export const serverTime = (): string => new Date(Date.now() + aheadMs).toISOString()
