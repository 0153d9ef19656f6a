import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { createCustomer, customers, NewCustomer, refuseDuplicate, replaceCustomer } from '../../resources/customers.ts'
import { writeRoutes } from '../../resources/idempotency.ts'
import { rowText } from '../../resources/page.ts'
import { Maybe, PathText } from '../../resources/values.ts'
import type { Database } from '../../storage/database.ts'
import { PLAIN_LETTERS, plain } from '../../values/fold.ts'
import { withoutSeparators } from '../../values/values.ts'
import type { Searches } from '../searches.ts'

const Customer = Type.Object({ id: PathText() })
const Search = Type.Object({ search: Maybe(Type.String({ maxLength: 100 })) }, { additionalProperties: false })

const MAX_FOUND = 50
const LETTERS = Object.keys(PLAIN_LETTERS).join('')
const PLAIN = Object.values(PLAIN_LETTERS).join('')

/** What staff do with customers besides their balances: they find, create and change them. */
export function customerRoutes(
  app: FastifyInstance,
  { db, now, searches }: { db: Database; now: () => number; searches: Searches },
): void {
  const writes = writeRoutes(app, { db, now })

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
    '/customers/:id/balance',
    { config: { permission: customers.permission }, schema: { params: Customer } },
    async ({ call: { caller }, params }) => ({
      success: true,
      data: await movesOf(db, caller.brand_id, (params as Static<typeof Customer>).id),
    }),
  )

  const common = {
    permission: 'customers:write',
    refused: (error: unknown, { call, body }: FastifyRequest) =>
      refuseDuplicate(db, call.caller, body as NewCustomer, error),
  }
  writes.write(
    'POST',
    '/customers',
    { ...common, events: ['customer.created'], schema: { body: NewCustomer } },
    async (tx, { call, body }, at) => ({
      data: await createCustomer(tx, call.caller, body as NewCustomer, at),
      message: 'Customer created.',
    }),
  )
  writes.write(
    'PUT',
    '/customers/:id',
    { ...common, events: ['customer.updated'], schema: { params: Customer, body: NewCustomer } },
    async (tx, { call, body, params }, at) => ({
      data: await replaceCustomer(tx, call.caller, (params as Static<typeof Customer>).id, body as NewCustomer, at),
      message: 'Customer changed.',
    }),
  )
}

/** By a part of the name, without accents, by a part of the phone number or by the whole code. The newest where nothing is sought. */
async function findCustomers(db: Database, brand_id: number, search: string): Promise<object[]> {
  const text = rowText(customers, new Set(['details']))
  const where = 'brand_id = ? and deleted_at is null'
  if (search === '') {
    const newest = await db.rows<{ text: string }>(
      `select ${text} as text from customers where ${where} order by created_at desc, id desc limit ${MAX_FOUND}`,
      [brand_id],
    )
    return newest.map((row) => JSON.parse(row.text))
  }
  const digits = withoutSeparators(search)
  const found = await db.scan<{ text: string }>(
    brand_id,
    'customers',
    `select ${text} as text from customers
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
  const balances = await db.rows<{ id: number; type: BalanceMove['type'] }>(
    'select id, type from balances where brand_id = ? and customer_id = ?',
    [brand_id, customer_id],
  )
  const moves = await Promise.all(
    balances.map(async ({ id, type }) => {
      const bodies = await db.texts(
        `select body from transactions where brand_id = ? and balance_id = ? order by step desc limit ${MAX_FOUND}`,
        [brand_id, id],
      )
      return bodies.map((body): BalanceMove => {
        const { id: of, amount, after_amount, receipt_id, operated_at } = JSON.parse(body) as BalanceMove
        return { id: of, type, amount, after_amount, ...(receipt_id !== undefined && { receipt_id }), operated_at }
      })
    }),
  )
  return moves
    .flat()
    .sort((one, other) => other.operated_at.localeCompare(one.operated_at) || other.id - one.id)
    .slice(0, MAX_FOUND)
}
