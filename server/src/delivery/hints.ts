import { AsyncLocalStorage } from 'node:async_hooks'

interface HintsOptions {
  /** Calls back with a brand that has news; returns how to stop. */
  readonly news: (listener: (brand_id: number) => void) => () => void
  /** Looks for work: of one brand, or of all. */
  readonly look: (brand_id: number | undefined) => Promise<void>
  readonly failed: (error: unknown) => void
  readonly pollMs: number
}

/** Looks for work when a hint says so, and every second in case one was lost (W25). One look at a time for each brand. */
export function hints({ news, look, failed, pollMs }: HintsOptions) {
  const running = new Map<number | undefined, boolean>()

  async function run(brand_id: number | undefined): Promise<void> {
    if (running.has(brand_id)) {
      running.set(brand_id, true) // once more, since it may have read before the news
      return
    }
    do {
      running.set(brand_id, false)
      await look(brand_id).catch(failed)
    } while (running.get(brand_id))
    running.delete(brand_id)
  }

  const outsideRequests = AsyncLocalStorage.snapshot() // a hint comes in the context of the request that published, with its deadline
  const stopNews = news((brand_id) => outsideRequests(() => void run(brand_id)))
  const timer = setInterval(() => void run(undefined), pollMs).unref()
  return {
    run,
    stop(): void {
      stopNews()
      clearInterval(timer)
    },
  }
}
