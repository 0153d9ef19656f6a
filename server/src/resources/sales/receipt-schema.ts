import Type, { type Static } from 'typebox'
import { DateTime, Decimal, DiscountType, Id, Maybe } from '../../resource/values.ts'
import { HOUSE_KINDS, LINE_STATES, PAYMENT_KINDS } from '../../values/states.ts'
import { CourseId } from '../places/courses.ts'

// What a receipt shows on request (P1): its details, and its lines.

/** P12: the amounts behind the percentages that were agreed, what was paid, and where the receipt belongs. */
export const ReceiptDetails = Type.Object(
  {
    total_discount: Maybe(Decimal()),
    service_charge_value: Maybe(Decimal()),
    i_tax: Maybe(Type.Number({ description: 'Taxes included in the prices' })),
    e_tax: Maybe(Type.Number({ description: 'Taxes added to the prices' })),
    total_tax: Maybe(Decimal()),
    taxes: Maybe(
      Type.Array(Type.Object({ id: Id(), name: Type.String(), rate: Decimal(), base: Decimal(), amount: Decimal() })),
    ),
    paid: Maybe(Decimal()),
    remaining: Maybe(Decimal()),
    tip: Maybe(Type.Number({ description: 'Tips, which are in no other amount; negative on a refund' })),
    number: Maybe(Type.Integer({ description: 'Counted by venue and business day' })),
    shift_date: Maybe(Type.String({ format: 'date', description: 'The business day' })),
    cash_shift_id: Maybe(Type.String({ format: 'uuid' })),
    order_id: Maybe(Id()),
    parent_id: Maybe(Type.Integer({ minimum: 1, description: 'The receipt that a refund belongs to' })),
    table_id: Maybe(Id()),
    merged_into: Maybe(Type.Integer({ minimum: 1, description: 'The receipt that took all its lines' })),
    address: Maybe(Type.String()),
    description: Maybe(Type.String()),
    version: Maybe(Type.Integer({ description: 'Raised by every change; the ETag' })),
  },
  { $id: 'ReceiptDetails' },
)
export type ReceiptDetails = Static<typeof ReceiptDetails>

export const ReceiptLine = Type.Object(
  {
    id: Id(),
    cid: Type.String(),
    product_id: Id(),
    name: Type.String(),
    station_id: Maybe(Id()),
    count: Decimal(),
    portion_size: Decimal(),
    price: Decimal(),
    subtotal: Decimal(),
    discount_type: DiscountType(),
    discount_value: Decimal(),
    total_discount: Type.Number({ description: 'The line’s own discount' }),
    receipt_discount: Type.Number({ description: 'Its share of the receipt’s discount' }),
    total: Decimal(),
    is_gift: Type.Boolean(),
    note: Maybe(Type.String()),
    allergy: Type.Boolean({ description: 'Its note warns of an allergy' }),
    seat: Maybe(Type.Integer({ minimum: 1, maximum: 99, description: 'Absent: for the whole table' })),
    course: Maybe(CourseId('The course that it is served with')),
    hold: Type.Boolean({ description: 'Its course waits to be fired' }),
    sent_at: Maybe(Type.String({ format: 'date-time', description: 'When it went to its station' })),
    user_id: Maybe(Type.Integer({ minimum: 1, description: 'The person who added it' })),
    state: Type.Enum([...LINE_STATES]),
    modifiers: Type.Array(
      Type.Object({ id: Id(), name: Type.String(), count: Type.Integer(), price: Decimal(), total: Decimal() }),
    ),
    taxes: Type.Array(Type.Object({ id: Id(), amount: Decimal() })),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { $id: 'ReceiptLine' },
)
export type ReceiptLine = Static<typeof ReceiptLine>

// What is kept beside: what a line copied when it was added, so that later changes of the menu do not touch it. Amounts, counts and
// rates are ×10,000 here.

const CopiedTax = Type.Object({ id: Id(), name: Type.String(), rate: Type.Integer(), included: Type.Boolean() })

const Scaled = () => Type.Integer()

/** What a line keeps besides what it shows. */
export const Copied = Type.Object({
  content: Type.String({ description: 'Hash of the request under its cid: the same request again adds nothing' }),
  priced_at: Maybe(
    Type.String({ format: 'date-time', description: 'The instant of its price, where it was another one' }),
  ),
  timer: Maybe(
    Type.Object({ interval: Type.Integer(), prices: Type.Array(Type.Object({ price: Scaled(), from: Scaled() })) }),
  ),
  taxes: Type.Array(CopiedTax),
  recipe: Type.Array(
    Type.Object({
      product_id: Id(),
      gross: Scaled(),
      modificator_id: Maybe(Id()),
      once: Maybe(Type.Boolean({ description: 'Taken once, whatever the count' })),
    }),
  ),
  sold_by_weight: Type.Boolean(),
  discountable: Type.Boolean(),
  giftable: Type.Boolean(),
  ignore_service_charge: Type.Boolean(),
  ticket_id: Maybe(Id()),
  menu_price: Maybe(
    Type.Integer({ description: 'What a portion with its choices costs by the menu, where it was sold below that' }),
  ),
  open_price: Maybe(Type.Boolean({ description: 'Its price was named with it (T24)' })),
  waste: Maybe(
    Type.Boolean({ description: 'On a void or refunded line: what was made is lost, and does not go back to stock' }),
  ),
  refunds: Maybe(Type.Integer({ minimum: 1, description: 'On a refund: the line that was sold' })),
})
export type Copied = Static<typeof Copied>

/** I14: what was booked of a payment, whatever becomes of its method. */
const BookedPayment = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'The payment method’s' }),
  kind: Type.Enum([...PAYMENT_KINDS]),
  balance_id: Id(),
  amount: Type.Integer({ description: 'Negative where it was paid back' }),
})
export type BookedPayment = Static<typeof BookedPayment>

/** I17: a tip as it was booked, on the account of its method and on that of the person who gets it. */
const BookedTip = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'The payment method’s' }),
  name: Type.String(),
  kind: Type.Enum([...HOUSE_KINDS]),
  balance_id: Id(),
  staff_balance_id: Id(),
  amount: Type.Integer({ description: 'Negative where it was given back' }),
  at: DateTime(),
  cash_shift_id: Maybe(Type.String({ format: 'uuid' })),
})
export type BookedTip = Static<typeof BookedTip>

/** Terms under which the total of a receipt is made. */
export const Terms = Type.Object({
  money_places: Type.Integer(),
  charge_tax: Maybe(CopiedTax),
  discount_given: Maybe(Type.Boolean({ description: 'Otherwise the discount is that of the customer’s group' })),
  content: Maybe(
    Type.String({ description: 'Hash of what it was opened with: opening the same again gives this receipt' }),
  ),
  integrator_id: Maybe(Type.String({ description: 'The integrator that placed its order' })),
  gone: Maybe(
    Type.Array(Type.Object({ cid: Type.String(), content: Type.String() }), {
      description: 'Lines that moved to another receipt: asked for again, they are not added again',
    }),
  ),
  fired: Maybe(
    Type.Integer({ description: 'The last course that was fired, where lines of it moved to another receipt' }),
  ),
  cashback: Maybe(
    Type.Object(
      { base: Scaled(), earned: Scaled() },
      { description: 'What the customer earned, and on which amount; negative where a refund takes it back' },
    ),
  ),
  payments: Maybe(Type.Array(BookedPayment)),
  tips: Maybe(Type.Array(BookedTip)),
  change: Maybe(Type.Integer({ description: 'What the guest got back of their cash, for the paper' })),
  accepted_for: Maybe(
    Type.Integer({
      minimum: 1,
      description: 'Its order was accepted automatically, for this user: tips go to the pool',
    }),
  ),
  taxes_included: Maybe(
    Type.Array(Type.Boolean(), { description: 'For each tax that the receipt shows: whether prices held it' }),
  ),
  cancelled_total: Maybe(Type.Integer({ description: 'On a cancelled receipt: the total before' })),
  given_back: Maybe(
    Type.Object(
      { counts: Type.Array(Type.Object({ id: Id(), count: Scaled() })), delivery_fee: Type.Boolean() },
      { description: 'On a refund: what earlier refunds of the receipt had given back, by line' },
    ),
  ),
})
export type Terms = Static<typeof Terms>

/** What a line of an open receipt reserves of the stock. */
export const Reserved = Type.Object({ product_id: Id(), modificator_id: Maybe(Id()), quantity: Scaled() })
export type Reserved = Static<typeof Reserved>

/** A line in an import. One of our own exports has all of it; of other history it is what people want to see. */
export const ImportedLine = Type.Object({
  ...ReceiptLine.properties,
  cid: Maybe(Type.String()),
  portion_size: Maybe(Decimal()),
  subtotal: Maybe(Decimal()),
  discount_type: Maybe(ReceiptLine.properties.discount_type),
  discount_value: Maybe(Decimal()),
  total_discount: Maybe(Decimal()),
  receipt_discount: Maybe(Decimal()),
  is_gift: Maybe(Type.Boolean()),
  allergy: Maybe(Type.Boolean()),
  hold: Maybe(Type.Boolean()),
  state: Maybe(ReceiptLine.properties.state),
  modifiers: Maybe(ReceiptLine.properties.modifiers),
  taxes: Maybe(ReceiptLine.properties.taxes),
  created_at: Maybe(DateTime()),
  updated_at: Maybe(DateTime()),
  copied: Maybe(Copied),
  reserved: Maybe(Type.Array(Reserved)),
})
export type ImportedLine = Static<typeof ImportedLine>

/** A ticket of a receipt in our own exports: what its lines do not say of it. */
export const TicketTimes = Type.Object({ id: Id(), created_at: DateTime(), updated_at: DateTime() })
export type TicketTimes = Static<typeof TicketTimes>
