import type { CommandContext } from '../../resource/write/commands.ts'
import { book } from '../money/book.ts'

/** S6: what is bought raises what is owed to the supplier and what was spent there; `amount` is ×10,000, below 0 what goes back. */
export async function billSupplier(
  context: CommandContext,
  { id, amount, operation_id }: { id: number; operation_id: number; amount: number },
): Promise<void> {
  const { tx, caller } = context
  const [balance] = await tx.rows<{ id: number }>(
    'select id from balances where brand_id = ? and supplier_id = ? order by id limit 1',
    [caller.brand_id, id],
  )
  await book(context, [{ balance_id: balance!.id, category: 'SUPPLY', amount, supplier_id: id, operation_id }])
}
