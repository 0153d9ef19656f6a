import type { FastifyInstance } from 'fastify'
import { onHand, stockable } from '../../pos/stock/on-hand.ts'
import { instantOf } from '../../values/values.ts'
import type { BackOfficeDeps } from '../deps.ts'

/** What the stock room looks at: what is there, low stock first, and what a document can name. */
export function stockRoomRoutes(
  app: FastifyInstance,
  { db, now, searches }: Pick<BackOfficeDeps, 'db' | 'now' | 'searches'>,
): void {
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
