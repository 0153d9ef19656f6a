import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { All, all, asJson, asPage, ErrorBody, Many } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import { type List, type ListRequest, parseList, queryOf } from '../../lists/list.ts'
import { listQuery, withOnly } from '../../lists/parameters.ts'
import { BALANCE_TYPES } from '../../resources/balance-rows.ts'
import { balances } from '../../resources/balances.ts'
import { type Owner, readBodies, withinVenues } from '../../resources/page.ts'
import { type Extension, ownerOf, withShared } from '../../resources/serve.ts'
import { transactions } from '../../resources/transactions.ts'
import { Decimal, Id } from '../../resources/values.ts'
import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled } from '../../values/values.ts'

// What balances hold, seen in other ways: all at once, people's, over a time, and day by day.

type Deps = { readonly db: Database; readonly now: () => number }

const BalanceMovements = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    type: Type.Enum([...BALANCE_TYPES]),
    opening: Type.Number({ description: 'Before date[0]' }),
    in: Decimal(),
    out: Type.Number({ description: 'Above 0' }),
    closing: Type.Number({ description: 'opening + in − out' }),
  },
  { $id: 'BalanceMovements' },
)

const DateState = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'UTC' }),
    amount: Type.Number({ description: 'At the end of the day, of all balances that the filters leave' }),
  },
  { $id: 'BalanceDateState' },
)

const MAX_DAYS = 366
const DAY_MS = 86_400_000

/** Balances as their lists filter them, with `date` on the transactions. */
const DATED: List = {
  ...withDate(balances.list!, transactions.list!),
  name: 'balances over time',
}

/** The list language of one list, where `date` is another one's. */
function withDate(list: List, other: List): List {
  return { ...list, date: other.date }
}

export const balanceExtension: Extension = {
  routes(app, deps) {
    serveWhole(app, deps)
    servePeople(app, deps)
    serveMovements(app, deps)
    serveDays(app, deps)
  },
}

const described = (list: List, operationId: string, summary: string, description: string) => ({
  operationId,
  summary,
  description,
  tags: ['Finance'],
  querystring: listQuery(list),
})

const config = { permission: balances.permission }

/** GET /finance/balances/list */
function serveWhole(app: FastifyInstance, { db, now }: Deps): void {
  const list = withOnly({ ...balances.list!, parameters: {} }, ['filters', 'sort'])
  app.get(
    '/finance/balances/list',
    {
      config,
      schema: {
        ...described(
          list,
          'listAllBalances',
          'List all accounts',
          'Balances of the house and of suppliers, all of them, without pages.',
        ),
        response: { 200: All(balances.item), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const asked = parseList({ ...list, unlessFiltered: {} }, queryOf(url))
      const where = {
        text: `${asked.where.text} and ${balances.list!.unlessFiltered.type}`,
        values: asked.where.values,
      }
      const owner = withShared('shared', ownerOf(caller, now()))
      const { bodies } = await readBodies(db, balances, owner, { ...asked, where, limit: 1e6, offset: 0 })
      return asJson(reply, all(bodies))
    },
  )
}

/** GET /finance/balances/customer */
function servePeople(app: FastifyInstance, { db, now }: Deps): void {
  const list: List = { ...balances.list!, name: 'balances of customers', unlessFiltered: { customers: PEOPLE } }
  app.get(
    '/finance/balances/customer',
    {
      config,
      schema: {
        ...described(list, 'listCustomerBalances', 'List balances of customers', 'Balances and cashback balances.'),
        response: { 200: Many(balances.item, 'new'), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const asked = parseList(list, queryOf(url))
      return asPage(reply, 'new', asked, await balances.readList(db, ownerOf(caller, now()), asked))
    },
  )
}

const PEOPLE = `type in ('CUSTOMER', 'CASHBACK')`

/** GET /finance/balances/transactions */
function serveMovements(app: FastifyInstance, { db, now }: Deps): void {
  const list = withOnly(DATED, ['page', 'limit', 'filters', 'sort', 'date', 'type'])
  app.get(
    '/finance/balances/transactions',
    {
      config,
      schema: {
        ...described(
          list,
          'listBalanceMovements',
          'List what balances moved',
          'For each balance what it held before the date, what came in, what went out, and what it held at its end.',
        ),
        response: { 200: Many(BalanceMovements, 'new'), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const asked = parseList(list, queryOf(url))
      const owner = withShared('shared', ownerOf(caller, now()))
      const { bodies, ...extent } = await readBodies(db, balances, owner, {
        ...asked,
        where: asked.filtered,
        days: undefined,
      })
      const rows = bodies.map((body) => JSON.parse(body) as { id: number; name: string; type: string })
      const moved = await movementsOf(db, owner, rows, asked.dates)
      const data = rows.map(({ id, name, type }) => JSON.stringify({ id, name, type, ...moved(id) })).join(',')
      return asPage(reply, 'new', asked, { data, ...extent })
    },
  )
}

async function movementsOf(
  db: Database,
  { brand_id }: Owner,
  rows: readonly { id: number }[],
  [from = '', to = '9999']: ListRequest['dates'], // before and after every instant
) {
  const ids = rows.map(({ id }) => id)
  const none = { opening: 0, in: 0, out: 0, closing: 0 }
  if (ids.length === 0) return () => none
  const found = await db.scan<{ id: number; opening: number | null; came: number; went: number }>(
    brand_id,
    'transactions',
    `select balances.id,
       (select after_amount from transactions as earlier where earlier.brand_id = balances.brand_id
          and earlier.balance_id = balances.id and earlier.operated_at < ?
        order by earlier.operated_at desc, earlier.step desc limit 1) as opening,
       (select cast(coalesce(sum(amount), 0) as bigint) from transactions as moves where moves.brand_id = balances.brand_id
          and moves.balance_id = balances.id and moves.operated_at >= ? and moves.operated_at <= ? and moves.amount > 0) as came,
       (select cast(coalesce(-sum(amount), 0) as bigint) from transactions as moves where moves.brand_id = balances.brand_id
          and moves.balance_id = balances.id and moves.operated_at >= ? and moves.operated_at <= ? and moves.amount < 0) as went
     from balances where brand_id = ? and id in ${places(ids)}${db.dialect.checkpoint}`,
    [from, from, to, from, to, brand_id, ...ids],
  )
  const byId = new Map(found.map((row) => [row.id, row]))
  return (id: number) => {
    const { opening, came, went } = byId.get(id)!
    return {
      opening: fromScaled(opening ?? 0),
      in: fromScaled(came),
      out: fromScaled(went),
      closing: fromScaled((opening ?? 0) + came - went),
    }
  }
}

/** GET /finance/balances/date-states */
function serveDays(app: FastifyInstance, { db, now }: Deps): void {
  const list = withOnly(DATED, ['page', 'limit', 'filters', 'date', 'type'])
  app.get(
    '/finance/balances/date-states',
    {
      config,
      schema: {
        ...described(
          list,
          'listBalanceDateStates',
          'List amounts by day',
          `What the balances held at the end of each day of the date, oldest first; of the last 30 days where it is not given, of ${MAX_DAYS} at the most.`,
        ),
        response: { 200: Many(DateState, 'new'), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const asked = parseList(list, queryOf(url))
      const owner = withShared('shared', ownerOf(caller, now()))
      const days = daysOf(asked.dates, now())
      const states = await statesOf(db, owner, asked, days)
      const { offset, limit } = asked
      const data = states.slice(offset, offset + limit).map((state) => JSON.stringify(state))
      return asPage(reply, 'new', asked, { data: data.join(','), total: days.length })
    },
  )
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function daysOf([from, to]: ListRequest['dates'], now: number): string[] {
  const last = Date.parse(dayOf(to === undefined ? now : Date.parse(to)))
  const first = from === undefined ? last - 29 * DAY_MS : Date.parse(dayOf(Date.parse(from)))
  const count = Math.max(0, Math.round((last - first) / DAY_MS) + 1)
  if (count > MAX_DAYS)
    throw invalidParameter('date', `date is a range of at most ${MAX_DAYS} days.`, { maximum: MAX_DAYS })
  return Array.from({ length: count }, (_, index) => dayOf(first + index * DAY_MS))
}

/** Back from what is there now: what moved after a day is taken off again. */
async function statesOf(db: Database, owner: Owner, { filtered }: ListRequest, days: readonly string[]) {
  const [first] = days
  if (first === undefined) return []
  const { brand_id } = owner
  const within = withinVenues(owner)
  const chosen = `select id from balances where brand_id = ?${within.text}${filtered.text}`
  const values = [brand_id, ...within.values, ...filtered.values]
  const rows = await db.scan<{ day: string; amount: number }>(
    brand_id,
    'transactions',
    `select '' as day, cast(coalesce(sum(amount), 0) as bigint) as amount from balances
       where brand_id = ?${within.text}${filtered.text}${db.dialect.checkpoint}
     union all select substr(operated_at, 1, 10) as day, cast(sum(amount) as bigint) as amount from transactions
       where brand_id = ? and operated_at >= ? and balance_id in (${chosen})${db.dialect.checkpoint}
       group by substr(operated_at, 1, 10)`,
    [...values, brand_id, first, ...values],
  )
  const moved = new Map(rows.map(({ day, amount }) => [day, amount]))
  let amount = moved.get('')! // what there is now
  moved.delete('')
  for (const [day, step] of moved) if (day > days.at(-1)!) amount -= step
  return days
    .toReversed()
    .map((date) => {
      const state = { date, amount: fromScaled(amount) }
      amount -= moved.get(date) ?? 0
      return state
    })
    .reverse()
}
