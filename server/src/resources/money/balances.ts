import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { DateTime, decimalText, Id, Maybe, Name, Sum, Timestamps } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'
import { BALANCE_TYPES, HOUSE_KINDS } from '../../values/states.ts'
import { keepBalances, settleBalances } from './balance-rows.ts'

export const FinanceBalance = Type.Object(
  {
    id: Id(),
    venue_id: Maybe(Id()),
    name: Name(),
    type: Type.Enum([...BALANCE_TYPES]),
    amount: Sum(),
    customer_id: Maybe(Type.String()),
    supplier_id: Maybe(Id()),
    user_id: Maybe(Type.Integer({ minimum: 1, description: 'The person whose tips these are' })),
    position: Type.Integer(),
    ...Timestamps(),
  },
  { $id: 'FinanceBalance' },
)
export type FinanceBalance = Static<typeof FinanceBalance>

/** An account as a line of an import. Balances of people and suppliers come with their owners' lines. */
export const BalanceLine = Type.Object({
  id: Id(),
  venue_id: Maybe(Id()),
  name: Name(),
  type: Type.Enum([...HOUSE_KINDS, 'STAFF'] as const),
  user_id: Maybe(Id()),
  amount: Maybe(Sum()),
  position: Type.Integer(),
  created_at: Maybe(DateTime()),
  updated_at: Maybe(DateTime()),
})
export type BalanceLine = Static<typeof BalanceLine>

/** As the index balances_accounts has it. */
const HOUSE = `type in ('CASH', 'CARD', 'OTHER', 'SUPPLIER')`

export const balances = defineResource({
  name: { one: 'balance', many: 'balances' },
  path: 'finance/balances',
  tag: 'Finance',
  about: 'Where money is: those of every venue that the staff user may enter, and those of none.',
  wire: FinanceBalance,
  line: BalanceLine,
  row: FinanceBalance,
  // Amounts change with every sale: in the stored body the amount is 0, and updated_at, its last member, takes 26 characters.
  text: `replace(substr(balances.body, 1, length(balances.body) - 26), '"amount":0,',
    '"amount":' || ${decimalText('balances.amount')} || ',') || balances.updated_at || '"}'`,
  scope: 'shared',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    name: 'text',
    type: 'key',
    amount: 'decimal',
    customer_id: 'key',
    supplier_id: 'integer',
    user_id: 'integer',
    position: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  references: { venue_id: 'venues', user_id: 'users' },
  list: {
    parameters: {
      type: { description: 'The same as a filter on type. Balances of customers come only where it asks' },
    },
    unlessFiltered: { type: HOUSE },
    shown: { columns: ['name', 'type', 'amount', 'customer_id', 'supplier_id', 'venue_id', 'updated_at'] },
  },
  api: { list: {}, get: {} },
  events: { types: ['customer.balance_changed'] }, // the customer, supplier or receipt publishes for it (E2)
  async complete({ tx, brand_id }, lines) {
    await raise(tx, brand_id, 'balance_id', Math.max(...lines.map(({ id }) => id)))
    return [...lines]
  },
  async write(context, rows) {
    await keepBalances(context, rows)
    return rows.map((row) => JSON.stringify(row))
  },
  async checkAfterImport(context) {
    await settleBalances(context)
    return undefined
  },
  exportCondition: 'customer_id is null and supplier_id is null',
})
