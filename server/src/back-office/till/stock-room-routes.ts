import type { FastifyInstance } from 'fastify'
import { onHand, stockable } from '../../pos/stock/on-hand.ts'
import type { Database } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'

/** What the stock room looks at: what is there, low stock first, and what a document can name. */
export function stockRoomRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }): void {
  app.get('/stock-room', { config: { permission: 'stock:read' } }, async ({ call: { caller } }) => ({
    success: true,
    data: await onHand(db, caller),
    now: instantOf(now()), // what is counted is counted at an instant of this clock
  }))
  app.get('/stock-room/products', { config: { permission: 'stock:read' } }, async ({ call: { caller } }) => ({
    success: true,
    data: await stockable(db, caller),
  }))
}
