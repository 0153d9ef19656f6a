import { verifyFeeds } from '../../server/src/events/verify.ts'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import type { Database } from '../../server/src/storage/database.ts'
import type { Engine, Installation } from '../harness/installation.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { CARD, CASH, COUNTED, DISHES, GRAMS, ingredientOf, PEOPLE, PORTIONS, priceOf, type Told } from './house.ts'

// What there must be after what was told, without a rule of the service: dishes, receipts, money and stock are counted.

const UNIT = 10_000
const exact = (value: number) => Math.round(value * UNIT)

/**
 * Triggers write down each line that was made, and each that was dropped before it was. A line that moves to another receipt stays what it
 * is, so whatever makes the kitchen begin again makes it twice.
 */
export async function watchKitchen(db: Database, engine: Engine): Promise<void> {
  const log =
    'insert into kitchen_log (line_id, product_id, count, state) values (old.id, old.product_id, old.count, new.state)'
  const when = `old.state in ('NEW', 'SENT', 'COOKING') and new.state in ('READY', 'VOID')`
  const table =
    'create table kitchen_log (line_id bigint not null, product_id bigint not null, count bigint not null, state text not null)'
  const watching =
    engine === 'SQLite'
      ? [`create trigger kitchen_watched after update on receipt_lines when ${when} begin ${log}; end`]
      : [
          `create function log_kitchen() returns trigger language plpgsql as $$ begin ${log}; return null; end $$`,
          `create trigger kitchen_watched after update on receipt_lines for each row when (${when}) execute function log_kitchen()`,
        ]
  for (const text of [table, ...watching]) await db.transaction((tx) => tx.run(text, []))
}

interface Line {
  id: number
  product_id: number
  receipt_id: number
  count: number
  state: string
  copied: string | null
}

interface Receipt {
  id: number
  status: number
  parent_id: number | null
  total: number
}

/** Counts everything; after the end of service nothing waits in the kitchen. */
export async function checkTables(
  { db, brand_id }: Installation,
  told: Told,
  reportFailure: ReportFailure,
  { isOver }: { isOver: boolean },
): Promise<void> {
  for (const { invariant, subject, problem } of (await auditBooks(db, brand_id)).findings)
    reportFailure(`${invariant} ${subject}: ${problem}`)
  const feed = (await verifyFeeds(db)).find(({ brand }) => brand === 'bistro')!
  if (feed.problem !== null) reportFailure(`the feed: ${feed.problem}`)
  const stored = await db.rows<Omit<Line, 'count'> & { body: string }>(
    'select id, product_id, receipt_id, state, copied, body from receipt_lines where brand_id = ?',
    [brand_id],
  )
  // A void line still says how many it was.
  const lines = stored.map(({ body, ...line }): Line => ({ ...line, count: exact(JSON.parse(body).count) }))
  const receipts = await db.rows<Receipt>('select id, status, parent_id, total from receipts where brand_id = ?', [
    brand_id,
  ])
  const refunds = new Set(receipts.filter(({ parent_id }) => parent_id !== null).map(({ id }) => id))
  const ordered = lines.filter(({ receipt_id }) => !refunds.has(receipt_id))
  const differ = (what: string, found: unknown, wanted: unknown) => {
    const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (one !== other) reportFailure(`${what}: ${one}, and what was told makes ${other}`)
  }
  const kitchen = await db.rows<Omit<Line, 'id' | 'receipt_id' | 'copied'> & { line_id: number }>(
    'select line_id, product_id, count, state from kitchen_log',
    [],
  )
  const twice = Map.groupBy(kitchen, ({ line_id }) => line_id)
  for (const [id, own] of twice) if (own.length > 1) reportFailure(`line ${id} was made or dropped ${own.length} times`)
  const waiting = ordered.filter(({ state }) => ['NEW', 'SENT', 'COOKING'].includes(state))
  const isOpen = new Set(receipts.filter(({ status }) => status === 1).map(({ id }) => id))
  if (isOver && waiting.length > 0)
    reportFailure(`the kitchen was never told of ${waiting.map(({ id, state }) => `line ${id} (${state})`).join(', ')}`)
  const stock = await sumsOf(db, 'select product_id as id, quantity from stocks where brand_id = ?', brand_id)
  const reserved = await sumsOf(db, 'select product_id as id, quantity from reservations where brand_id = ?', brand_id)
  const isWaste = ({ state, copied }: Line) => state === 'VOID' && copied?.includes('"waste":true') === true
  const given = new Map(told.refunds.map(({ refund, waste }) => [refund, waste]))
  for (const dish of DISHES) {
    const own = ordered.filter(({ product_id }) => product_id === dish)
    const count = (some: readonly { count: number }[]) => some.reduce((sum, each) => sum + each.count, 0) / UNIT
    const wanted = told.ordered.get(dish) ?? 0
    differ(`dish ${dish} on receipts`, count(own), wanted)
    const made = kitchen.filter(({ product_id }) => product_id === dish)
    differ(
      `dish ${dish} made, dropped or waiting`,
      count([...made, ...waiting.filter((line) => own.includes(line))]),
      wanted,
    )
    const living = own.filter(({ state }) => state !== 'VOID')
    const onOpen = living.filter(({ receipt_id }) => isOpen.has(receipt_id))
    const isBack = ({ product_id, receipt_id }: Line) => product_id === dish && given.get(receipt_id) === false
    const used = count(living) - count(onOpen) + count(own.filter(isWaste)) + count(lines.filter(isBack))
    differ(`dish ${dish} out of stock`, stock.get(ingredientOf(dish)) ?? 0, -exact(used * GRAMS) || 0)
    differ(`dish ${dish} reserved`, reserved.get(ingredientOf(dish)) ?? 0, exact(count(onOpen) * GRAMS))
    if (dish !== COUNTED) continue
    const [entry] = await db.rows<{ remaining: number }>(
      'select remaining from stop_list where brand_id = ? and id = ?',
      [brand_id, dish],
    )
    differ(
      `portions of dish ${dish} that are left`,
      entry!.remaining / UNIT,
      PORTIONS - count([...living, ...own.filter(isWaste)]),
    )
  }
  checkReceipts(receipts, told, differ)
  const sold = lines.filter(({ receipt_id, state }) => told.closed.has(receipt_id) && state !== 'VOID')
  const value = sold.reduce((sum, { product_id, count }) => sum + (count / UNIT) * priceOf(product_id), 0)
  const paid = told.given.filter(({ receipt }) => told.closed.has(receipt))
  differ(
    'what was sold',
    value,
    sumOf(paid, ({ amount }) => amount),
  )
  await checkMoney(db, brand_id, told, differ)
}

type Differ = (what: string, found: unknown, wanted: unknown) => void

const sumOf = <Item>(items: readonly Item[], value: (item: Item) => number) =>
  items.reduce((sum, item) => sum + value(item), 0)

async function sumsOf(db: Database, text: string, brand_id: number): Promise<Map<number, number>> {
  const rows = await db.rows<{ id: number; quantity: number }>(text, [brand_id])
  const byId = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byId].map(([id, own]) => [id, sumOf(own, ({ quantity }) => quantity)]))
}

function checkReceipts(receipts: readonly Receipt[], told: Told, differ: Differ): void {
  const sorted = (ids: Iterable<number>) => [...ids].sort((one, other) => one - other)
  const sales = receipts.filter(({ parent_id }) => parent_id === null)
  const ids = (status: number) => sorted(sales.filter((each) => each.status === status).map(({ id }) => id))
  differ('receipts', sorted(sales.map(({ id }) => id)), sorted(told.opened))
  differ('closed receipts', ids(2), sorted(told.closed))
  differ('cancelled or merged receipts', ids(3), sorted([...told.cancelled, ...told.merged]))
  const refunds = receipts.filter(({ parent_id }) => parent_id !== null).map(({ id }) => id)
  differ('refunds', sorted(refunds), sorted(told.refunds.map(({ refund }) => refund)))
}

/** The house has what guests gave and did not get back, its people their tips, the drawer its cash. */
async function checkMoney(db: Database, brand_id: number, told: Told, differ: Differ): Promise<void> {
  const refunded = new Set(told.refunds.map(({ receipt }) => receipt))
  const kept = told.given.filter(({ receipt }) => !told.cancelled.has(receipt) && !refunded.has(receipt))
  const balances = await db.rows<{ type: string; user_id: number | null; amount: number }>(
    'select type, user_id, amount from balances where brand_id = ? order by type, user_id',
    [brand_id],
  )
  const amountOf = (type: string, user?: number) =>
    sumOf(
      balances.filter((each) => each.type === type && (user === undefined || each.user_id === user)),
      ({ amount }) => amount,
    )
  const broughtBy = (method: number) =>
    exact(sumOf(kept, (given) => (given.method === method ? given.amount + given.tip : 0)))
  differ('card', amountOf('CARD'), broughtBy(CARD))
  differ('cash', amountOf('CASH'), broughtBy(CASH))
  for (const user of PEOPLE)
    differ(
      `tips of ${user}`,
      amountOf('STAFF', user),
      exact(sumOf(kept, (given) => (given.user === user ? given.tip : 0))),
    )
  const [drawer] = await db.rows<{ expected_amount: number }>(
    'select expected_amount from cash_shifts where brand_id = ?',
    [brand_id],
  )
  differ('the drawer', drawer!.expected_amount, broughtBy(CASH))
}
