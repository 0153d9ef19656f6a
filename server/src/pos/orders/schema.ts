import Type, { type Static } from 'typebox'
import { DecimalOrText, DiscountType, Id, Maybe, Note, Trimmed } from '../../resource/values.ts'
import { NewLine } from '../receipts/new-line.ts'

const { cid: _cid, discount_type: _type, discount_value: _value, is_gift: _gift, ...OfGuests } = NewLine.properties

/** The body of POST /orders. */
export const NewOrder = Type.Object(
  {
    venue_id: Maybe(
      Type.Integer({ minimum: 1, description: 'The active venue where absent; another counts as x-venue' }),
    ),
    sale_type_id: Id(),
    customer: Maybe(
      Type.Object({
        id: Maybe(DecimalOrText({ 'x-blank': true, description: 'Absent, 0 or an empty text: a guest' })),
        name: Maybe(Trimmed({ maxLength: 255, 'x-name': true })),
        phone: Maybe(Trimmed({ maxLength: 64 })),
        address: Maybe(Note(500)),
        customer_discount_type: Maybe(DiscountType('0: without the discount of the customer’s group')),
      }),
    ),
    products: Type.Array(
      Type.Object({ ...OfGuests, status: Maybe(Type.Unknown({ description: 'Ignored: existing clients send it' })) }),
      { description: '1 to 200' },
    ),
    order_number: Maybe(Trimmed({ maxLength: 20, 'x-undirected': true, description: 'A label for people' })),
    integration_uuid: Maybe(
      Trimmed({ format: 'uuid', description: 'The caller’s own key, unique for ever; the cid of the receipt' }),
    ),
    discount: Maybe(
      Type.Object({
        discount_type: DiscountType(),
        discount_value: Maybe(DecimalOrText()),
      }),
    ),
    service_charge: Maybe(
      Type.Object({ enabled: Type.Boolean(), value: Maybe(DecimalOrText({ description: 'A percent' })) }),
    ),
    delivery_fee: Maybe(DecimalOrText({ 'x-blank': true })),
    comment: Maybe(Note(2000)),
    scheduled_at: Maybe(Trimmed({ format: 'date-time', description: 'In the future' })),
    guests: Maybe(Type.Integer({ minimum: 0 })),
    table_id: Maybe(Id()),
    payments: Maybe(
      Type.Array(Type.Object({ id: Id(), amount: DecimalOrText(), tip: Maybe(DecimalOrText()) }), {
        description: 'Paid online; booked when the order is accepted',
      }),
    ),
    auto_order_accept: Maybe(Type.Boolean()),
    auto_order_sent_to_station: Maybe(Type.Boolean()),
    // Existing clients send these; they are kept.
    status: Maybe(Type.String({ maxLength: 64 })),
    auto_accept_terminal: Maybe(Type.Unknown()),
    product_hash: Maybe(Type.String({ maxLength: 255 })),
  },
  { $id: 'NewOrder', additionalProperties: false },
)
export type NewOrder = Static<typeof NewOrder>
