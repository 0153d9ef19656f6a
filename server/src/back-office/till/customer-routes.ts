import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { lockDirectory, record } from '../../directory/audit.ts'
import type { Caller } from '../../http/call.ts'
import { noSuchRecord } from '../../http/errors.ts'
import { rowText } from '../../resource/read/page.ts'
import { Maybe, PathText } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { NewCustomer } from '../../resources/people/customer-schema.ts'
import {
  CUSTOMER_IDS,
  createCustomer,
  customers,
  refuseDuplicate,
  replaceCustomer,
  versionOfCustomer,
} from '../../resources/people/customers.ts'
import type { Database } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { PLAIN_LETTERS, plain } from '../../values/fold.ts'
import { withoutSeparators } from '../../values/values.ts'
import type { BackOfficeDeps } from '../deps.ts'

const Customer = Type.Object({ id: PathText() })
const Search = Type.Object({ search: Maybe(Type.String({ maxLength: 100 })) }, { additionalProperties: false })

const MAX_FOUND = 50
const LETTERS = Object.keys(PLAIN_LETTERS).join('')
const PLAIN = Object.values(PLAIN_LETTERS).join('')

/** What staff do with customers besides their balances: they find, create and change them. */
export function customerRoutes(
  app: FastifyInstance,
  { db, command, searches, followChange }: Pick<BackOfficeDeps, 'db' | 'command' | 'searches' | 'followChange'>,
): void {
  app.get(
    '/customer-search',
    { config: { permission: customers.permission }, schema: { querystring: Search }, onRequest: searches.start },
    async ({ call: { caller }, query }) => {
      const { search = '' } = query as Static<typeof Search>
      const data = await findCustomers(db, caller.brand_id, search.trim())
      return { success: true, data }
    },
  )

  app.get(
    '/customers/:id',
    { config: { permission: customers.permission }, schema: { params: Customer } },
    async ({ call: { caller }, params }) => ({
      success: true,
      data: await findCustomer(db, caller.brand_id, idIn(params)),
    }),
  )

  app.get(
    '/customers/:id/balance',
    { config: { permission: customers.permission }, schema: { params: Customer } },
    async ({ call: { caller }, params }) => ({
      success: true,
      data: await movesOf(db, caller.brand_id, idIn(params)),
    }),
  )

  const common = {
    permission: 'customers:write',
    body: NewCustomer,
    committed: followChange,
    refused: (error: unknown, caller: Caller, { body }: { body: NewCustomer }) =>
      refuseDuplicate(db, caller, body, error),
  }
  command(app, {
    ...common,
    method: 'POST',
    url: '/customers',
    events: ['customer.created'],
    message: 'Customer created.',
    ids: CUSTOMER_IDS,
    async run(context, { body }) {
      await lockDirectory(context.tx) // before any other lock, as everything else that puts a change on record
      const data = await createCustomer(context, body)
      await note(context, 'create', (JSON.parse(data) as { id: string }).id, undefined)
      return data
    },
  })
  command(app, {
    ...common,
    method: 'PUT',
    url: '/customers/:id',
    events: ['customer.updated'],
    params: Customer,
    versioned: 'if-match',
    message: 'Customer changed.',
    async run(context, { params: { id }, body, ifMatch }) {
      await lockDirectory(context.tx)
      const { text, changed } = await replaceCustomer(context, id, body, ifMatch)
      if (changed.length === 0) return { data: text, message: 'Nothing changed.' }
      await note(context, 'change', id, { changed })
      return text
    },
  })
}

const idIn = (params: unknown) => (params as Static<typeof Customer>).id // as its schema read it

/** The audit log says who changed which members, and holds nothing of the customer: it outlives them. */
const note = (
  { tx, brand_id, actor }: CommandContext,
  what: 'create' | 'change',
  subject: string,
  after: { readonly changed: readonly string[] } | undefined,
) => record(tx, { actor, action: `customer.${what}`, subject, brand_id, before: undefined, after })

const DETAILED = rowText(customers, new Set(['details']))

/** With its details, and the version of what a form changes. */
async function findCustomer(db: Database, brand_id: number, id: string): Promise<object> {
  const text = await db.text(`select ${DETAILED} from customers where brand_id = ? and id = ? and deleted_at is null`, [
    brand_id,
    id,
  ])
  if (text === undefined) throw noSuchRecord()
  const customer = JSON.parse(text) as NewCustomer
  return { ...customer, version: versionOfCustomer(customer) }
}

/** Finds customers by a part of the name or phone number, or by the whole code; the newest if `search` is empty. */
async function findCustomers(db: Database, brand_id: number, search: string): Promise<object[]> {
  const where = 'brand_id = ? and deleted_at is null and erased_at is null'
  if (search === '') {
    const newest = await db.rows<{ text: string }>(
      `select ${DETAILED} as text from customers where ${where} order by created_at desc, id desc limit ${MAX_FOUND}`,
      [brand_id],
    )
    return newest.map((row) => JSON.parse(row.text))
  }
  const digits = withoutSeparators(search)
  const found = await db.scan<{ text: string }>(
    brand_id,
    'customers',
    `select ${DETAILED} as text from customers
     where ${where} and (instr(${db.dialect.replaceLetters('name_folded', LETTERS, PLAIN)}, ?) > 0
       or instr(phone_key, ?) > 0 or code_key = ?)${db.dialect.checkpoint} order by name_folded, id limit ${MAX_FOUND}`,
    [brand_id, plain(search), /\d{3}/.test(digits) ? digits : '-', search],
  )
  return found.map((row) => JSON.parse(row.text))
}

export interface BalanceMove {
  readonly id: number
  readonly type: 'CUSTOMER' | 'CASHBACK'
  readonly amount: number
  readonly after_amount: number
  readonly receipt_id?: number
  readonly operated_at: string
}

/** How the balances of a customer moved, newest first. Who may read the customer sees their balance anyhow. */
async function movesOf(db: Database, brand_id: number, customer_id: string): Promise<BalanceMove[]> {
  const known = await db.texts('select id from customers where brand_id = ? and id = ? and deleted_at is null', [
    brand_id,
    customer_id,
  ])
  if (known.length === 0) throw noSuchRecord()
  const balances = await db.rows<{ id: number; type: BalanceMove['type'] }>(
    'select id, type from balances where brand_id = ? and customer_id = ? order by id',
    [brand_id, customer_id],
  )
  const moves = await Promise.all(
    balances.map(async ({ id, type }) => {
      const bodies = await db.texts(
        `select body from transactions where brand_id = ? and balance_id = ? order by step desc limit ${MAX_FOUND}`,
        [brand_id, id],
      )
      return bodies.map((body): BalanceMove => {
        const { id: moveId, amount, after_amount, receipt_id, operated_at } = JSON.parse(body) as BalanceMove
        return { id: moveId, type, amount, after_amount, ...definedOnly({ receipt_id }), operated_at }
      })
    }),
  )
  return moves
    .flat()
    .sort((one, other) => other.operated_at.localeCompare(one.operated_at)) // those of one balance stay by their steps
    .slice(0, MAX_FOUND)
}
