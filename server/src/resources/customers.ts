import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Caller } from '../http/call.ts'
import { ErrorBody, OneTimed } from '../http/envelope.ts'
import { duplicate, noSuchRecord, validationFailed, versionMismatch } from '../http/errors.ts'
import { type Database, type Queries, type Transaction, UniqueViolation } from '../storage/database.ts'
import { places } from '../storage/upsert.ts'
import { nfc } from '../values/fold.ts'
import { fromScaled, toScaled, withoutSeparators } from '../values/values.ts'
import { type GivenBalance, keepBalances, settleBalances } from './balance-rows.ts'
import { add, NO_VENUE, raise, takeBeside, venueCounter } from './counters.ts'
import { CustomerGroup, defaultGroup, findGroup } from './customer-groups.ts'
import { defineResource } from './define.ts'
import { EXPORT_PAGE, type ExportPage, exportPage } from './export.ts'
import type { IdCounts, ReservedIds } from './id-blocks.ts'
import { IdempotencyHeaders, writeRoutes } from './idempotency.ts'
import { rowText } from './page.ts'
import { RowProblem } from './read-row.ts'
import { type RowChange, type RowEvent, writtenEvents } from './row-events.ts'
import { DateTime, Decimal, Id, Maybe, Nullable, shown, Trimmed } from './values.ts'
import type { WriteContext } from './write.ts'

export const Balance = Type.Object(
  { id: Maybe(Id()), amount: Decimal(), type: Type.Enum(['CUSTOMER']) },
  { $id: 'Balance' },
)

export const CashbackBalance = Type.Object(
  { id: Nullable(Id()), amount: Decimal(), type: Type.Enum(['CASHBACK']) },
  { $id: 'CashbackBalance' },
)

/** §2.2 */
export const Customer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Maybe(Type.String({ format: 'idn-email' })),
    phone: Maybe(Type.String()),
    group_id: Id(),
    balance: Balance,
    cashback_balance: CashbackBalance,
    group: shown(CustomerGroup),
    created_at: DateTime(),
  },
  { $id: 'Customer' },
)
export type Customer = Static<typeof Customer>

/** §4.2, D4.3 */
export const NewCustomer = Type.Object(
  {
    name: Trimmed({ minLength: 1, maxLength: 255, 'x-name': true }),
    email: Maybe(Trimmed({ format: 'idn-email', maxLength: 254 })),
    phone: Maybe(
      Trimmed({
        maxLength: 64,
        'x-phone': true,
        description:
          'Unique in the brand; compared without spaces, dashes, dots, slashes and parentheses, and made of more than these',
      }),
    ),
    code: Maybe(Trimmed({ maxLength: 64, description: 'Unique in the brand' })),
    cid: Maybe(Trimmed({ format: 'uuid', description: 'Unique in the brand; generated when it is absent' })),
    description: Maybe(Trimmed({ maxLength: 2000 })),
    group_id: Maybe(Type.Integer({ minimum: 1, description: 'The brand’s default group when it is absent' })),
    gender: Maybe(
      Nullable(Type.Enum([0, 1, 2, 9], { description: '0 not known, 1 male, 2 female, 9 not applicable' })),
    ),
    date_of_birth: Maybe(Trimmed({ format: 'date', 'x-past': true, description: 'Not in the future' })),
  },
  {
    $id: 'NewCustomer',
    description: 'null for an optional member counts as absent.',
    additionalProperties: false,
  },
)
export type NewCustomer = Static<typeof NewCustomer>

/** P1: what comes with include=details. */
const CustomerDetails = Type.Object({
  cid: Type.String(),
  code: Maybe(Type.String()),
  description: Maybe(Type.String()),
  gender: Maybe(Type.Integer()),
  date_of_birth: Maybe(Type.String({ format: 'date' })),
  spent: Decimal(),
  receipt_count: Type.Integer(),
  total_discount: Decimal(),
  balance_id: Maybe(Id()),
  cashback_balance_id: Maybe(Id()),
  updated_at: DateTime(),
})

/** One imported line: a customer as §4.2 takes it, with what is otherwise given to a new one. */
export const CustomerRow = Type.Object({
  id: Trimmed({ minLength: 1, maxLength: 64 }),
  ...NewCustomer.properties,
  balance: Maybe(Balance),
  cashback_balance: Maybe(CashbackBalance),
  spent: Maybe(Decimal()),
  receipt_count: Maybe(Type.Integer({ minimum: 0 })),
  total_discount: Maybe(Decimal()),
  spent_before: Maybe(Type.Number({ description: 'What history brought of `spent`. Only in our own exports' })),
  created_at: Maybe(DateTime()),
  updated_at: Maybe(DateTime()),
})
export type CustomerRow = Static<typeof CustomerRow>

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

const written = writtenEvents('customer')

/** As it is stored: with what its details say of its balances. */
const StoredCustomer = Type.Object({
  ...CustomerRow.properties,
  balance_id: Maybe(Id()),
  cashback_balance_id: Maybe(Id()),
})

export const customers = defineResource({
  name: { one: 'customer', many: 'customers' },
  tag: 'Customers',
  about: 'Somebody who buys, with a group, a balance and a cashback balance.',
  wire: Customer,
  details: CustomerDetails,
  line: CustomerRow,
  row: StoredCustomer,
  // Its group stands before created_at, the last member of every stored body, which takes 41 characters with its brace.
  text: `substr(customers.body, 1, length(customers.body) - 41) || ',"group":' ||
    (select its.body from customer_groups as its where its.brand_id = customers.brand_id and its.id = customers.group_id) ||
    substr(customers.body, length(customers.body) - 40)`,
  scope: 'brand',
  columns: {
    id: 'key',
    name: 'text',
    email: 'key',
    phone: 'key',
    code: 'key',
    cid: 'key',
    description: 'key',
    gender: 'integer',
    date_of_birth: 'key',
    group_id: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: {
    ...Object.fromEntries(UNIQUE.map(({ column, key }) => [column, key])),
    spent_before: ({ spent_before = 0 }) => toScaled(spent_before) ?? 0,
    deleted_at: () => null, // who is put in again is there again
  },
  stamped: ['created_at', 'updated_at'],
  references: { group_id: 'customer-groups' },
  list: {
    maxLimit: 999,
    filters: ['id', 'name', 'email', 'group_id', 'created_at', 'updated_at'],
    compared: {
      phone: { type: 'key', sql: 'phone_key', comparable: withoutSeparators },
      phones: { type: 'key', sql: 'phone_key', comparable: withoutSeparators }, // as existing clients spell it
      code: { type: 'key', sql: 'code_key', comparable: (code) => nfc(code.trim()) },
      cid: { type: 'key', sql: 'cid_key', comparable: (cid) => cid.toLowerCase() },
    },
    shown: { columns: ['name', 'phone', 'email', 'group', 'balance', 'created_at'], newestFirst: true },
  },
  api: { list: {}, get: {}, actions: ['write'], routes: serveWrites },
  async complete(context, lines) {
    await refuseTaken(context, lines)
    const rows = await completed(context, lines)
    await keepCounter(context, rows)
    return rows
  },
  async write(context, rows, writer) {
    if (!context.booked)
      await keepBalances(context, rows.flatMap(balancesOf), { areCounted: context.insertOnly ?? false })
    return writer.put(context, rows.map(withDetails))
  },
  async checkAfterImport(context) {
    await settleBalances(context)
    return undefined
  },
  events: { types: [...written.types, 'customer.balance_changed'], of: customerEvents },
  readExportPage: exportCustomers,
})

function serveWrites(app: FastifyInstance, { db, now }: { db: Database; now: () => number }): void {
  writeRoutes(app, { db, now }).post<NewCustomer>(
    '/customers',
    {
      permission: 'customers:write',
      events: ['customer.created'],
      schema: {
        operationId: 'createCustomer',
        summary: 'Create a customer',
        description: 'With contact information and a group; balance and cashback balance begin at 0.',
        tags: ['Customers'],
        headers: IdempotencyHeaders,
        body: NewCustomer,
        response: { 200: OneTimed(customers.item), 400: ErrorBody, 409: ErrorBody, 422: ErrorBody },
      },
      message: 'Customer created.',
      ids: CUSTOMER_IDS,
      refused: (error, caller, customer) => refuseDuplicate(db, caller, customer, error),
    },
    createCustomer,
  )
}

/** What one customer needs, and how it is counted. */
export const CUSTOMER_IDS: IdCounts = { customer_id: 1, balance_id: 2 }
const NEW_ROWS = { customers: 1, balances: 2, [venueCounter('balances', NO_VENUE)]: 2 }

/** Creates a customer and answers its text (§2.2). A unique index refuses it with UniqueViolation. */
export async function createCustomer(
  tx: Transaction,
  caller: Caller,
  customer: NewCustomer,
  { ids, now }: { ids: ReservedIds; now: string },
): Promise<string> {
  const { brand_id } = caller
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
            ? NO_DEFAULT_GROUP
            : 'group_id is not a customer group of this brand, or deleted.',
      },
    ])
  const complete: CompleteCustomer = {
    ...customer,
    id: String(ids.take('customer_id')),
    cid: customer.cid ?? randomUUID(),
    group_id: group.id,
    balance: emptyBalance(ids.take('balance_id')),
    cashback_balance: emptyCashback(ids.take('balance_id')),
    created_at: now,
  }
  await add(tx, brand_id, NEW_ROWS)
  const [body] = await customers.write({ tx, brand_id, actor: caller.client_id, now, insertOnly: true }, [complete])
  return withGroup(body!, group.body)
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

const NO_DEFAULT_GROUP = 'group_id is missing, and this brand has no default customer group that is not deleted.'

// D3.7, D4.4
const emptyBalance = (id: number) => ({ id, amount: 0, type: 'CUSTOMER' as const })
const emptyCashback = (id: number) => ({ id, amount: 0, type: 'CASHBACK' as const })

/** A customer with everything that D4.4 fills in. */
type CompleteCustomer = CustomerRow &
  Required<Pick<CustomerRow, 'cid' | 'group_id' | 'balance' | 'cashback_balance' | 'created_at'>>

/** The rows of a customer's balances (I6). One without an id is not there yet, and empty. */
function balancesOf({ id: customer_id, balance, cashback_balance, created_at }: CustomerRow): GivenBalance[] {
  const owned = { customer_id, position: 0, ...(created_at !== undefined && { created_at }) }
  return [
    ...(balance?.id === undefined ? [] : [{ ...balance, id: balance.id, name: 'Balance', ...owned }]),
    ...(cashback_balance?.id == null
      ? []
      : [{ ...cashback_balance, id: cashback_balance.id, name: 'Cashback', ...owned }]),
  ]
}

/** Changes what sales move of a customer, whom nobody else then changes before the transaction is over. */
export async function changeCustomer(
  context: WriteContext,
  id: string,
  change: (customer: CustomerRow) => CustomerRow,
): Promise<void> {
  const { tx, brand_id } = context
  const [stored] = await tx.rows<StoredText>(
    `select ${STORED} from customers where brand_id = ? and id = ? and deleted_at is null${tx.dialect.lockRows}`,
    [brand_id, id],
  )
  if (!stored) return // deleted: nobody is shown anything of theirs
  const { updated_at: _, ...customer } = lineOf(stored)
  await customers.write({ ...context, countedLater: true, booked: true }, [change(customer)]) // one that is there is counted already
}

/** What staff change by hand. */
const EDITED = ['name', 'email', 'phone', 'code', 'description', 'group_id', 'gender', 'date_of_birth'] as const

/** Of what staff can change: a sale or a top-up makes nobody's form stale. */
export const versionOfCustomer = (customer: Partial<NewCustomer>) =>
  createHash('sha256')
    .update(JSON.stringify(EDITED.map((name) => customer[name] ?? null)))
    .digest('base64url')
    .slice(0, 22)

interface Replaced {
  readonly text: string
  /** The members that are different now. */
  readonly changed: readonly string[]
}

/** Changes what is known of a customer to what is given: a member that is absent is taken away. The group stays without another. */
export async function replaceCustomer(
  tx: Transaction,
  caller: Caller,
  id: string,
  { cid: _, ...given }: NewCustomer,
  { now, seen }: { readonly now: string; readonly seen: string | undefined },
): Promise<Replaced> {
  const { brand_id } = caller
  if (given.group_id !== undefined && !(await findGroup(tx, brand_id, given.group_id)))
    throw validationFailed([
      { field: 'group_id', rule: 'exists', message: 'group_id is not a customer group of this brand, or deleted.' },
    ])
  let changed: readonly string[] = []
  await changeCustomer({ tx, brand_id, actor: caller.client_id, now }, id, (customer) => {
    const version = versionOfCustomer(customer)
    if (seen !== undefined && seen !== version) throw versionMismatch(version)
    const { name: __, email, phone, code, description, gender, date_of_birth, ...kept } = customer
    const replaced: CustomerRow = { ...kept, ...given }
    changed = EDITED.filter((name) => (customer[name] ?? null) !== (replaced[name] ?? null))
    return replaced
  })
  const text = await tx.text(
    `select ${rowText(customers, new Set())} from customers where brand_id = ? and id = ? and deleted_at is null`,
    [brand_id, id],
  )
  if (text === undefined) throw noSuchRecord()
  return { text, changed }
}

/** What is 0 until somebody buys, and where the balances are. A null is no value (D3.2). */
function withDetails({ gender, ...row }: CustomerRow) {
  return {
    spent: 0,
    receipt_count: 0,
    total_discount: 0,
    ...row,
    ...(gender !== null && gender !== undefined && { gender }),
    ...(row.balance?.id !== undefined && { balance_id: row.balance.id }),
    ...(row.cashback_balance?.id && { cashback_balance_id: row.cashback_balance.id }),
  }
}

/** §2.2: a stored customer with its group, which stands before created_at, the last member of every stored body. */
function withGroup(body: string, group: string): string {
  const last = body.lastIndexOf(',"created_at":') // inside a text the quotes would be escaped
  return `${body.slice(0, last)},"group":${group}${body.slice(last)}`
}

/** A balance that moved is told with its amounts besides. */
function customerEvents(change: RowChange<CustomerRow>): RowEvent[] {
  const { before, after } = change
  const moved = (['balance', 'cashback_balance'] as const).flatMap((name) => {
    const [from, to] = [before?.[name]?.amount, after?.[name]?.amount]
    if (from === undefined || to === undefined || from === to) return []
    return [{ id: after!.id, balance: { type: after![name]!.type, from, to } }]
  })
  const shown = change.changed.filter((name) => name !== 'spent_before') // kept beside what a customer shows
  return [...written.of({ ...change, changed: shown }), ...moved.map(balanceChanged)]
}

const balanceChanged = (data: { id: string; balance: { type: string } }): RowEvent => ({
  type: 'customer.balance_changed',
  data,
})

// Import and export.

/** What POST /customers takes (§4.2) and no answer carries (§2.2). */
const NOT_GIVEN_BACK = ['code', 'cid', 'description', 'gender', 'date_of_birth'] as const
const SUMS = ['spent', 'receipt_count', 'total_discount', 'updated_at'] as const

async function exportCustomers(db: Queries, brand_id: number, after: number | string = ''): Promise<ExportPage> {
  const rows = await db.rows<StoredText>(
    `select ${STORED} from customers
     where brand_id = ? and id > ? and deleted_at is null order by id limit ${EXPORT_PAGE}`,
    [brand_id, after],
  )
  return exportPage(rows, (row) => JSON.stringify(lineOf(row)))
}

type StoredText = { id: string; body: string; details: string; spent_before: number } & Pick<
  CustomerRow,
  (typeof NOT_GIVEN_BACK)[number]
>
const STORED = `id, body, details, spent_before, ${NOT_GIVEN_BACK.join(', ')}`

/** A customer as a line has it. */
function lineOf({ body, details, spent_before, ...rest }: StoredText): CustomerRow {
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
async function refuseTaken({ tx, brand_id }: WriteContext, rows: readonly CustomerRow[]): Promise<void> {
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
  { tx, brand_id, now }: WriteContext,
  lines: readonly CustomerRow[],
): Promise<CompleteCustomer[]> {
  const kept = await keptValues(tx, brand_id, lines)
  const rows = lines.map((line) => ({
    ...kept.get(line.id),
    ...line,
    ...keptBalances(line, kept.get(line.id)),
    spent_before: spentBefore(line, kept.get(line.id)),
  }))
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
  const of = (value: number | undefined) => toScaled(value ?? 0)!
  if (line.spent_before !== undefined) return line.spent_before
  return fromScaled(of(kept.spent_before) + of(line.spent ?? kept.spent) - of(kept.spent))
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
      const { spent, receipt_count, total_discount } = JSON.parse(details) as Required<CustomerRow>
      const sums = { spent, receipt_count, total_discount, spent_before: fromScaled(spent_before) }
      return [id, { ...(cid !== null && { cid }), ...sums, balance, cashback_balance, created_at }]
    }),
  )
}

// Ids that came from outside must not be given out again.
async function keepCounter({ tx, brand_id }: WriteContext, customers: readonly CompleteCustomer[]): Promise<void> {
  const ids = customers.map(({ id }) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0))
  await raise(tx, brand_id, 'customer_id', Math.max(...ids))
}
