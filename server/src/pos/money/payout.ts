import Type, { type Static } from 'typebox'
import { fieldProblem, validationFailed } from '../../http/errors.ts'
import { DecimalOrText, Id, Trimmed } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { book } from './book.ts'
import { readAmount } from './drawer.ts'

const LARGEST = 1e11

export const Payout = Type.Object(
  {
    balance_id: Id(),
    amount: DecimalOrText(),
    note: Trimmed({
      minLength: 1,
      maxLength: 500,
      'x-undirected': true,
      description: 'What it was for, as: to the bank',
    }),
  },
  { $id: 'Payout', additionalProperties: false },
)
export type Payout = Static<typeof Payout>

/** Takes money of the house out of an account, to the bank or elsewhere. Answers the transaction's text. */
export async function payOut(context: CommandContext, { balance_id, amount, note }: Payout): Promise<string> {
  const scaled = await readAmount(context, 'amount', amount, 1, LARGEST)
  await refuseOthers(context, balance_id)
  await book(context, [{ balance_id, category: 'PAYOUT', amount: -scaled, notBelowZero: true, description: note }])
  const { tx, caller } = context
  const [text] = await tx.texts(
    'select body from transactions where brand_id = ? and balance_id = ? order by step desc limit 1',
    [caller.brand_id, balance_id],
  )
  return text!
}

/** Refuses accounts of other venues, of people, and drawers: where the venue keeps shifts, cash is taken out of the shift. */
async function refuseOthers({ tx, caller }: CommandContext, balance_id: number): Promise<void> {
  const { brand_id, venue_id } = caller
  const wrong = (rule: string, must: string) =>
    validationFailed([fieldProblem('balance_id', rule, `${balance_id} ${must}`)])
  const [balance] = await tx.rows<{ type: string }>(
    'select type from balances where brand_id = ? and id = ? and (venue_id is null or venue_id = ?)',
    [brand_id, balance_id, venue_id],
  )
  if (!balance) throw wrong('exists', 'does not exist here')
  if (balance.type === 'CARD' || balance.type === 'OTHER') return
  if (balance.type !== 'CASH') throw wrong('type', `is of type ${balance.type}, and not the house’s own money`)
  const settings = await tx.text('select settings from venues where brand_id = ? and id = ?', [brand_id, venue_id])
  if ((JSON.parse(settings!) as { cash_shift: number }).cash_shift === 1)
    throw wrong('cash_shift', 'is a drawer: take the cash out of its shift')
}
