import type { FastifyRequest } from 'fastify'
import type { IdCounts } from '../../resources/id-blocks.ts'
import type { Queries } from '../../storage/database.ts'

// P16: how many ids a command on a receipt may need, counted before its transaction. Where lines are added meanwhile, it is done again.

interface Counts {
  reserved: number
  moved: number
  lines: number
  body: string
}

async function countsOf({ call, params }: FastifyRequest, db: Queries): Promise<Counts | undefined> {
  const { id } = params as { id: number }
  const [counts] = await db.rows<Counts>(
    `select body,
       (select count(*) from reservations where reservations.brand_id = receipts.brand_id and receipt_id = receipts.id) as reserved,
       (select count(*) from stock_operations where stock_operations.brand_id = receipts.brand_id
         and receipt_id = receipts.id) as moved,
       (select count(*) from receipt_lines where receipt_lines.brand_id = receipts.brand_id and receipt_id = receipts.id) as lines
     from receipts where brand_id = ? and id = ?`,
    [call.caller.brand_id, id],
  )
  return counts
}

const paymentsIn = (body: string) => (JSON.parse(body) as { payment_methods?: object[] }).payment_methods?.length ?? 0

/** What lines reserve is what they take; besides the payments there may be cashback. */
export async function idsToClose(request: FastifyRequest, db: Queries): Promise<IdCounts> {
  const { payment_methods = [] } = request.body as { payment_methods?: object[] }
  const counts = await countsOf(request, db)
  return counts ? { stock_operation_id: counts.reserved, transaction_id: payment_methods.length + 1 } : {}
}

export const idsToPay = ({ body }: FastifyRequest): IdCounts => ({
  transaction_id: (body as { payment_methods: object[] }).payment_methods.length,
})

/** All that was made may be waste, and all that was paid goes back. */
export async function idsToCancel(request: FastifyRequest, db: Queries): Promise<IdCounts> {
  const counts = await countsOf(request, db)
  return counts ? { stock_operation_id: counts.reserved, transaction_id: paymentsIn(counts.body) } : {}
}

export async function idsToRefund(request: FastifyRequest, db: Queries): Promise<IdCounts> {
  const counts = await countsOf(request, db)
  if (!counts) return {}
  const { payment_methods = [] } = request.body as { payment_methods?: object[] }
  const payments = Math.max(payment_methods.length, paymentsIn(counts.body))
  return {
    receipt_id: 1,
    receipt_line_id: counts.lines,
    stock_operation_id: counts.moved,
    transaction_id: payments + 1,
  }
}

/** A label may close the receipt by itself, or cancel it. */
export async function idsToLabel(request: FastifyRequest, db: Queries): Promise<IdCounts> {
  const { order_status } = request.body as { order_status?: string }
  if (order_status === 'COMPLETED') return idsToClose(request, db)
  return order_status === 'CANCELLED' ? idsToCancel(request, db) : {}
}
