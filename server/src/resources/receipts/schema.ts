import Type, { type Static } from 'typebox'
import { DateTime, Decimal, Id, Maybe } from '../values.ts'

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
    status: Maybe(Type.Integer({ description: '1 open, 2 closed' })), // D3.5
    lock: Maybe(Type.Boolean()),
    total: Maybe(Decimal()),
    subtotal: Maybe(Decimal()),
    payment_methods: Maybe(
      Type.Array(Type.Object({ id: Maybe(Id()), name: Maybe(Type.String()), amount: Maybe(Decimal()) })),
    ),
    fiscal_id: Maybe(Type.String()),
    discount_type: Maybe(Type.Integer({ description: '0 none, 1 percent, 2 amount' })), // D3.5
    discount_value: Maybe(Decimal()),
    service_charge: Maybe(Decimal()),
    delivery_fee: Maybe(Decimal()),
    order_status: Maybe(
      Type.String({ description: 'NEW, SCHEDULED, IN_PROGRESS, READY, PICKED_UP, COMPLETED or CANCELLED' }), // D3.5
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
