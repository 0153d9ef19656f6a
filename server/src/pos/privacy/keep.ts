import { forgetPapers } from '../../printing/queue/forget.ts'
import { keepForSomeTime } from './retention.ts'
import { type Stores, settleDue } from './settle.ts'

const SETTLE_EVERY_MS = 10_000
const PAPERS_EVERY_MS = 60 * 60_000
const NIGHT_EVERY_MS = 5 * 60_000

interface KeepOptions extends Stores {
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

/** Looks every few seconds for what is to be forgotten, until it is stopped. */
export function keepForgetting({ now, failed, ...stores }: KeepOptions): () => void {
  let stopped = false
  const every = (ms: number, work: () => Promise<void>) => {
    let running = false
    return setInterval(async () => {
      if (running) return
      running = true
      await work().catch(failed)
      running = false
    }, ms).unref()
  }
  const timers = [
    every(SETTLE_EVERY_MS, () => settleDue(stores, now())),
    every(PAPERS_EVERY_MS, () => forgetPapers(stores.db, now())),
    every(NIGHT_EVERY_MS, () => keepForSomeTime(stores, now(), () => stopped)),
  ]
  return () => {
    stopped = true
    for (const timer of timers) clearInterval(timer)
  }
}
