import { randomUUID } from 'node:crypto'
import type { Caller } from '../../http/call.ts'
import { duplicate, validationFailed } from '../../http/errors.ts'
import { fold, nfc } from '../../http/fold.ts'
import { withoutSeparators } from '../../http/values.ts'
import { type Queries, UniqueViolation, type Value } from '../../storage/database.ts'
import { upsert } from '../../storage/upsert.ts'
import { advance, raise } from '../counters.ts'
import { exportBodies, exportPage, type ImportContext, type Kind, places } from '../kind.ts'
import { RowProblem, rowReader } from '../read-row.ts'
import { CustomerGroupRow, CustomerRow, type NewCustomer } from './schema.ts'

/** Creates a customer and answers its text (§2.2). A unique index refuses it with UniqueViolation. */
export async function insertCustomer(
  tx: Queries,
  { brand_id }: Caller,
  customer: NewCustomer,
  created_at: string,
): Promise<string> {
  const group = await (customer.group_id === undefined
    ? defaultGroup(tx, brand_id)
    : findGroup(tx, brand_id, customer.group_id))
  if (!group)
    throw validationFailed([
      {
        field: 'group_id',
        rule: 'exists',
        message:
          customer.group_id === undefined
            ? NO_GROUP_LEFT
            : 'group_id is not a customer group of this brand, or deleted.',
      },
    ])
  const { balance_id, customer_id } = await advance(tx, brand_id, { balance_id: 2, customer_id: 1, customers: 1 })
  const complete: CompleteCustomer = {
    ...customer,
    id: String(customer_id),
    cid: customer.cid ?? randomUUID(),
    group_id: group.id,
    balance: emptyBalance(balance_id - 1),
    cashback_balance: emptyCashback(balance_id),
    created_at,
  }
  await tx.run(INSERT, columnsOf(brand_id, complete))
  return withGroup(bodyOf(complete), group.body)
}

/**
 * Turns a unique index's refusal into the contract's, which names the first field, in the order phone, code, cid, that another
 * customer has (D4.2). The refused transaction is over, so those before the index's own are asked for in new queries.
 */
export async function refuseDuplicate(
  db: Queries,
  { brand_id }: Caller,
  customer: NewCustomer,
  error: unknown,
): Promise<never> {
  if (!(error instanceof UniqueViolation)) throw error
  const refused = UNIQUE.findIndex(({ column }) => error.constraint === `customers_${column}`)
  if (refused === -1) throw error
  for (const { field, column, key } of UNIQUE.slice(0, refused)) {
    const holders = await db.texts(
      `select id from customers where brand_id = ? and ${column} = ? and deleted_at is null`,
      [brand_id, key(customer)], // an absent key is null, which equals nothing
    )
    if (holders.length > 0) throw duplicate(field)
  }
  throw duplicate(UNIQUE[refused]!.field)
}

// D4.1: what uniqueness compares.
const phoneKey = (phone: string | undefined) => (phone && withoutSeparators(phone)) || null
const codeKey = (code: string | undefined) => (code && nfc(code)) || null
const cidKey = (cid: string | undefined) => cid?.toLowerCase() ?? null

/** Each with a unique index named customers_ and the column. */
const UNIQUE = [
  { field: 'phone', column: 'phone_key', key: (row: NewCustomer) => phoneKey(row.phone) },
  { field: 'code', column: 'code_key', key: (row: NewCustomer) => codeKey(row.code) },
  { field: 'cid', column: 'cid_key', key: (row: NewCustomer) => cidKey(row.cid) },
] as const

interface Group {
  id: number
  body: string
}

const NO_GROUP_LEFT = 'group_id is missing, and every customer group of this brand is deleted.'

async function findGroup(tx: Queries, brand_id: number, id: number): Promise<Group | undefined> {
  const [group] = await tx.rows<Group>(
    'select id, body from customer_groups where brand_id = ? and id = ? and deleted_at is null',
    [brand_id, id],
  )
  return group
}

/** D4.4; without a default group (an import can change or delete it), the brand's first one that is not deleted. */
async function defaultGroup(tx: Queries, brand_id: number): Promise<Group | undefined> {
  const [group] = await tx.rows<Group>(
    `select id, body from customer_groups where brand_id = ? and deleted_at is null
     order by case when system_type = 'default' then 0 else 1 end, id limit 1`,
    [brand_id],
  )
  return group
}

// D3.7, D4.4
const emptyBalance = (id: number) => ({ id, amount: 0, type: 'CUSTOMER' as const })
const emptyCashback = (id: number) => ({ id, amount: 0, type: 'CASHBACK' as const })

/** A customer with everything that D4.4 fills in. */
type CompleteCustomer = CustomerRow &
  Required<Pick<CustomerRow, 'cid' | 'group_id' | 'balance' | 'cashback_balance' | 'created_at'>>

const COLUMNS = [
  ...['brand_id', 'id', 'name', 'name_folded', 'email', 'phone', 'phone_key', 'code', 'code_key', 'cid', 'cid_key'],
  ...['description', 'gender', 'date_of_birth', 'group_id', 'created_at', 'deleted_at', 'body'],
]
const INSERT = `insert into customers (${COLUMNS.join(', ')}) values ${places(COLUMNS)}`

function columnsOf(brand_id: number, customer: CompleteCustomer): Value[] {
  const { id, name, email, phone, code, cid, description, gender, date_of_birth, group_id, created_at } = customer
  return [
    ...[brand_id, id, name, fold(name), email ?? null, phone ?? null, phoneKey(phone), code ?? null, codeKey(code)],
    ...[cid, cidKey(cid), description ?? null, gender ?? null, date_of_birth ?? null, group_id, created_at, null],
    bodyOf(customer),
  ]
}

const bodyOf = ({ id, name, email, phone, group_id, balance, cashback_balance, created_at }: CompleteCustomer) =>
  JSON.stringify({ id, name, email, phone, group_id, balance, cashback_balance, created_at })

/** §2.2: a stored customer with its group, which stands before created_at, the last member of every stored body. */
export function withGroup(body: string, group: string): string {
  const last = body.lastIndexOf(',"created_at":') // inside a text the quotes would be escaped
  return `${body.slice(0, last)},"group":${group}${body.slice(last)}`
}

// Import and export.

export const customerGroupKind: Kind<CustomerGroupRow> = {
  name: 'customer_group',
  table: 'customer_groups',
  read: rowReader(CustomerGroupRow),
  idOf: ({ id }) => id,
  references: () => [],
  async put({ tx, brand_id, now }, rows) {
    const values = rows.map(({ created_at = now, updated_at = now, deleted_at, ...rest }) => {
      const body = JSON.stringify({ ...rest, created_at, updated_at, deleted_at })
      return [brand_id, rest.id, rest.system_type ?? null, deleted_at, body]
    })
    await upsert(tx, 'customer_groups', 2, ['brand_id', 'id', 'system_type', 'deleted_at', 'body'], values)
  },
  page: (db, brand_id, after) => exportBodies(db, 'customer_groups', brand_id, after),
}

export const customerKind: Kind<CustomerRow> = {
  name: 'customer',
  table: 'customers',
  read: rowReader(CustomerRow),
  idOf: ({ id }) => id,
  references: ({ group_id }) => [{ member: 'group_id', table: 'customer_groups', id: group_id }],
  async put(context, rows) {
    await refuseTaken(context, rows)
    const customers = await completed(context, rows)
    await keepCounters(context, customers)
    const values = customers.map((customer) => columnsOf(context.brand_id, customer))
    await upsert(context.tx, 'customers', 2, COLUMNS, values)
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

const withoutNulls = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

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
  const kept = await keptValues(tx, brand_id, rows)
  const missing = rows.reduce((count, row) => count + Number(!row.balance) + Number(!row.cashback_balance), 0)
  let { balance_id } = await advance(tx, brand_id, { balance_id: missing })
  balance_id -= missing
  const group = await defaultGroup(tx, brand_id)
  const groupless = group ? undefined : rows.find(({ group_id }) => group_id === undefined)
  if (groupless) throw new RowProblem(NO_GROUP_LEFT, groupless)
  return rows
    .map((given) => ({ ...kept.get(given.id), ...given }))
    .map((row) => ({
      ...row,
      cid: row.cid ?? randomUUID(),
      group_id: row.group_id ?? group!.id,
      balance: row.balance ?? emptyBalance(++balance_id),
      cashback_balance: row.cashback_balance ?? emptyCashback(++balance_id),
      created_at: row.created_at ?? now,
    }))
}

// A customer that is there keeps what is made for a new one, where its line does not say otherwise.
async function keptValues(tx: Queries, brand_id: number, rows: readonly CustomerRow[]) {
  const ids = rows.map(({ id }) => id)
  const stored = await tx.rows<{ id: string; cid: string | null; body: string }>(
    `select id, cid, body from customers where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  return new Map(
    stored.map(({ id, cid, body }) => {
      const { balance, cashback_balance } = JSON.parse(body) as Pick<CompleteCustomer, 'balance' | 'cashback_balance'>
      return [id, { ...(cid !== null && { cid }), balance, cashback_balance }]
    }),
  )
}

// Ids that came from outside must not be given out again.
async function keepCounters({ tx, brand_id }: ImportContext, customers: readonly CompleteCustomer[]): Promise<void> {
  const ids = customers.map(({ id }) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0))
  const balanceIds = customers.flatMap(({ balance, cashback_balance }) => [balance.id ?? 0, cashback_balance.id ?? 0])
  await raise(tx, brand_id, 'balance_id', Math.max(...balanceIds))
  await raise(tx, brand_id, 'customer_id', Math.max(...ids))
}
