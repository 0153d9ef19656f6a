import { randomFillSync } from 'node:crypto'
import type { MergeRules, NewEvent, Published, PublishedListener } from './new-event.ts'

// What both engines need to append what a transaction published; the commit comes next (E10).

/** The events of each brand, brands in the order of their ids, since each has its own lock. */
export function byBrand(events: readonly NewEvent[]): (readonly [brand_id: number, own: readonly NewEvent[]])[] {
  const { brand_id } = events[0]!
  if (events.every((event) => event.brand_id === brand_id)) return [[brand_id, events]]
  return [...Map.groupBy(events, (event) => event.brand_id)].sort(([a], [b]) => a - b)
}

/** Stands for all venues of a brand in `menu_marks`. */
export const EVERY_VENUE = 0

/** M5: the venue whose menu an event can change, or all of them; undefined where it changes none. */
export function menuOf({ type, venue_id }: NewEvent, rules: MergeRules): number | undefined {
  const menu = rules[type]?.menu
  return menu && (menu === 'venue' ? venue_id : EVERY_VENUE)
}

export const noFeed = (brand_id: number) => new Error(`brand ${brand_id} has no feed`)

export const publishedBy = (brand_id: number, events: readonly NewEvent[], waitedMs: number): Published => ({
  brand_id,
  types: events.map(({ type }) => type),
  waitedMs,
})

const pool = Buffer.allocUnsafe(6 * 512)
let used = pool.length

/** E4: six random bytes, as a number. */
export function newNonce(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 6
  return pool.readUIntBE(used - 6, 6)
}

/** Listeners for what was committed; one that throws harms nobody else. */
export function publishedListeners() {
  const listeners = new Set<PublishedListener>()
  return {
    notify(published: readonly Published[]): void {
      if (published.length > 0) for (const listener of listeners) listener(published)
    },
    onPublished(listener: PublishedListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
