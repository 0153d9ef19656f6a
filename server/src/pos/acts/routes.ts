import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../http/call.ts'
import { asJson, ErrorBody, One, one } from '../../http/envelope.ts'
import { noSuchRecord } from '../../http/errors.ts'
import { PathId } from '../../resource/values.ts'
import { receiptActs } from '../../resources/service/receipt-acts.ts'
import type { Database } from '../../storage/database.ts'

// T21: what was done on a receipt, for the till and for integrations.

const OneReceipt = Type.Object({ id: PathId() })
const MOST = 1_000
const permission = 'receipts:read'

/** The API's own, described. */
export function serveActs(app: FastifyInstance, { db }: { db: Database }): void {
  const schema = {
    operationId: 'listReceiptActs',
    summary: 'List what was done on a receipt',
    description: `Who did what, with whose approval, and why, in order. At most ${MOST}: the newest.`,
    tags: ['Receipts'],
    params: OneReceipt,
    response: { 200: One(Type.Array(receiptActs.item)), 400: ErrorBody, 404: ErrorBody },
  }
  app.get('/receipts/:id/acts', { config: { permission }, schema }, async ({ call: { caller }, params }, reply) =>
    asJson(reply, one(await actsOf(db, caller, (params as Static<typeof OneReceipt>).id))),
  )
}

/** The same for the pages. */
export function staffActRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  const schema = { params: OneReceipt }
  app.get('/receipts/:id/acts', { config: { permission }, schema }, async ({ call: { caller }, params }, reply) =>
    asJson(reply, one(await actsOf(db, caller, (params as Static<typeof OneReceipt>).id))),
  )
}

async function actsOf(db: Database, { brand_id, venue_id }: Caller, id: number): Promise<string> {
  const found = await db.rows('select 1 as one from receipts where brand_id = ? and venue_id = ? and id = ?', [
    brand_id,
    venue_id,
    id,
  ])
  if (found.length === 0) throw noSuchRecord()
  const texts = await db.texts(
    `select body from receipt_acts where brand_id = ? and receipt_id = ? order by step desc, id desc limit ${MOST}`,
    [brand_id, id],
  )
  return `[${texts.reverse().join(',')}]`
}
