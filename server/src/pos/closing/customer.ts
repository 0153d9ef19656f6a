import type { CommandContext } from '../../resource/write/commands.ts'
import type { CustomerGroup } from '../../resources/people/customer-groups.ts'
import { changeCustomer } from '../../resources/people/customers.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled, sumToScaled, toScaled } from '../../values/values.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'

/** I6: adds a closed receipt to what its customer bought; a refund has negative amounts and is no purchase. S7: the group may change. */
export async function countForCustomer(context: CommandContext, { receipt }: WholeReceipt): Promise<void> {
  const { customer_id, total = 0, total_discount = 0, parent_id } = receipt
  if (customer_id === undefined) return
  const { tx, brand_id } = context
  const bodies = await tx.texts('select body from customer_groups where brand_id = ?', [brand_id])
  const groups = bodies.map((body) => JSON.parse(body) as CustomerGroup)
  await changeCustomer(context, String(customer_id), (customer) => {
    const spent = sum(customer.spent, total)
    const group_id = groupReached(groups, customer.group_id, spent)
    return {
      ...customer,
      ...definedOnly({ group_id }),
      spent,
      receipt_count: (customer.receipt_count ?? 0) + (parent_id === undefined ? 1 : 0),
      total_discount: sum(customer.total_discount, total_discount),
    }
  })
}

const sum = (one: number | undefined, other: number) => fromScaled(sumToScaled(one ?? 0)! + toScaled(other)!)

/**
 * S7: the highest custom group whose total_amount is reached, never one below the present. Employees stay employees, and whom staff put
 * into a group that no sum reaches stays there: neither is a step of the ladder.
 */
export function groupReached(
  groups: readonly Pick<CustomerGroup, 'id' | 'system_type' | 'total_amount' | 'deleted_at'>[],
  present: number | undefined,
  spent: number,
): number | undefined {
  const own = groups.find(({ id }) => id === present)
  if (own?.system_type === 'employee') return present
  if (own?.system_type === 'custom' && own.total_amount === null) return present // staff put them there
  const least = own?.system_type === 'custom' ? (own.total_amount ?? 0) : 0
  const [highest] = groups
    .filter(({ system_type, total_amount, deleted_at }) => {
      const isStep = system_type === 'custom' && !deleted_at && total_amount !== null
      return isStep && total_amount > least && total_amount <= spent
    })
    .sort((one, other) => other.total_amount! - one.total_amount! || one.id - other.id)
  return highest?.id ?? present
}
