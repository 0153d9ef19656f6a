import type { Database } from '../../storage/database.ts'
import type { Published } from '../../storage/feed/new-event.ts'

/** E11: which brands have news, from this process and, with Redis, from the others. A hint that is lost costs a poll, no more. */
export interface News {
  /** Called with a brand's id; returns how to stop. */
  on(listener: (brand_id: number) => void): () => void
  close(): void
}

/** Notifies other processes, and is notified by them. */
export interface NewsChannel {
  send(brand_ids: readonly number[]): void
  close(): void
}

const GATHER_MS = 5

/** What is committed within a few milliseconds is one hint. */
export function openNews(
  db: Pick<Database, 'onPublished'>,
  published: (batch: readonly Published[]) => void,
  open?: (received: (brand_id: number) => void) => NewsChannel,
): News {
  const listeners = new Set<(brand_id: number) => void>()
  const tell = (brand_id: number) => {
    for (const listener of listeners) listener(brand_id)
  }
  const channel = open?.(tell)
  let pending = new Set<number>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    const brands = [...pending]
    pending = new Set()
    for (const brand_id of brands) tell(brand_id)
    channel?.send(brands)
  }

  const stop = db.onPublished((batch) => {
    published(batch)
    for (const { brand_id } of batch) pending.add(brand_id)
    timer ??= setTimeout(flush, GATHER_MS)
  })
  return {
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      stop()
      clearTimeout(timer)
      channel?.close()
    },
  }
}
