import { follow } from './events/follow.ts'
import type { Http } from './http/http.ts'
import type { CallOptions, WriteOptions } from './option-types.ts'
import type { OrdersMethods } from './resources.ts'
import type { NewOrder, Order } from './types.ts'

// What an order needs besides the calls of the API: it is placed once, whatever happens on the way, and watched until it ends.

export interface PlacingAndTracking {
  /**
   * Places an order under a key of its own, `integration_uuid`, which is made unless given: sent again, also after a restart with the
   * same key, it is the same order.
   */
  place(order: NewOrder, options?: WriteOptions): Promise<Order>
  /** The order as it is, then as it is after each change, until nothing more can happen to it: it was ignored or delivered. */
  track(id: number, options?: CallOptions): AsyncGenerator<Order, void, undefined>
}

const ENDED: ReadonlySet<string> = new Set(['IGNORE', 'DELIVERED'])

export const placingAndTracking = (http: Http, orders: OrdersMethods): PlacingAndTracking => ({
  async place(order, options) {
    const placed = await orders.create({ integration_uuid: crypto.randomUUID(), ...order }, options)
    return placed as Order // it has an id, since it was no dry run
  },
  async *track(id, options = {}) {
    // The place in the feed first, then the order: a change between the two is seen, not missed (E6).
    const { next } = (await http.call({ ...options, method: 'GET', path: '/events', query: { after: 'latest' } })) as {
      next: string
    }
    let order = await orders.get(id, options)
    yield order
    if (ENDED.has(order.status)) return
    const { signal } = options
    for await (const { data } of follow(http, { after: next, types: ['order.*'], signal })) {
      if ((data as { id?: unknown }).id !== id) continue
      order = await orders.get(id, options)
      yield order
      if (ENDED.has(order.status)) return
    }
  },
})
