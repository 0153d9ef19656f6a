import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { All, all, asJson, asPage, ErrorBody, Many } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import { type List, type ListRequest, parseList, queryOf } from '../../lists/list.ts'
import { listQuery, withOnly } from '../../lists/parameters.ts'
import { type Listed, readBodies, readPage } from '../../resource/read/page.ts'
import { type Selected, serveView, viewColumn } from '../../resource/read/views.ts'
import type { Resource } from '../../resource/resource.ts'
import { type Extension, ownerOf, withShared } from '../../resource/serve.ts'
import { Decimal, Id, shown } from '../../resource/values.ts'
import { type BalanceLine, balances } from '../../resources/money/balances.ts'
import { transactions } from '../../resources/money/transactions.ts'
import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { BALANCE_TYPES } from '../../values/states.ts'
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
const DATED: Resource<BalanceLine> = { ...balances, list: { ...balances.list!, date: transactions.list!.date } }

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
  const list = withOnly(balances.list!, ['filters', 'sort', 'type'])
  app.get(
    '/finance/balances/list',
    {
      config,
      schema: {
        ...described(
          list,
          'listAllBalances',
          'List all accounts',
          'Balances of the house and of suppliers, without pages; those of customers only where `type` asks for them.',
        ),
        response: { 200: All(balances.item), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const query = parseList(list, queryOf(url))
      const owner = withShared('shared', ownerOf(caller, now()))
      const { bodies } = await readBodies(db, balances, owner, { ...query, limit: 1e6, offset: 0 })
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
      const query = parseList(list, queryOf(url))
      return asPage(reply, 'new', query, await balances.readList(db, ownerOf(caller, now()), query))
    },
  )
}

const PEOPLE = `type in ('CUSTOMER', 'CASHBACK')`

/** GET /finance/balances/transactions */
function serveMovements(app: FastifyInstance, { db, now }: Deps): void {
  const list: List = {
    ...DATED.list!,
    name: 'balances over time',
    members: new Set(Object.keys(BalanceMovements.properties)),
  }
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
        response: { 200: Many(shown(BalanceMovements), 'new'), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const query = parseList(list, queryOf(url))
      const moving: Listed = {
        ...balances,
        async compose(_db, { brand_id }, bodies) {
          const rows = bodies.map((body) => JSON.parse(body) as { id: number; name: string; type: string })
          const moved = await movementsOf(db, brand_id, rows, query.dates)
          return rows.map(({ id, name, type }) => JSON.stringify({ id, name, type, ...moved(id) }))
        },
      }
      const owner = withShared('shared', ownerOf(caller, now()))
      const page = await readPage(db, moving, owner, { ...query, where: query.filtered, days: undefined })
      return asPage(reply, 'new', query, page)
    },
  )
}

async function movementsOf(
  db: Database,
  brand_id: number,
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
function serveDays(app: FastifyInstance, deps: Deps): void {
  serveView<{ date: string; amount: number }>(
    app,
    deps,
    DATED,
    {
      path: 'finance/balances/date-states',
      operationId: 'listBalanceDateStates',
      summary: 'List amounts by day',
      description: `What the balances held at the end of each day of the date, oldest first; of the last 30 days where it is not given, of ${MAX_DAYS} at the most. Without a filter on id, type or supplier_id what is owed to suppliers is not in it.`,
    },
    DateState,
    {
      key: viewColumn('date', 'key'),
      scanned: transactions.table,
      read: ({ query, now, ...selected }) => statesOf(selected, summedUp(query), daysOf(query.dates, now)),
      made: ({ date, amount }) => ({ date, amount: fromScaled(amount) }),
    },
  )
}

/** What the house holds. What it owes to suppliers is added up only where the balances are named. */
function summedUp({ named, filtered }: ListRequest): ListRequest['filtered'] {
  const isNamed = ['id', 'type', 'supplier_id'].some((field) => named.has(field))
  return isNamed ? filtered : { ...filtered, text: `${filtered.text} and type <> 'SUPPLIER'` }
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
function statesOf(
  { brand_id, owned, checkpoint }: Pick<Selected, 'brand_id' | 'owned' | 'checkpoint'>,
  filtered: ListRequest['filtered'],
  days: readonly string[],
) {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined)
    return { text: `select '' as date, 0 as amount where 1 = 0`, values: [] }
  const chosen = `from balances where ${owned.text}${filtered.text}`
  const values = [...owned.values, ...filtered.values]
  // What moved after the last day is one sum, however many days there are since.
  const day = 'case when substr(operated_at, 1, 10) > ? then ? else substr(operated_at, 1, 10) end'
  return {
    text: `with moved as (select day, cast(sum(amount) as bigint) as amount from (select ${day} as day, amount from transactions
          where brand_id = ? and operated_at >= ? and balance_id in (select id ${chosen})${checkpoint}) as dated group by day)
      select column1 as date, cast(held.amount - coalesce((select sum(moved.amount) from moved where moved.day > column1), 0) as bigint)
        as amount
      from (values ${days.map(() => '(?)').join(', ')}) as days
        cross join (select coalesce(sum(amount), 0) as amount ${chosen}${checkpoint}) as held`,
    values: [last, AFTER_ALL, brand_id, first, ...values, ...days, ...values],
  }
}

/** Later than every day. */
const AFTER_ALL = '9999-99-99'
