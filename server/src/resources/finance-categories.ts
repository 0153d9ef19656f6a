import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { circleIn, depthsOf } from './tree.ts'
import { Id, Maybe, Name, Status, Timestamps } from './values.ts'

export const FinanceCategory = Type.Object(
  {
    id: Id(),
    name: Name(),
    type: Type.Enum(['INCOME', 'EXPENSE']),
    system_type: Maybe(
      Type.Enum(
        ['SALE', 'REFUND', 'SUPPLY', 'CASH_IN', 'CASH_OUT', 'CASH_DIFFERENCE', 'TOP_UP', 'CASHBACK', 'OPENING'],
        { description: 'What the server books under it' },
      ),
    ),
    parent_id: Maybe(Id()),
    status: Status(),
    ...Timestamps(),
  },
  { $id: 'FinanceCategory' },
)
export type FinanceCategory = Static<typeof FinanceCategory>

export const financeCategories = defineResource({
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
  checkAfterImport: async (context) => circleIn(await depthsOf(context, 'finance_categories'), 'finance category'),
})
