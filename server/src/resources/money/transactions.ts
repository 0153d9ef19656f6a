import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { DateTime, Id, Maybe, Note, Sum } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled, sumToScaled } from '../../values/values.ts'

export const Transaction = Type.Object(
  {
    id: Id(),
    venue_id: Maybe(Type.Integer({ minimum: 1, description: 'Where it was booked; absent where an import did it' })),
    balance_id: Id(),
    category_id: Id(),
    amount: Sum('What came in; negative: what went out'),
    before_amount: Sum(),
    after_amount: Sum(),
    receipt_id: Maybe(Id()),
    operation_id: Maybe(Id()),
    customer_id: Maybe(Type.String()),
    supplier_id: Maybe(Id()),
    cash_shift_id: Maybe(Type.String({ format: 'uuid' })),
    user_id: Maybe(Type.Integer({ minimum: 1, description: 'The user that booked it; absent where an import did' })),
    description: Maybe(Note(500)),
    operated_at: DateTime(),
  },
  { $id: 'Transaction' },
)

/** A line of our own export: `step` is its place in the chain of its balance. */
export const TransactionRow = Type.Object({ ...Transaction.properties, step: Type.Integer({ minimum: 1 }) })
export type TransactionRow = Static<typeof TransactionRow>

export const transactions = defineResource({
  name: { one: 'transaction', many: 'transactions' },
  path: 'finance/transactions',
  tag: 'Finance',
  about: 'How money moved, newest first: those of every venue that the staff user may enter, and those of none.',
  wire: Transaction,
  line: TransactionRow,
  scope: 'shared',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    balance_id: 'integer',
    category_id: 'integer',
    amount: 'decimal',
    before_amount: 'decimal',
    after_amount: 'decimal',
    receipt_id: 'integer',
    operation_id: 'integer',
    customer_id: 'key',
    supplier_id: 'integer',
    cash_shift_id: 'key',
    user_id: 'integer',
    operated_at: 'instant',
  },
  computed: { step: ({ step }) => step },
  references: {
    venue_id: 'venues',
    balance_id: 'balances',
    category_id: 'finance-categories',
    receipt_id: 'receipts',
    user_id: 'users',
  },
  list: {
    date: 'operated_at',
    newestFirst: true,
    shown: {
      columns: ['id', 'balance_id', 'category_id', 'amount', 'after_amount', 'receipt_id', 'venue_id', 'operated_at'],
    },
  },
  api: { list: {}, get: {} },
  check({ amount, before_amount, after_amount }) {
    if (sumToScaled(before_amount)! + sumToScaled(amount)! !== sumToScaled(after_amount))
      throw new RowProblem(`after_amount must be ${before_amount} + ${amount}`)
  },
  events: { types: ['customer.balance_changed'] }, // it belongs to its receipt, document, shift or customer, which publishes (E2)
  async complete({ tx, brand_id }, lines) {
    await raise(tx, brand_id, 'transaction_id', Math.max(...lines.map(({ id }) => id)))
    return [...lines]
  },
  async write(context, rows, writer) {
    const bodies = await writer.put(context, rows)
    if (context.mode !== 'insert') await followChains(context, rows)
    return bodies
  },
  checkAfterImport: wrongChain,
  exportText: `substr(body, 1, length(body) - 1) || ',"step":' || step || '}'`,
})

/** A balance whose transactions an import brought stands where the last of them left it. */
async function followChains({ tx, brand_id }: WriteContext, rows: readonly TransactionRow[]): Promise<void> {
  const ids = [...new Set(rows.map(({ balance_id }) => balance_id))].sort((one, other) => one - other)
  await tx.run(
    `update balances set
       amount = (select after_amount from transactions as its where its.brand_id = balances.brand_id
         and its.balance_id = balances.id order by step desc limit 1),
       updated_at = (select operated_at from transactions as its where its.brand_id = balances.brand_id
         and its.balance_id = balances.id order by step desc limit 1),
       steps = (select max(step) from transactions as its where its.brand_id = balances.brand_id and its.balance_id = balances.id)
     where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
}

/** I5: each transaction goes on from the one before it, also those that an import adds to a living balance. */
async function wrongChain({ tx, brand_id }: WriteContext): Promise<string | undefined> {
  const [wrong] = await tx.rows<{ id: number; balance_id: number }>(
    `select id, balance_id from (select id, balance_id, before_amount, step,
         lag(after_amount) over chain as earlier, lag(step) over chain as last
       from transactions where brand_id = ? window chain as (partition by balance_id order by step)) as chained
     where before_amount <> earlier or step <> last + 1 order by id limit 1`,
    [brand_id],
  )
  return wrong && `transaction ${wrong.id} does not go on from the one before it in balance ${wrong.balance_id}`
}

/** What is appended to a balance's chain; amounts are ×10,000. */
export interface Entry extends Omit<TransactionRow, 'step' | 'amount' | 'before_amount' | 'after_amount'> {
  readonly amount: number
  readonly before: number
  readonly step: number
}

/** Appends new transactions. The balances are locked. */
export async function appendTransactions(context: WriteContext, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ before, amount, ...entry }) => ({
    ...entry,
    amount: fromScaled(amount),
    before_amount: fromScaled(before),
    after_amount: fromScaled(before + amount),
  }))
  await transactions.insert(context, rows)
}
