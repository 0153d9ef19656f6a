import Type, { type Static } from 'typebox'
import { customerErased, fieldProblem, noSuchRecord, validationFailed } from '../../http/errors.ts'
import { rowText } from '../../resource/read/page.ts'
import { DecimalOrText, Id, Maybe } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { customers } from '../../resources/people/customers.ts'
import { isActiveAt, type VenueStatus } from '../../resources/places/per-venue.ts'
import type { PaymentKind } from '../../values/states.ts'
import { balanceFor, customerBalance, isMethodUsed, useMethods } from './accounts.ts'
import { book } from './book.ts'
import { readAmount } from './drawer.ts'
import { cashShiftFor, moveShift } from './shifts.ts'

export const TopUp = Type.Object(
  { amount: DecimalOrText(), payment_method_id: Id(), cash_shift_id: Maybe(Type.String({ format: 'uuid' })) },
  { $id: 'TopUp', additionalProperties: false },
)
export type TopUp = Static<typeof TopUp>

/** S7: a customer pays to their balance; what they pay with has it too. Answers the customer's text. */
export async function topUp(context: CommandContext, customer_id: string, input: TopUp): Promise<string> {
  const { tx, caller } = context
  const amount = await readAmount(context, 'amount', input.amount, 1)
  const read = () =>
    tx.text(
      `select ${rowText(customers, new Set())} from customers where brand_id = ? and id = ? and deleted_at is null`,
      [caller.brand_id, customer_id],
    )
  await mustExist(context, customer_id)
  const method = await houseMethod(context, input.payment_method_id)
  const shift = method.kind === 'CASH' ? await cashShiftFor(context, { cash_shift_id: input.cash_shift_id }) : undefined
  const booked = { category: 'TOP_UP', amount, customer_id, ...(shift && { cash_shift_id: shift.id }) } as const
  await useMethods(context, [method])
  await book(context, [
    { ...booked, balance_id: await customerBalance(context, customer_id, 'CUSTOMER') },
    { ...booked, balance_id: await balanceFor(context, method, undefined) },
  ])
  if (shift) await moveShift(context, shift, { cash: amount, receipts: 0 }, { unpublished: false })
  return (await read())!
}

async function mustExist({ tx, brand_id }: CommandContext, id: string): Promise<void> {
  const [customer] = await tx.rows<{ erased_at: string | null }>(
    'select erased_at from customers where brand_id = ? and id = ? and deleted_at is null',
    [brand_id, id],
  )
  if (!customer) throw noSuchRecord()
  if (customer.erased_at !== null) throw customerErased()
}

/** One that is active here and is no balance itself. */
async function houseMethod({ tx, caller }: CommandContext, id: number) {
  const [row] = await tx.rows<{ body: string; used: number }>(
    `select body, ${isMethodUsed} as used from payment_methods where brand_id = ? and id = ?`,
    [caller.brand_id, id],
  )
  const method = row && (JSON.parse(row.body) as { kind: PaymentKind; status: VenueStatus })
  const wrong = (must: string) => validationFailed([fieldProblem('payment_method_id', 'exists', `${id} ${must}`)])
  if (!method) throw wrong('does not exist here')
  if (!isActiveAt(method.status, caller.venue_id)) throw wrong('is not active at this venue')
  if (method.kind === 'CUSTOMER' || method.kind === 'CASHBACK') throw wrong('is a balance itself')
  return { id, kind: method.kind, isUsed: row!.used === 1 }
}
