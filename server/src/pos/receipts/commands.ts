import Type, { type Static } from 'typebox'
import { duplicateCid, receiptCancelled } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { DecimalOrText, DiscountType, Id, Maybe } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { isUsedUuid } from '../../resources/sales/sale-uuids.ts'
import { businessDay } from '../../values/business-day.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { CANCELLED, OPEN, ORDER_STEPS } from '../../values/states.ts'
import { paymentsOf, type Till } from '../closing/booking.ts'
import { saveOrClose } from '../closing/close.ts'
import { bookCancelled } from '../closing/undo.ts'
import { mustHave, refuseAbsent } from '../context.ts'
import { customerDiscount, menuItems, NO_DISCOUNT, refuseUnknown, saleTerms, venueRule } from '../menu.ts'
import { keepPortions } from '../stop-list/portions.ts'
import { TOTALS_RULE } from '../totals.ts'
import { MAX_LINES, refuse, refuseNothing } from './line.ts'
import { newLines } from './lines.ts'
import { faultsOfDiscount, isDiscounted, NewLine, repriced, requestHashOf } from './new-line.ts'
import { withOrderStatus } from './order-status.ts'
import { findByCid, lockReceipt, nextNumber, saveReceipt } from './store.ts'
import { cancelled, mustBeEditable, mustBeOpen, type WholeReceipt, withTotals } from './whole-receipt.ts'

// S2: a receipt is opened, changed as a whole, locked and cancelled.

export const NewReceipt = Type.Object(
  {
    cid: Type.String({ format: 'uuid' }),
    sale_type_id: Id(),
    terminal_id: Maybe(Id()),
    table_id: Maybe(Id()),
    guests: Maybe(Type.Integer({ minimum: 0 })),
    customer_id: Maybe(Id()),
    lines: Maybe(Type.Array(NewLine, { maxItems: MAX_LINES })),
  },
  { $id: 'NewReceipt', additionalProperties: false },
)
export type NewReceipt = Static<typeof NewReceipt>

/** What a sale that was ordered elsewhere brings that the till does not know (P18). */
export interface Ordered {
  readonly source: string
  readonly order_number?: string
  readonly delivery_fee?: number
}

/** Opens a receipt. The same cid with the same content is the same receipt. */
export async function openReceipt(
  context: CommandContext,
  input: NewReceipt,
  { source, order_number, delivery_fee = 0 }: Ordered = { source: 'POS' },
): Promise<WholeReceipt> {
  const { caller, now, ids } = context
  const cid = input.cid.toLowerCase()
  const requestHash = requestHashOf(input)
  const isUsed = await isUsedUuid(context.tx, caller.brand_id, cid)
  const existing = await findByCid(context, cid)
  if (existing) {
    if (existing.terms.content === requestHash && existing.receipt.venue_id === caller.venue_id) return existing
    throw duplicateCid('receipt')
  }
  if (isUsed) throw duplicateCid('receipt')
  const { lines = [], sale_type_id, terminal_id, table_id, guests, customer_id } = input
  await refuseUnknown(context, { terminal_id, table_id, customer_id })
  const terms = await saleTerms(context, sale_type_id)
  const discount = customer_id === undefined ? NO_DISCOUNT : await customerDiscount(context, customer_id)
  const { money_places, ...day } = await venueRule(context)
  const shift_date = businessDay(now, day)
  const empty: WholeReceipt = {
    receipt: {
      id: ids.take('receipt_id'),
      venue_id: caller.venue_id,
      cid,
      user_id: caller.user.id,
      ...definedOnly({ terminal_id }),
      source, // P18
      ...definedOnly({ customer_id }),
      sale_type_id,
      ...definedOnly({ guests }),
      status: OPEN,
      lock: false,
      payment_methods: [],
      ...discount,
      service_charge: terms.service_charge,
      delivery_fee,
      order_status: 'NEW',
      ...definedOnly({ order_number }),
      created_at: now,
      paid: 0,
      shift_date,
      ...definedOnly({ table_id }),
    },
    rule: TOTALS_RULE,
    terms: { money_places, ...definedOnly({ charge_tax: terms.charge_tax }), content: requestHash },
    lines: [],
  }
  const whole = withTotals({ ...empty, lines: await newLines(context, empty, lines) })
  await keepPortions(context, undefined, whole)
  const number = await nextNumber(context, shift_date) // P16: after everything that can be refused or waited for
  return saveReceipt(context, undefined, { ...whole, receipt: { ...whole.receipt, number } })
}

export const ReceiptChange = Type.Object(
  {
    customer_id: Maybe(Type.Integer({ minimum: 0, description: '0 takes the customer off' })),
    discount: Maybe(
      Type.Object(
        {
          discount_type: DiscountType(),
          discount_value: Maybe(DecimalOrText()),
        },
        { additionalProperties: false },
      ),
    ),
    guests: Maybe(Type.Integer({ minimum: 0 })),
    table_id: Maybe(Type.Integer({ minimum: 0, description: '0 takes the receipt off the table' })),
    user_id: Maybe(Type.Integer({ minimum: 1, description: 'The waiter who has it from now on' })),
    sale_type_id: Maybe(Id()),
    order_status: Maybe(Type.Enum(ORDER_STEPS.filter((step) => step !== 'CANCELLED'))),
  },
  { $id: 'ReceiptChange', additionalProperties: false },
)
export type ReceiptChange = Static<typeof ReceiptChange>

/** Changes what belongs to the whole receipt. */
export async function changeReceipt(
  context: CommandContext,
  id: number,
  change: ReceiptChange,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const { order_status, table_id, user_id, ...amounts } = change
  refuseNothing(change)
  if (change.discount && isDiscounted(change.discount)) mustHave(context, 'receipts:discount')
  const before = await lockReceipt(context, id, ifMatch)
  if (before.receipt.status === CANCELLED) throw receiptCancelled()
  let after = before
  if (table_id !== undefined || user_id !== undefined) {
    mustBeOpen(before) // T11: also while the bill is shown
    after = await withPlace(context, before, { table_id, user_id })
  }
  if (Object.keys(amounts).length > 0) {
    mustBeEditable(before)
    after = withTotals(await withChange(context, after, amounts))
  }
  if (order_status !== undefined) after = { ...after, receipt: withOrderStatus(after.receipt, order_status) }
  return saveOrClose(context, before, after)
}

/** T11: the table of a receipt, and its waiter. */
async function withPlace(
  context: CommandContext,
  whole: WholeReceipt,
  { table_id, user_id }: { table_id: number | undefined; user_id: number | undefined },
): Promise<WholeReceipt> {
  await refuseUnknown(context, { table_id: table_id || undefined })
  if (user_id !== undefined) await refuseAbsent(context, user_id)
  const receipt = table_id === undefined ? whole.receipt : withOrWithout(whole.receipt, 'table_id', table_id)
  return { ...whole, receipt: { ...receipt, ...definedOnly({ user_id }) } }
}

async function withChange(
  context: CommandContext,
  whole: WholeReceipt,
  change: Omit<ReceiptChange, 'table_id' | 'user_id'>,
): Promise<WholeReceipt> {
  const { customer_id, guests, discount, sale_type_id } = change
  await refuseUnknown(context, { customer_id: customer_id || undefined })
  let { receipt, terms, lines } = whole
  if (guests !== undefined) receipt = { ...receipt, guests }
  if (discount !== undefined) {
    const given = { discount_type: discount.discount_type, discount_value: discount.discount_value ?? 0 }
    refuse(faultsOfDiscount(given, terms.money_places, 'discount'))
    receipt = { ...receipt, ...given }
    terms = { ...terms, discount_given: true }
  }
  if (customer_id !== undefined) {
    if (customer_id !== (receipt.customer_id ?? 0)) await refusePaidByBalance(context, whole)
    receipt = withOrWithout(receipt, 'customer_id', customer_id)
    // P11 step 4: the group's discount is copied when the customer is set, unless one was given.
    if (!terms.discount_given)
      receipt = { ...receipt, ...(customer_id === 0 ? NO_DISCOUNT : await customerDiscount(context, customer_id)) }
  }
  if (sale_type_id !== undefined && sale_type_id !== receipt.sale_type_id) {
    const { service_charge, charge_tax } = await saleTerms(context, sale_type_id)
    const { charge_tax: _, ...kept } = terms
    receipt = { ...receipt, sale_type_id, service_charge }
    terms = { ...kept, ...definedOnly({ charge_tax }) }
    lines = await repricedLines(context, lines, sale_type_id)
  }
  return { ...whole, receipt, terms, lines }
}

/** What was paid from a customer's balance goes back to that customer. */
async function refusePaidByBalance(context: CommandContext, { receipt, terms }: WholeReceipt): Promise<void> {
  const payments = await paymentsOf(context, receipt.payment_methods ?? [], terms.payments)
  if (payments.some(({ method }) => method.kind === 'CUSTOMER' || method.kind === 'CASHBACK'))
    refuse([
      {
        field: 'customer_id',
        rule: 'paid',
        message: 'customer_id stays: a part was paid from this customer’s balance.',
      },
    ])
}

function withOrWithout(
  receipt: WholeReceipt['receipt'],
  member: 'customer_id' | 'table_id',
  id: number,
): WholeReceipt['receipt'] {
  const { [member]: _, ...rest } = receipt
  return id === 0 ? rest : { ...rest, [member]: id }
}

/** A new sale type prices and taxes the lines that were not sent again; a product that is gone keeps its price. */
export async function repricedLines(context: CommandContext, lines: WholeReceipt['lines'], sale_type_id: number) {
  const unsent = lines.filter(({ shown }) => shown.state === 'NEW')
  const items = await menuItems(
    context,
    unsent.map(({ shown }) => shown.product_id),
    sale_type_id,
    context.now,
  )
  return lines.map((line) => {
    const item = items.get(line.shown.product_id)
    return line.shown.state === 'NEW' && item ? repriced(line, item) : line
  })
}

/** Lock: the bill was shown. What changes it is refused until it is unlocked; cooking and paying go on. */
export async function setLock(
  context: CommandContext,
  id: number,
  lock: boolean,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  mustBeOpen(before)
  return saveReceipt(context, before, { ...before, receipt: { ...before.receipt, lock } })
}

/** Staff cancel an open receipt; what was sent goes back to stock or is waste. */
export async function cancelReceipt(
  context: CommandContext,
  id: number,
  { waste, ...till }: { waste: boolean } & Till,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  mustBeOpen(before)
  return bookCancelled(context, before, cancelled(before, { waste }, context.now), till)
}
