import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Caller } from '../../http/call.ts'
import { customerErased, duplicate, noSuchRecord, validationFailed, versionMismatch } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { defineResource } from '../../resource/define.ts'
import { rowText } from '../../resource/read/page.ts'
import { Id, Maybe } from '../../resource/values.ts'
import type { AddCommand, CommandContext } from '../../resource/write/commands.ts'
import type { IdCounts } from '../../resource/write/id-blocks.ts'
import { type RowChange, type RowEvent, writtenEvents } from '../../resource/write/row-events.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { type Database, type Queries, UniqueViolation } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { nfc } from '../../values/fold.ts'
import { sumToScaled, withoutSeparators } from '../../values/values.ts'
import { type GivenBalance, keepBalances, settleBalances } from '../money/balance-rows.ts'
import { defaultGroup, findGroup } from './customer-groups.ts'
import {
  type CompleteCustomer,
  completed,
  emptyBalance,
  emptyCashback,
  exportCustomers,
  keepCounter,
  lineOf,
  NO_DEFAULT_GROUP,
  refuseErased,
  refuseTaken,
  STORED,
  type StoredText,
} from './customer-lines.ts'
import { Customer, CustomerDetails, CustomerRow, NewCustomer, UNIQUE } from './customer-schema.ts'

const written = writtenEvents('customer')

/** The id of a customer's one balance of a type, which its details show. */
const balanceOf = (type: 'CUSTOMER' | 'CASHBACK') =>
  `(select balances.id from balances where balances.brand_id = customers.brand_id and balances.customer_id = customers.id
    and balances.type = '${type}')`

/** As stored: with the balance ids that its details show. */
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
    spent_before: ({ spent_before = 0 }) => sumToScaled(spent_before) ?? 0,
    erased_at: ({ erased_at = null }) => erased_at,
    deleted_at: () => null, // writing a deleted customer again restores it
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
      balance_id: { type: 'integer', sql: balanceOf('CUSTOMER') },
      cashback_balance_id: { type: 'integer', sql: balanceOf('CASHBACK') },
    },
    shown: { columns: ['name', 'phone', 'email', 'group', 'balance', 'created_at'], newestFirst: true },
  },
  api: { list: {}, get: {}, actions: ['write'], routes: serveWrites },
  async complete(context, lines) {
    await refuseErased(context, lines)
    await refuseTaken(context, lines)
    const rows = await completed(context, lines)
    await keepCounter(context, rows)
    return rows
  },
  async write(context, rows, writer) {
    if (!context.balancesBooked) await keepBalances(context, rows.flatMap(balancesOf))
    return writer.put(context, rows.map(withDetails))
  },
  async checkAfterImport(context) {
    await settleBalances(context)
    return undefined
  },
  events: { types: [...written.types, 'customer.balance_changed', 'customer.erased'], eventsOf: customerEvents },
  readExportPage: exportCustomers,
})

function serveWrites(app: FastifyInstance, { db, command }: { db: Database; command: AddCommand }): void {
  command(app, {
    method: 'POST',
    url: '/customers',
    permission: 'customers:write',
    events: ['customer.created'],
    body: NewCustomer,
    described: {
      operationId: 'createCustomer',
      summary: 'Create a customer',
      description: 'With contact information and a group; balance and cashback balance begin at 0.',
      tag: 'Customers',
      answers: customers.item,
      refusals: [400, 409, 422],
    },
    message: 'Customer created.',
    isTimed: true,
    ids: CUSTOMER_IDS,
    refused: (error, caller, { body }) => refuseDuplicate(db, caller, body, error),
    run: (context, { body }) => createCustomer(context, body),
  })
}

/** What one customer needs. */
export const CUSTOMER_IDS: IdCounts = { customer_id: 1, balance_id: 2 }

/** Creates a customer and returns its text (§2.2). A unique index refuses a duplicate with UniqueViolation. */
export async function createCustomer(context: CommandContext, customer: NewCustomer): Promise<string> {
  const { tx, brand_id, ids, now } = context
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
  const [body] = await customers.insert(context, [complete])
  return withGroup(body!, group.body)
}

/**
 * Turns a unique index's refusal into the contract's, which names the first field, in the order phone, code, cid, that another customer
 * has (D4.2). The refused transaction is over, so the fields before that index's own are checked in new queries.
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

/** The rows of a customer's balances (I6). A balance without an id does not exist yet and is empty. */
function balancesOf({ id: customer_id, balance, cashback_balance, created_at }: CustomerRow): GivenBalance[] {
  const owned = { customer_id, position: 0, ...definedOnly({ created_at }) }
  return [
    ...(balance?.id === undefined ? [] : [{ ...balance, id: balance.id, name: 'Balance', ...owned }]),
    ...(cashback_balance?.id == null
      ? []
      : [{ ...cashback_balance, id: cashback_balance.id, name: 'Cashback', ...owned }]),
  ]
}

/** Locks a customer until the end of the transaction, and changes what sales move. */
export async function changeCustomer(
  context: WriteContext,
  id: string,
  change: (customer: CustomerRow) => CustomerRow,
): Promise<void> {
  const stored = await customers.lock<StoredText & { deleted_at: string | null }>(context, id, `${STORED}, deleted_at`)
  if (!stored || stored.deleted_at !== null) return // deleted: none of their data is shown
  const { updated_at: _, ...customer } = lineOf(stored)
  await customers.update({ ...context, balancesBooked: true }, [change(customer)])
}

/** Members that staff change by hand. */
const EDITED = ['name', 'email', 'phone', 'code', 'description', 'group_id', 'gender', 'date_of_birth'] as const

/** Hash of what staff can change, so that a sale or a top-up makes no form stale. */
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

/** Replaces what staff can change by the input: an absent member is removed, except that an absent group stays. */
export async function replaceCustomer(
  context: CommandContext,
  id: string,
  { cid: _, ...given }: NewCustomer,
  ifMatch: IfMatch | undefined,
): Promise<Replaced> {
  const { tx, brand_id } = context
  if (given.group_id !== undefined && !(await findGroup(tx, brand_id, given.group_id)))
    throw validationFailed([
      { field: 'group_id', rule: 'exists', message: 'group_id is not a customer group of this brand, or deleted.' },
    ])
  let changed: readonly string[] = []
  await changeCustomer(context, id, (customer) => {
    if (customer.erased_at !== undefined) throw customerErased()
    const version = versionOfCustomer(customer)
    if (ifMatch && !ifMatch.includes(version)) throw versionMismatch(version)
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

/** What is left of the name. */
const ERASED = 'Erased'

/** Takes the person off a customer: the sums stay, under a name that is everybody's. A new cid frees the old one. */
export const erased = (
  { name: _, email, phone, code, cid, description, gender, date_of_birth, ...sums }: CustomerRow,
  now: string,
): CustomerRow => ({ ...sums, name: ERASED, cid: randomUUID(), erased_at: now })

/** Adds the sums, 0 until the first purchase, and the balance ids. A null is no value (D3.2). */
function withDetails({ gender, ...row }: CustomerRow) {
  return {
    spent: 0,
    receipt_count: 0,
    total_discount: 0,
    ...row,
    ...(gender !== null && gender !== undefined && { gender }),
    ...definedOnly({ balance_id: row.balance?.id }),
    ...(row.cashback_balance?.id && { cashback_balance_id: row.cashback_balance.id }),
  }
}

/** §2.2: a stored customer with its group, which stands before created_at, the last member of every stored body. */
function withGroup(body: string, group: string): string {
  const last = body.lastIndexOf(',"created_at":') // inside a text the quotes would be escaped
  return `${body.slice(0, last)},"group":${group}${body.slice(last)}`
}

/** The event of a balance that moved also has its amounts. */
function customerEvents(change: RowChange<CustomerRow>): RowEvent[] {
  const { before, after } = change
  if (before && !before.erased_at && after?.erased_at) return [{ type: 'customer.erased', data: { id: after.id } }]
  const moved = (['balance', 'cashback_balance'] as const).flatMap((name) => {
    const [from, to] = [before?.[name]?.amount, after?.[name]?.amount]
    if (from === undefined || to === undefined || from === to) return []
    return [{ id: after!.id, balance: { type: after![name]!.type, from, to } }]
  })
  const shown = change.changed.filter((name) => name !== 'spent_before') // kept beside what a customer shows
  return [...written.eventsOf({ ...change, changed: shown }), ...moved.map(balanceChanged)]
}

const balanceChanged = (data: { id: string; balance: { type: string } }): RowEvent => ({
  type: 'customer.balance_changed',
  data,
})
