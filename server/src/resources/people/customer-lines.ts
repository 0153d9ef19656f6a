import { randomUUID } from 'node:crypto'
import { EXPORT_PAGE, type ExportPage, exportPage } from '../../resource/files/export.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { raise, takeBeside } from '../../resource/write/counters.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled, sumToScaled } from '../../values/values.ts'
import { defaultGroup } from './customer-groups.ts'
import { type CustomerRow, UNIQUE } from './customer-schema.ts'

// Customers as the lines of an import and an export have them.

export const NO_DEFAULT_GROUP = 'group_id is missing, and this brand has no default customer group that is not deleted.'

// D3.7, D4.4
export const emptyBalance = (id: number) => ({ id, amount: 0, type: 'CUSTOMER' as const })
export const emptyCashback = (id: number) => ({ id, amount: 0, type: 'CASHBACK' as const })

/** A customer with everything that D4.4 fills in. */
export type CompleteCustomer = CustomerRow &
  Required<Pick<CustomerRow, 'cid' | 'group_id' | 'balance' | 'cashback_balance' | 'created_at'>>

/** What POST /customers takes (§4.2) and no answer carries (§2.2). */
const NOT_GIVEN_BACK = ['code', 'cid', 'description', 'gender', 'date_of_birth'] as const
const SUMS = ['spent', 'receipt_count', 'total_discount', 'updated_at', 'erased_at'] as const

export async function exportCustomers(db: Queries, brand_id: number, after: number | string = ''): Promise<ExportPage> {
  const rows = await db.rows<StoredText>(
    `select ${STORED} from customers
     where brand_id = ? and id > ? and deleted_at is null order by id limit ${EXPORT_PAGE}`,
    [brand_id, after],
  )
  return exportPage(rows, (row) => JSON.stringify(lineOf(row)))
}

export type StoredText = { id: string; body: string; details: string; spent_before: number } & Pick<
  CustomerRow,
  (typeof NOT_GIVEN_BACK)[number]
>
export const STORED = `id, body, details, spent_before, ${NOT_GIVEN_BACK.join(', ')}`

/** The customers among these who were erased. */
export async function erasedAmong(
  { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
  ids: readonly (string | number | undefined)[],
): Promise<ReadonlySet<string>> {
  const named = [...new Set(ids.flatMap((id) => (id === undefined ? [] : [String(id)])))]
  if (named.length === 0) return new Set()
  const rows = await tx.rows<{ id: string }>(
    `select id from customers where brand_id = ? and id in ${places(named)} and erased_at is not null`,
    [brand_id, ...named],
  )
  return new Set(rows.map(({ id }) => id))
}

/** An import neither brings an erased person back nor erases one: orders and receipts have their data too. */
export async function refuseErased({ tx, brand_id }: WriteContext, lines: readonly CustomerRow[]): Promise<void> {
  const stored = await tx.rows<{ id: string; erased_at: string | null }>(
    `select id, erased_at from customers where brand_id = ? and id in ${places(lines)}`,
    [brand_id, ...lines.map(({ id }) => id)],
  )
  const isErased = new Map(stored.map(({ id, erased_at }) => [id, erased_at !== null]))
  for (const line of lines) {
    const [here, inFile] = [isErased.get(line.id), line.erased_at !== undefined]
    if (here && !inFile) throw new RowProblem(`customer ${line.id} was erased, and does not come back`, line)
    if (here === false && inFile) throw new RowProblem(`customer ${line.id} is erased in this file, and not here`, line)
  }
}

/** A customer as a line has it. */
export function lineOf({ body, details, spent_before, ...rest }: StoredText): CustomerRow {
  const sums = picked(JSON.parse(details), SUMS)
  return withoutNulls({
    ...JSON.parse(body),
    ...rest,
    ...sums,
    ...(sums.spent !== 0 && { spent_before: fromScaled(spent_before) }), // otherwise an import takes all of it for history
  }) as CustomerRow
}

const picked = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : [])))

const withoutNulls = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

// The unique indexes would refuse the rows too, but could not say which line it was.
export async function refuseTaken({ tx, brand_id }: WriteContext, rows: readonly CustomerRow[]): Promise<void> {
  for (const { field, column, key } of UNIQUE) {
    const owners = new Map<string, string>()
    const keys = rows.map(key).filter((value) => value !== null)
    if (keys.length === 0) continue
    const taken = await tx.rows<{ id: string; value: string }>(
      `select id, ${column} as value from customers where brand_id = ? and deleted_at is null and ${column} in ${places(keys)}`,
      [brand_id, ...keys],
    )
    for (const { id, value } of taken) owners.set(value, id)
    for (const row of rows) {
      const value = key(row)
      if (value === null) continue
      const owner = owners.get(value) ?? row.id
      if (owner !== row.id) throw new RowProblem(`${field} "${row[field]}" is already customer ${owner}'s`, row)
      owners.set(value, row.id)
    }
  }
}

export async function completed(
  { tx, brand_id, now }: WriteContext,
  lines: readonly CustomerRow[],
): Promise<CompleteCustomer[]> {
  const kept = await keptValues(tx, brand_id, lines)
  const rows = lines.map((given) => {
    const { updated_at, ...own } = kept.get(given.id) ?? {}
    const line = withLaterSums(given, updated_at)
    return { ...own, ...line, ...keptBalances(line, own), spent_before: spentBefore(line, own) }
  })
  const balances = rows.flatMap(({ balance, cashback_balance }) => [balance, cashback_balance])
  const given = balances.flatMap((balance) => balance?.id ?? [])
  const missing = balances.filter(isHomeless).length
  let balance_id = await takeBeside(tx, brand_id, 'balance_id', given, missing)
  const housed = <Held extends { id?: number | null; amount: number }>(held: Held | undefined, empty: () => Held) =>
    isHomeless(held) ? { ...empty(), ...(held && { amount: held.amount }) } : held!
  const group = await defaultGroup(tx, brand_id)
  const groupless = group ? undefined : lines.find(({ group_id }) => group_id === undefined)
  if (groupless) throw new RowProblem(NO_DEFAULT_GROUP, groupless)
  return rows.map((row) => ({
    ...row,
    cid: row.cid ?? randomUUID(),
    group_id: row.group_id ?? group!.id,
    balance: housed(row.balance, () => emptyBalance(++balance_id)),
    cashback_balance: housed(row.cashback_balance, () => emptyCashback(++balance_id)),
    created_at: row.created_at ?? now,
  }))
}

/** I6: sums of an export of ours that is older than the customer are not those of now. */
function withLaterSums(line: CustomerRow, updated_at: string | undefined): CustomerRow {
  const { spent: _, receipt_count: __, total_discount: ___, spent_before, ...rest } = line
  const isEarlier = line.updated_at !== undefined && updated_at !== undefined && line.updated_at < updated_at
  return spent_before !== undefined && isEarlier ? rest : line
}

/** I6: a customer keeps the balances that they have; a line may bring other amounts. */
function keptBalances(line: CustomerRow, kept: Pick<CustomerRow, 'balance' | 'cashback_balance'> = {}) {
  const housed = (member: 'balance' | 'cashback_balance') => {
    const [held, own] = [line[member], kept[member]?.id]
    if (!held || own == null || held.id === own) return {}
    if (held.id != null) throw new RowProblem(`${member}.id is ${held.id}, and the customer has balance ${own}`, line)
    return { [member]: { ...held, id: own } }
  }
  return { ...housed('balance'), ...housed('cashback_balance') }
}

/** P22: what an import says was spent, beyond what is known of it, is history. */
const spentBefore = (line: CustomerRow, kept: Pick<CustomerRow, 'spent' | 'spent_before'> = {}) => {
  const scaled = (value: number | undefined) => sumToScaled(value ?? 0)!
  if (line.spent_before !== undefined) return line.spent_before
  return fromScaled(scaled(kept.spent_before) + scaled(line.spent ?? kept.spent) - scaled(kept.spent))
}

/** Money must be somewhere: an amount needs a balance with an id. */
const isHomeless = (held: { id?: number | null; amount: number } | undefined) =>
  !held || (held.id == null && held.amount !== 0)

// A customer that is there keeps what is made for a new one, where its line does not say otherwise.
async function keptValues(tx: Queries, brand_id: number, rows: readonly CustomerRow[]) {
  const ids = rows.map(({ id }) => id)
  const stored = await tx.rows<{ id: string; cid: string | null; body: string; details: string; spent_before: number }>(
    `select id, cid, body, details, spent_before from customers where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  return new Map(
    stored.map(({ id, cid, body, details, spent_before }) => {
      const { balance, cashback_balance, created_at } = JSON.parse(body) as CompleteCustomer
      const { spent, receipt_count, total_discount, updated_at } = JSON.parse(details) as Required<CustomerRow>
      const sums = { spent, receipt_count, total_discount, updated_at, spent_before: fromScaled(spent_before) }
      return [id, { ...(cid !== null && { cid }), ...sums, balance, cashback_balance, created_at }]
    }),
  )
}

// Ids that came from outside must not be given out again.
export async function keepCounter(
  { tx, brand_id }: WriteContext,
  customers: readonly CompleteCustomer[],
): Promise<void> {
  const ids = customers.map(({ id }) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0))
  await raise(tx, brand_id, 'customer_id', Math.max(...ids))
}
