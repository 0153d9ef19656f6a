import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { DateTime, Decimal, Id, Maybe } from './values.ts'

/** §2.5 */
export const Receipt = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    cid: Maybe(Type.String()),
    user_id: Maybe(Id()),
    terminal_id: Maybe(Id()),
    source: Maybe(Type.String()),
    customer_id: Maybe(Id()),
    sale_type_id: Maybe(Id()),
    guests: Maybe(Type.Integer()),
    status: Maybe(Type.Enum([1, 2, 3], { description: '1 open, 2 closed, 3 cancelled' })), // D3.5
    lock: Maybe(Type.Boolean()),
    total: Maybe(Decimal()),
    subtotal: Maybe(Decimal()),
    payment_methods: Maybe(
      Type.Array(Type.Object({ id: Maybe(Id()), name: Maybe(Type.String()), amount: Maybe(Decimal()) })),
    ),
    fiscal_id: Maybe(Type.String()),
    discount_type: Maybe(Type.Enum([0, 1, 2], { description: '0 none, 1 percent, 2 amount' })), // D3.5
    discount_value: Maybe(
      Type.Number({ description: 'The percent for discount_type 1 (10 means 10 %), the amount for 2' }),
    ),
    service_charge: Maybe(Type.Number({ description: 'A percent' })),
    delivery_fee: Maybe(Decimal()),
    order_status: Maybe(
      Type.Enum(['NEW', 'SCHEDULED', 'IN_PROGRESS', 'READY', 'PICKED_UP', 'COMPLETED', 'CANCELLED']), // D3.5
    ),
    order_number: Maybe(Type.String()),
    created_at: Maybe(DateTime()),
    updated_at: Maybe(DateTime()),
    closed_at: Maybe(DateTime()),
    deleted_at: Maybe(DateTime()),
  },
  { $id: 'Receipt' },
)
export type Receipt = Static<typeof Receipt>

export const receipts = defineResource({
  name: { one: 'receipt', many: 'receipts' },
  tag: 'Receipts',
  about: 'Sales, by venue.',
  wire: Receipt,
  scope: 'venue',
  // A customer's id is an integer on the receipt (§2.5), a string on the customer (§2.2).
  columns: { id: 'integer', venue_id: 'integer', user_id: 'integer', customer_id: 'key', created_at: 'instant' },
  stamped: ['created_at', 'updated_at'],
  references: { venue_id: 'venues', user_id: 'users', customer_id: 'customers' },
  list: { maxLimit: 100, sortable: ['id', 'created_at'], date: 'created_at' },
  api: { get: { message: 'Receipt found.' } },
})
