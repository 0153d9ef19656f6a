import { amountTooLarge, insufficientBalance } from '../../http/errors.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { advance, type Counted } from '../../resource/write/counters.ts'
import { bodyOf, type CountedRow, type WriteContext } from '../../resource/write/write.ts'
import { insert, type NamedRow, places } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fold } from '../../values/fold.ts'
import type { BalanceType } from '../../values/states.ts'
import { fromScaled, LARGEST_SUM_SCALED, sumToScaled } from '../../values/values.ts'
import { type SystemType, systemCategory } from './finance-categories.ts'
import { appendTransactions, type Entry } from './transactions.ts'

// The table of balances: where money is. A balance is made with its customer, supplier or payment method, and moves by transactions
// alone, each of which carries the amount before and after it (I5).

/** True for a customer's own money, which a sale does not take below 0 (S7). */
export const isPersonal = (type: string) => type === 'CUSTOMER' || type === 'CASHBACK'

/** A balance as its owner, or a line of an import, declares it. */
export interface GivenBalance {
  readonly id: number
  readonly venue_id?: number
  readonly name: string
  readonly type: BalanceType
  /** Absent: unchanged. */
  readonly amount?: number
  readonly customer_id?: string
  readonly supplier_id?: number
  readonly user_id?: number
  readonly position: number
  readonly created_at?: string
  readonly updated_at?: string
}

const MEMBERS = [
  'id',
  'venue_id',
  'name',
  'type',
  'amount',
  'customer_id',
  'supplier_id',
  'user_id',
  'position',
  'created_at',
  'updated_at',
]
const COUNTED: Counted = { table: 'balances', scope: 'shared' }

const countedBalance = (id: number, venue_id?: number): CountedRow => ({
  resource: COUNTED,
  row: { id, ...definedOnly({ venue_id }) },
})

interface ExistingBalance {
  id: number
  venue_id: number | null
  name: string
  type: BalanceType
  amount: number
  customer_id: string | null
  supplier_id: number | null
  user_id: number | null
  position: number
  created_at: string
}

/** Creates the balances that do not exist yet. An existing one keeps its owner; `settleBalances` books a different amount. */
export async function keepBalances(context: WriteContext, given: readonly GivenBalance[]): Promise<void> {
  const { tx, counted } = context
  const rows = distinct(given)
  if (rows.length === 0) return
  const existing =
    context.mode === 'insert' ? new Map<number, ExistingBalance>() : await existingBalances(context, rows)
  const added = rows.filter(({ id }) => !existing.has(id))
  await insert(
    tx,
    'balances',
    added.map((row) => newRow(context, row)),
  )
  for (const { id, venue_id } of added) counted.push(countedBalance(id, venue_id))
  for (const row of rows) {
    const before = existing.get(row.id)
    if (before) await changeBalance(context, before, row)
  }
}

/** A customer has one balance of each type (the index balances_of_customers). */
export async function balanceOfCustomer(
  { tx, brand_id }: WriteContext,
  customer_id: string,
  type: BalanceType,
): Promise<number | undefined> {
  const [found] = await tx.rows<{ id: number }>(
    'select id from balances where brand_id = ? and customer_id = ? and type = ?',
    [brand_id, customer_id, type],
  )
  return found?.id
}

/** Creates a balance of a customer; false if another transaction created it first. */
export async function makeCustomerBalance(context: WriteContext, balance: GivenBalance): Promise<boolean> {
  const row = newRow(context, balance)
  const made = await context.tx.rows(
    `insert into balances (${Object.keys(row).join(', ')}) values ${places(Object.keys(row))}
     on conflict (brand_id, customer_id, type) where customer_id is not null do nothing returning id`,
    Object.values(row),
  )
  if (made.length > 0) context.counted.push(countedBalance(balance.id))
  return made.length > 0
}

/** T13: the balance of a person's tips, or the pool of a venue. */
export async function staffBalance(
  { tx, brand_id }: WriteContext,
  { user_id, venue_id }: { user_id: number | undefined; venue_id: number },
): Promise<number | undefined> {
  const [found] =
    user_id === undefined
      ? await tx.rows<{ id: number }>(
          `select id from balances where brand_id = ? and venue_id = ? and type = 'STAFF' and user_id is null`,
          [brand_id, venue_id],
        )
      : await tx.rows<{ id: number }>('select id from balances where brand_id = ? and user_id = ?', [brand_id, user_id])
  return found?.id
}

/** Creates a balance of tips; false if another transaction created it first. */
export async function makeStaffBalance(context: WriteContext, balance: GivenBalance): Promise<boolean> {
  const row = newRow(context, balance)
  const key =
    balance.user_id === undefined
      ? `(brand_id, venue_id) where type = 'STAFF' and user_id is null`
      : '(brand_id, user_id) where user_id is not null'
  const made = await context.tx.rows(
    `insert into balances (${Object.keys(row).join(', ')}) values ${places(Object.keys(row))}
     on conflict ${key} do nothing returning id`,
    Object.values(row),
  )
  if (made.length > 0) context.counted.push(countedBalance(balance.id, balance.venue_id))
  return made.length > 0
}

/** Several methods may share an account; the balance of a customer or supplier is not shared. */
function distinct(given: readonly GivenBalance[]): GivenBalance[] {
  const rows = new Map<number, GivenBalance>()
  for (const row of given) {
    const other = rows.get(row.id)
    if (other) refuseOther(row, other)
    else rows.set(row.id, row)
  }
  return [...rows.values()]
}

function refuseOther(row: GivenBalance, other: Pick<GivenBalance, 'type' | 'customer_id' | 'supplier_id'>): void {
  const isSame =
    row.type === other.type && row.customer_id === other.customer_id && row.supplier_id === other.supplier_id
  if (!isSame) throw new RowProblem(`balance.id ${row.id} is already the id of ${ownerOf(other)}`)
}

const ownerOf = ({ type, customer_id, supplier_id }: Pick<GivenBalance, 'type' | 'customer_id' | 'supplier_id'>) => {
  if (customer_id !== undefined) return `customer ${customer_id}'s`
  return supplier_id === undefined ? `a balance of type ${type}` : `supplier ${supplier_id}'s`
}

async function existingBalances({ tx, brand_id }: WriteContext, rows: readonly GivenBalance[]) {
  const found = new Map<number, ExistingBalance>()
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const ids = rows.slice(start, start + ROWS_A_STATEMENT).map(({ id }) => id)
    const some = await tx.rows<ExistingBalance>(
      `select id, venue_id, name, type, amount, customer_id, supplier_id, user_id, position, created_at from balances
       where brand_id = ? and id in ${places(ids)}`,
      [brand_id, ...ids],
    )
    for (const row of some) found.set(row.id, row)
  }
  return found
}

const ROWS_A_STATEMENT = 100

function newRow({ brand_id, now }: WriteContext, row: GivenBalance): NamedRow {
  const { id, venue_id = null, name, type, customer_id = null, supplier_id = null, user_id = null } = row
  const { position, amount = 0 } = row
  const { created_at = now, updated_at = created_at } = row
  return {
    brand_id,
    id,
    venue_id,
    name,
    name_folded: fold(name),
    type,
    amount: 0,
    steps: 0,
    customer_id,
    supplier_id,
    user_id,
    position,
    created_at,
    updated_at,
    body: textOf({ ...row, created_at }),
    brought: amount === 0 ? null : sumToScaled(amount)!,
  }
}

/** The text that balances.ts reads; the amount and the last member are filled in on read. */
const textOf = (row: GivenBalance & { created_at: string }) =>
  bodyOf(MEMBERS, { ...row, amount: 0, updated_at: row.created_at })

async function changeBalance(
  { tx, brand_id, now }: WriteContext,
  before: ExistingBalance,
  row: GivenBalance,
): Promise<void> {
  const { venue_id, customer_id, supplier_id, user_id, created_at } = before
  const owned = {
    ...(customer_id !== null && { customer_id }),
    ...(supplier_id !== null && { supplier_id }),
    ...(user_id !== null && { user_id }),
  }
  refuseOther(row, { type: before.type, ...owned })
  if (row.name !== before.name || row.position !== before.position) {
    const kept = { ...row, ...owned, created_at, ...(venue_id !== null && { venue_id }) }
    await tx.run(
      `update balances set name = ?, name_folded = ?, position = ?, body = ?, updated_at = ? where brand_id = ? and id = ?`,
      [row.name, fold(row.name), row.position, textOf(kept), row.updated_at ?? now, brand_id, row.id],
    )
  }
  if (row.amount === undefined || sumToScaled(row.amount) === before.amount) return
  await tx.run('update balances set brought = ? where brand_id = ? and id = ?', [
    sumToScaled(row.amount)!,
    brand_id,
    row.id,
  ])
}

/** P22: books an OPENING transaction for an imported amount that its transactions do not explain. Runs after the last line. */
export async function settleBalances(context: WriteContext): Promise<void> {
  const { tx, brand_id } = context
  const brought = await tx.rows<{ id: number; missing: number; venue_id: number | null }>(
    'select id, brought - amount as missing, venue_id from balances where brand_id = ? and brought is not null order by id',
    [brand_id],
  )
  const missing = brought.filter((row) => row.missing !== 0)
  for (let start = 0; start < missing.length; start += ROWS_A_STATEMENT) {
    const some = missing.slice(start, start + ROWS_A_STATEMENT)
    const last = (await advance(tx, brand_id, { transaction_id: some.length })).transaction_id
    await moveBalances(
      context,
      some.map(({ id, missing, venue_id }, index) => ({
        id: last - some.length + 1 + index,
        balance_id: id,
        category: 'OPENING',
        amount: missing,
        mayGoBelowZero: true,
        ...(venue_id !== null && { venue_id }),
      })),
    )
  }
  if (brought.length > 0)
    await tx.run('update balances set brought = null where brand_id = ? and brought is not null', [brand_id])
}

/** What moves a balance; `amount` is ×10,000. */
export interface Move extends Omit<Entry, 'category_id' | 'before' | 'step' | 'operated_at'> {
  readonly category: SystemType
  readonly mayGoBelowZero?: boolean
  /** Refuses to take a house account below 0, which is otherwise allowed. */
  readonly notBelowZero?: boolean
}

/** A balance that moved; amounts as the wire has them. */
export interface Moved {
  readonly id: number
  readonly type: BalanceType
  readonly customer_id: string | null
  readonly supplier_id: number | null
  readonly from: number
  readonly to: number
}

type Locked = Pick<ExistingBalance, 'id' | 'type' | 'amount' | 'customer_id' | 'supplier_id'> & {
  steps: number
  updated_at: string
}

/** Locks the balances by id (P16), moves them in the order given and appends the transactions. */
export async function moveBalances(context: WriteContext, moves: readonly Move[]): Promise<Moved[]> {
  const { tx, brand_id, now } = context
  const before = await lockBalances(
    context,
    moves.map(({ balance_id }) => balance_id),
  )
  const after = new Map([...before].map(([id, row]) => [id, { ...row }]))
  const categories = new Map<SystemType, number>()
  for (const { category } of moves)
    if (!categories.has(category)) categories.set(category, await systemCategory(context, category))
  const entries = moves.map(({ category, mayGoBelowZero, notBelowZero, ...move }): Entry => {
    const row = after.get(move.balance_id)
    if (!row) throw new Error(`there is no balance ${move.balance_id}`)
    const { amount, customer_id, supplier_id } = row
    // Times never decrease along a chain, whatever a clock says.
    row.updated_at = row.steps > 0 && row.updated_at > now ? row.updated_at : now
    row.amount += move.amount
    row.steps++
    if (Math.abs(row.amount) > LARGEST_SUM_SCALED) throw amountTooLarge(`Balance ${row.id}`, '9 × 10^11')
    const isGuarded = notBelowZero || (isPersonal(row.type) && !mayGoBelowZero)
    if (isGuarded && move.amount < 0 && row.amount < 0)
      throw insufficientBalance(fromScaled(before.get(row.id)!.amount))
    return {
      ...(customer_id !== null && { customer_id }),
      ...(supplier_id !== null && { supplier_id }),
      ...move,
      category_id: categories.get(category)!,
      before: amount,
      step: row.steps,
      operated_at: row.updated_at,
    }
  })
  await appendTransactions(context, entries)
  for (const { id, amount, steps, updated_at } of after.values())
    await tx.run('update balances set amount = ?, steps = ?, updated_at = ? where brand_id = ? and id = ?', [
      amount,
      steps,
      updated_at,
      brand_id,
      id,
    ])
  return [...before.values()].map(({ id, type, customer_id, supplier_id, amount }) => ({
    id,
    type,
    customer_id,
    supplier_id,
    from: fromScaled(amount),
    to: fromScaled(after.get(id)!.amount),
  }))
}

/** Locks balances until the end of the transaction. */
export async function lockBalances(
  { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
  given: readonly number[],
): Promise<Map<number, Locked>> {
  const ids = [...new Set(given)]
  const rows = await tx.rows<Locked>(
    `select id, type, amount, steps, customer_id, supplier_id, updated_at from balances
     where brand_id = ? and id in ${places(ids)} order by id${tx.dialect.lockRows}`,
    [brand_id, ...ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
