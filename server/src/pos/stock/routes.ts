import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Database } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import { onHand, stockable } from './on-hand.ts'

interface StockRoomDeps {
  readonly db: Database
  readonly now: () => number
  readonly searches: { readonly start: onRequestAsyncHookHandler }
}

/** What the stock room looks at: what is there, low stock first, and what a document can name. */
export function stockRoomRoutes(app: FastifyInstance, { db, now, searches }: StockRoomDeps): void {
  const route = { config: { permission: 'stock:read' }, onRequest: searches.start }
  app.get('/stock-room', route, async ({ call: { caller } }) => ({
    success: true,
    data: await onHand(db, caller),
    now: instantOf(now()), // what is counted is counted at an instant of this clock
  }))
  app.get('/stock-room/products', route, async ({ call: { caller } }) => ({
    success: true,
    data: await stockable(db, caller),
  }))
}
