import { randomUUID } from 'node:crypto'
import { fold, nfc } from '../../http/fold.ts'
import type { Queries, Value } from '../../storage/database.ts'
import { upsert } from '../../storage/upsert.ts'
import { exportBodies, exportPage, type ImportContext, type Kind, nextId, places, raiseCounter } from '../kind.ts'
import { RowProblem, rowReader } from '../read-row.ts'
import { CustomerGroupRow, CustomerRow } from './schema.ts'

export const customerGroupKind: Kind<CustomerGroupRow> = {
  name: 'customer_group',
  table: 'customer_groups',
  read: rowReader(CustomerGroupRow),
  idOf: ({ id }) => id,
  references: () => [],
  async put({ tx, brand_id, now }, rows) {
    const values = rows.map(({ created_at = now, updated_at = now, deleted_at, ...rest }) => {
      const body = JSON.stringify({ ...rest, created_at, updated_at, deleted_at })
      return [brand_id, rest.id, rest.system_type ?? null, body]
    })
    await upsert(tx, 'customer_groups', 2, ['brand_id', 'id', 'system_type', 'body'], values)
  },
  page: (db, brand_id, after) => exportBodies(db, 'customer_groups', brand_id, after),
}

const readCustomer = rowReader(CustomerRow)

export const customerKind: Kind<CustomerRow> = {
  name: 'customer',
  table: 'customers',
  read: (row) => withoutBlanks(readCustomer(row)),
  idOf: ({ id }) => id,
  references: ({ group_id }) => [{ member: 'group_id', table: 'customer_groups', id: group_id }],
  async put(context, rows) {
    await refuseTaken(context, rows)
    const customers = await completed(context, rows)
    await keepCounters(context, customers)
    await upsert(
      context.tx,
      'customers',
      2,
      COLUMNS,
      customers.map((customer) => columnsOf(context.brand_id, customer)),
    )
  },
  async page(db, brand_id, after) {
    const rows = await db.rows<{ id: string; body: string } & Pick<CustomerRow, (typeof NOT_GIVEN_BACK)[number]>>(
      `select id, body, ${NOT_GIVEN_BACK.join(', ')} from customers
       where brand_id = ? and id > ? and deleted_at is null order by id limit 1000`,
      [brand_id, after ?? ''],
    )
    return exportPage(rows, ({ body, ...rest }) => JSON.stringify(withoutNulls({ ...JSON.parse(body), ...rest })))
  },
}

/** What POST /customers takes (§4.2) and no answer carries (§2.2). */
const NOT_GIVEN_BACK = ['code', 'cid', 'description', 'gender', 'date_of_birth'] as const

/** A customer with everything that D4.4 fills in. */
type CompleteCustomer = CustomerRow &
  Required<Pick<CustomerRow, 'cid' | 'group_id' | 'balance' | 'cashback_balance' | 'created_at'>>

// D4.1: an empty text counts as absent; what is kept is kept trimmed.
function withoutBlanks(row: CustomerRow): CustomerRow {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const text = typeof value === 'string' ? value.trim() : value
    if (text !== '') kept[name] = text
  }
  if (kept.id === undefined || kept.name === undefined) throw new RowProblem('id and name must not be blank')
  return kept as CustomerRow
}

// D4.1: what uniqueness compares.
const phoneKey = (phone: string | undefined) => (phone && nfc(phone).replaceAll(/[\s().\-/]/g, '')) || null
const codeKey = (code: string | undefined) => (code && nfc(code)) || null
const cidKey = (cid: string | undefined) => cid?.toLowerCase() ?? null

const UNIQUE = [
  { field: 'phone', column: 'phone_key', key: (row: CustomerRow) => phoneKey(row.phone) },
  { field: 'code', column: 'code_key', key: (row: CustomerRow) => codeKey(row.code) },
  { field: 'cid', column: 'cid_key', key: (row: CustomerRow) => cidKey(row.cid) },
] as const

// The unique indexes would refuse the rows too, but could not say which line it was.
async function refuseTaken({ tx, brand_id }: ImportContext, rows: readonly CustomerRow[]): Promise<void> {
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

async function completed(
  { tx, brand_id, now }: ImportContext,
  rows: readonly CustomerRow[],
): Promise<CompleteCustomer[]> {
  const missing = rows.reduce((count, row) => count + Number(!row.balance) + Number(!row.cashback_balance), 0)
  let balanceId = missing > 0 ? (await nextId(tx, brand_id, 'balance_id', missing)) - missing : 0
  const group_id = rows.every((row) => row.group_id !== undefined) ? 0 : await defaultGroupId(tx, brand_id)
  return rows.map((row) => ({
    ...row,
    cid: row.cid ?? randomUUID(),
    group_id: row.group_id ?? group_id,
    balance: row.balance ?? { id: ++balanceId, amount: 0, type: 'CUSTOMER' },
    cashback_balance: row.cashback_balance ?? { id: ++balanceId, amount: 0, type: 'CASHBACK' },
    created_at: row.created_at ?? now,
  }))
}

async function defaultGroupId(tx: Queries, brand_id: number): Promise<number> {
  const [group] = await tx.rows<{ id: number }>(
    `select id from customer_groups where brand_id = ? and system_type = 'default' order by id limit 1`,
    [brand_id],
  )
  return group?.id ?? 1
}

// Ids that came from outside must not be given out again.
async function keepCounters({ tx, brand_id }: ImportContext, customers: readonly CompleteCustomer[]): Promise<void> {
  const ids = customers.map(({ id }) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0))
  const balanceIds = customers.flatMap(({ balance, cashback_balance }) => [balance.id ?? 0, cashback_balance.id ?? 0])
  await raiseCounter(tx, brand_id, 'customer_id', Math.max(...ids))
  await raiseCounter(tx, brand_id, 'balance_id', Math.max(...balanceIds))
}

const COLUMNS = [
  ...['brand_id', 'id', 'name', 'name_folded', 'email', 'phone', 'phone_key', 'code', 'code_key', 'cid', 'cid_key'],
  ...['description', 'gender', 'date_of_birth', 'group_id', 'created_at', 'deleted_at', 'body'],
]

function columnsOf(brand_id: number, customer: CompleteCustomer): Value[] {
  const { id, name, email, phone, code, cid, description, gender, date_of_birth, group_id, created_at } = customer
  const { balance, cashback_balance } = customer
  const body = JSON.stringify({ id, name, email, phone, group_id, balance, cashback_balance, created_at })
  return [
    ...[brand_id, id, name, fold(name), email ?? null, phone ?? null, phoneKey(phone), code ?? null, codeKey(code)],
    ...[cid, cidKey(cid), description ?? null, gender ?? null, date_of_birth ?? null, group_id, created_at, null, body],
  ]
}

const withoutNulls = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
