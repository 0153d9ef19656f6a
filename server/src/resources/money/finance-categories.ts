import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Resource } from '../../resource/resource.ts'
import { Id, Maybe, Name, Status, Timestamps } from '../../resource/values.ts'
import { advance, idCounter, keepIds } from '../../resource/write/counters.ts'
import { depthsOf, faultIn } from '../../resource/write/tree.ts'
import type { WriteContext } from '../../resource/write/write.ts'

const SYSTEM_TYPES = [
  'SALE',
  'REFUND',
  'SUPPLY',
  'CASH_IN',
  'CASH_OUT',
  'CASH_DIFFERENCE',
  'TOP_UP',
  'CASHBACK',
  'OPENING',
  'PAYOUT',
  'TIP',
  'TIP_PAYOUT',
] as const
export type SystemType = (typeof SYSTEM_TYPES)[number]

export const FinanceCategory = Type.Object(
  {
    id: Id(),
    name: Name(),
    type: Type.Enum(['INCOME', 'EXPENSE']),
    system_type: Maybe(Type.Enum(SYSTEM_TYPES, { description: 'What the server books under it' })),
    parent_id: Maybe(Id()),
    status: Status(),
    ...Timestamps(),
  },
  { $id: 'FinanceCategory' },
)
export type FinanceCategory = Static<typeof FinanceCategory>

export const financeCategories: Resource<FinanceCategory> = defineResource({
  name: { one: 'finance-category', many: 'finance-categories' },
  path: 'finance/categories',
  tag: 'Finance',
  about: 'What money comes in and goes out for.',
  wire: FinanceCategory,
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    type: 'key',
    system_type: 'key',
    parent_id: 'integer',
    status: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  stamped: ['created_at', 'updated_at'],
  laterReferences: ({ parent_id }) => [{ member: 'parent_id', table: 'finance_categories', id: parent_id }],
  list: {},
  api: { list: {}, get: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'type', 'parent_id', 'status'],
    onlyNew: ['type'], // what was booked under it came in or went out
    pointers: { parent_id: 'finance-categories' },
    async apply(_context, category) {
      if (category.system_type && category.status === 0)
        throw new RowProblem('status must be active: the service books under this category', category)
      return category
    },
  },
  checkAfterImport: async (context) => faultIn(await depthsOf(context, 'finance_categories'), 'finance category'),
})

const NAMES: Readonly<Record<SystemType, { name: string; type: FinanceCategory['type'] }>> = {
  SALE: { name: 'Sales', type: 'INCOME' },
  REFUND: { name: 'Refunds', type: 'EXPENSE' },
  SUPPLY: { name: 'Supplies', type: 'EXPENSE' },
  CASH_IN: { name: 'Cash in', type: 'INCOME' },
  CASH_OUT: { name: 'Cash out', type: 'EXPENSE' },
  CASH_DIFFERENCE: { name: 'Cash differences', type: 'EXPENSE' },
  TOP_UP: { name: 'Customers’ top-ups', type: 'INCOME' },
  CASHBACK: { name: 'Cashback', type: 'EXPENSE' },
  OPENING: { name: 'Opening balances', type: 'INCOME' },
  PAYOUT: { name: 'Payouts', type: 'EXPENSE' },
  TIP: { name: 'Tips', type: 'INCOME' },
  TIP_PAYOUT: { name: 'Tips paid out', type: 'EXPENSE' },
}

/** The category that the server books under; a brand without one gets it with the first booking. */
export async function systemCategory(context: WriteContext, system_type: SystemType): Promise<number> {
  const { tx, brand_id } = context
  const find = () =>
    tx.rows<{ id: number }>(
      'select id from finance_categories where brand_id = ? and system_type = ? order by status desc, id limit 1',
      [brand_id, system_type],
    )
  const [found] = await find()
  if (found) return found.id
  await keepIds(tx, brand_id, financeCategories)
  const [meanwhile] = await find() // the counters are locked now: another one may have made it before
  if (meanwhile) return meanwhile.id
  const counter = idCounter(financeCategories.kind)
  const { [counter]: id } = await advance(tx, brand_id, { [counter]: 1 })
  await financeCategories.insert(context, [{ id: id!, ...NAMES[system_type], system_type, status: 1 }])
  return id!
}
