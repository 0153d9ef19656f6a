import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { DateTime, Decimal, DiscountType, Id, Maybe, Timestamps } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'
import type { RowChange, RowEvent } from '../../resource/write/row-events.ts'
import { ORDER_STATES } from '../../values/states.ts'
import { withoutSeparators } from '../../values/values.ts'
import { erasedAmong } from '../people/customer-lines.ts'
import { orderHasContact, orderWithoutContact } from './contact.ts'
import { receipts } from './receipts.ts'
import { takeImportedOrders } from './sale-uuids.ts'

/** S1 */
export const Order = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    status: Type.Enum([...ORDER_STATES], {
      description:
        'PENDING until staff decide, RECEIVED once accepted, IGNORE once refused, cancelled or expired, DELIVERED',
    }),
    order_number: Maybe(Type.String()),
    integration_uuid: Maybe(Type.String({ description: 'The caller’s own key' })),
    sale_type_id: Id(),
    customer: Maybe(
      Type.Object({
        id: Maybe(Type.String()),
        name: Maybe(Type.String()),
        phone: Maybe(Type.String()),
        address: Maybe(Type.String()),
      }),
    ),
    products: Type.Array(
      Type.Object({
        product_id: Id(),
        product_name: Type.String(),
        count: Decimal(),
        price: Decimal(),
        open_price: Maybe(Type.Boolean({ description: 'The price was named by the order (T24)' })),
        portion_size: Decimal(),
        note: Maybe(Type.String()),
        seat: Maybe(Type.Integer({ minimum: 1 })),
        course: Maybe(Type.Integer({ minimum: 1 })),
        allergy: Maybe(Type.Boolean({ description: 'The note warns of an allergy' })),
        modifiers: Type.Array(
          Type.Object({ modifier_id: Id(), modifier_name: Type.String(), count: Type.Integer(), price: Decimal() }),
        ),
      }),
    ),
    comment: Maybe(Type.String()),
    guests: Maybe(Type.Integer()),
    table_id: Maybe(Id()),
    discount: Maybe(Type.Object({ discount_type: DiscountType(), discount_value: Decimal() })),
    service_charge: Maybe(
      Type.Object({ enabled: Type.Boolean(), value: Maybe(Type.Number({ description: 'A percent' })) }),
    ),
    delivery_fee: Maybe(Decimal()),
    payments: Maybe(Type.Array(Type.Object({ id: Id(), amount: Decimal(), tip: Maybe(Decimal()) }))),
    scheduled_at: Maybe(DateTime()),
    expires_at: Maybe(DateTime()),
    subtotal: Decimal(),
    total: Decimal(),
    price_differs: Type.Boolean({
      description: 'A price that was sent is not ours, or the order is cheaper than ours otherwise (P13)',
    }),
    reason: Maybe(Type.String({ description: 'Why it was ignored: what staff said, cancelled, or expired' })),
    receipt_id: Maybe(Id()),
    integrator: Type.String({ description: 'The name of who placed it' }),
    ...Timestamps(),
  },
  { $id: 'Order' },
)
export type Order = Static<typeof Order>

/** As our own exports have it: with what is kept until the order is accepted. */
export const OrderRow = Type.Object({
  ...Order.properties,
  cid: Type.String({ format: 'uuid', description: 'The cid of the receipt that it becomes' }),
  customer_id: Maybe(Type.String()),
  integrator_id: Maybe(Type.String()),
  content: Maybe(Type.String({ description: 'Hash of what was sent under its uuid' })),
  send_at: Maybe(Type.String({ format: 'date-time', description: 'When its lines go to the stations' })),
  kept: Maybe(Type.Record(Type.String(), Type.Unknown())),
})
export type OrderRow = Static<typeof OrderRow>

export const orders = defineResource({
  name: { one: 'order', many: 'orders' },
  tag: 'Orders',
  about: 'What was ordered at the active venue, newest first.',
  wire: Order,
  line: OrderRow,
  included: { receipt: { schema: receipts.wire, table: 'receipts', foreignKey: 'receipt_id' } },
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    status: 'key',
    order_number: 'key',
    integration_uuid: 'key',
    sale_type_id: 'integer',
    customer_id: 'key',
    table_id: 'integer',
    receipt_id: 'integer',
    scheduled_at: 'instant',
    expires_at: 'instant',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: {
    integrator_id: ({ integrator_id = null }) => integrator_id,
    cid: ({ cid }) => cid.toLowerCase(),
    content: ({ content = null }) => content,
    send_at: ({ send_at = null }) => send_at,
    kept: ({ kept }) => (kept ? JSON.stringify(kept) : null),
    phone_key: ({ customer }) => (customer?.phone && withoutSeparators(customer.phone)) || null,
    contact: (order) => Number(orderHasContact(order)),
  },
  stamped: ['created_at', 'updated_at'],
  references: {
    venue_id: 'venues',
    sale_type_id: 'sale-types',
    customer_id: 'customers',
    table_id: 'tables',
    receipt_id: 'receipts',
  },
  list: {
    parameters: { status: { description: 'Only orders with this status.' } },
    sortable: ['id', 'created_at', 'updated_at'],
    embedded: ['customer', 'receipt:id'],
    date: 'created_at',
    newestFirst: true,
    heavy: true, // all its lines are in its body
    shown: { columns: ['id', 'order_number', 'status', 'total', 'integrator', 'receipt_id', 'created_at'] },
  },
  api: { list: {}, get: {}, actions: ['write'] },
  events: { types: ['order.created', 'order.received', 'order.ignored', 'order.delivered'], eventsOf: orderEvents },
  async complete({ tx, brand_id }, lines) {
    await takeImportedOrders({ tx, brand_id }, lines)
    await raise(tx, brand_id, 'order_id', Math.max(...lines.map(({ id }) => id)))
    const erased = await erasedAmong(
      { tx, brand_id },
      lines.map(({ customer_id }) => customer_id),
    )
    return lines.map((line) => (erased.has(line.customer_id ?? '') ? orderWithoutContact(line) : line))
  },
  exportText: `substr(body, 1, length(body) - 1) || ',"cid":"' || cid || '"'
    || coalesce(',"customer_id":"' || customer_id || '"', '') || coalesce(',"integrator_id":"' || integrator_id || '"', '')
    || coalesce(',"content":"' || content || '"', '') || coalesce(',"send_at":"' || send_at || '"', '')
    || coalesce(',"kept":' || kept, '') || '}'`,
})

const HAPPENED = { RECEIVED: 'received', IGNORE: 'ignored', DELIVERED: 'delivered' } as const

/** An order publishes each state that it comes to; one that is accepted as it is placed publishes both. */
function orderEvents({ before, after }: RowChange<OrderRow>): RowEvent[] {
  if (!after) return [] // nothing deletes one
  const { id, status: to, reason, receipt_id } = after
  const events: RowEvent[] = before ? [] : [{ type: 'order.created', data: { id, status: { to: 'PENDING' } } }]
  const from = before?.status ?? 'PENDING'
  if (to === from || to === 'PENDING') return events
  const data = { id, status: { from, to }, ...(reason && { reason }), ...(receipt_id && { receipt_id }) }
  return [...events, { type: `order.${HAPPENED[to]}`, data }]
}
