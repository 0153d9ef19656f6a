import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Owner, Reader } from '../../resource/read/page.ts'
import { serveOwned } from '../../resource/read/views.ts'
import { type Extension, PathUuid, readUuid, serveOne } from '../../resource/serve.ts'
import { Maybe, Note, PathId, Trimmed } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { Receipt, receipts } from '../../resources/sales/receipts.ts'
import { stockOperations } from '../../resources/stock/stock-operations.ts'
import { Calculation, calculationOf } from '../calculation.ts'
import { idsToLabel } from '../closing/ids.ts'
import { CLOSE_EVENTS, serveClose } from '../closing/routes.ts'
import { TOTALS_RULE } from '../totals.ts'
import { RECEIPT_ROUTE, receiptAnswer } from './answer.ts'
import { billOf } from './draft.ts'
import { labelReceipt } from './labels.ts'
import { refuse } from './line.ts'
import { draftOf, linesOf, type StoredReceipt } from './store.ts'

/** What an integrator may write on a receipt. */
const ReceiptPatch = Type.Object(
  {
    id: Maybe(Type.Integer({ description: 'Read, and must be the receipt’s' })),
    cid: Maybe(Type.String({ description: 'Read, and must be the receipt’s' })),
    order_status: Maybe(Receipt.properties.order_status),
    order_number: Maybe(Note(20)),
    fiscal_id: Maybe(Trimmed({ maxLength: 64 })),
    lock: Maybe(Type.Boolean({ description: 'true once the bill was shown' })),
  },
  { $id: 'ReceiptPatch', additionalProperties: false },
)

/** What receipts are besides rows: they can explain themselves, are found by their cid, and take labels (S2, S3). */
export const receiptExtension: Extension = {
  included: { calculation: { schema: Calculation, read: calculations } },
  whole: Receipt,
  routes(app, deps) {
    serveOne(app, receipts, deps, {
      included: receiptExtension.included,
      whole: Receipt,
      by: {
        path: 'cid/:cid',
        params: Type.Object({ cid: PathUuid() }),
        column: 'cid_key',
        read: (params) => readUuid('cid', params),
        described: { operationId: 'getReceiptByCid', summary: 'Read one receipt by its cid' },
      },
    })
    serveLabels(app, deps)
    serveClose(app, deps)
    serveOwned(app, deps, receipts, stockOperations, {
      path: 'receipts/:id/stock-operations',
      column: 'receipt_id',
      operationId: 'listReceiptStockOperations',
      summary: 'List the stock movements of a receipt',
      description: 'What its lines took, or a refund brought back. What was taken is negative.',
    })
  },
}

/** Only of receipts that were made by this rule: history was made elsewhere, an old rule is not this one (P12), a refund has P19. */
async function calculations(db: Reader, { brand_id }: Owner, ids: readonly number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const id of ids) {
    const [row] = await db.rows<StoredReceipt>(
      'select body, details, terms, rule, version from receipts where brand_id = ? and id = ?',
      [brand_id, id],
    )
    if (row?.rule !== TOTALS_RULE) continue
    const draft = draftOf(row, await linesOf(db, brand_id, id))
    if (draft.receipt.parent_id !== undefined) continue
    found.set(id, JSON.stringify(calculationOf(billOf(draft))))
  }
  return found
}

function serveLabels(app: FastifyInstance, { command }: { command: AddCommand }): void {
  command(app, {
    ...RECEIPT_ROUTE,
    method: 'PATCH',
    url: '/receipts/:id',
    permission: 'receipts:write',
    events: ['receipt.updated', 'receipt.cancelled', 'stop_list.changed', ...CLOSE_EVENTS],
    params: Type.Object({ id: PathId() }),
    body: ReceiptPatch,
    described: {
      operationId: 'changeReceipt',
      summary: 'Change labels of a receipt',
      description:
        'Moves order_status forward, sets order_number and fiscal_id, locks and unlocks. CANCELLED cancels the receipt of an order ' +
        'of one’s own; COMPLETED closes one of which nothing remains to be paid. With If-Match only if the receipt still has that version.',
      tag: 'Receipts',
      answers: Receipt,
      refusals: [400, 403, 404, 409, 412, 422],
    },
    message: 'Receipt changed.',
    ids: idsToLabel,
    async run(context, { params, body: { id, cid, ...labels }, ifMatch }) {
      if (Object.keys(labels).length === 0)
        refuse([{ field: 'body', rule: 'required', message: 'Give order_status, order_number, fiscal_id or lock.' }])
      return receiptAnswer(await labelReceipt(context, params.id, labels, { id, cid }, ifMatch))
    },
  })
}
