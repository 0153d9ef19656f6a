import { places, upsert } from '../storage/upsert.ts'
import { type BalanceType, type GivenBalance, keepBalances, settleBalances } from './balance-rows.ts'
import { add, takeBeside } from './counters.ts'
import type { Compose } from './page.ts'
import type { WriteContext } from './write.ts'

// Where payments go: a method of kind CASH, CARD or OTHER has a balance in each venue, so that no venue's sales wait for another's
// (P16). Payments of kind CUSTOMER and CASHBACK go to the customer's own balances.

const ACCOUNTS: readonly string[] = ['CASH', 'CARD', 'OTHER']

/** What a payment method says of them. */
interface Method {
  readonly id: number
  readonly name: string
  readonly payment_kind: Exclude<BalanceType, 'SUPPLIER'>
  readonly position: number
  readonly balance?: { id: number; name: string; type: Exclude<BalanceType, 'SUPPLIER'> }
  readonly accounts?: Readonly<Record<string, number>>
}

/** A method has a balance, that of the main venue, unless it takes from the customer's. */
export async function completed<Row extends Method>(
  { tx, brand_id }: WriteContext,
  lines: readonly Row[],
): Promise<Row[]> {
  const existing = await tx.rows<{ id: number; body: string }>(
    `select id, body from payment_methods where brand_id = ? and id in ${places(lines)}`,
    [brand_id, ...lines.map(({ id }) => id)],
  )
  const kept = new Map(existing.map(({ id, body }) => [id, (JSON.parse(body) as Method).balance]))
  const rows = lines.map((line) => {
    const balance = line.balance ?? kept.get(line.id)
    return { ...line, ...(balance && { balance }) }
  })
  const lacks = ({ balance, payment_kind }: Method) => !balance && ACCOUNTS.includes(payment_kind)
  const given = rows.flatMap(({ balance, accounts = {} }) => [balance?.id ?? [], ...Object.values(accounts)].flat())
  let id = await takeBeside(tx, brand_id, 'balance_id', given, rows.filter(lacks).length)
  return rows.map((row) =>
    lacks(row) ? { ...row, balance: { id: ++id, name: row.name, type: row.payment_kind } } : row,
  )
}

/** The balances that these methods name. */
export async function accountsOf(context: WriteContext, rows: readonly Method[]): Promise<GivenBalance[]> {
  const main = await mainVenue(context)
  return rows.flatMap(({ balance, accounts = {}, position }): GivenBalance[] => {
    if (!balance || !ACCOUNTS.includes(balance.type)) return []
    const account = (id: number, venue_id: number | undefined): GivenBalance => ({
      id,
      ...(venue_id !== undefined && { venue_id }),
      name: balance.name,
      type: balance.type,
      position,
    })
    const others = Object.entries(accounts).filter(([, id]) => id !== balance.id)
    const own = Object.entries(accounts).find(([, id]) => id === balance.id)
    return [
      account(balance.id, own ? Number(own[0]) : main),
      ...others.map(([venue_id, id]) => account(id, Number(venue_id))),
    ]
  })
}

async function mainVenue({ tx, brand_id }: WriteContext): Promise<number | undefined> {
  const [main] = await tx.rows<{ id: number }>('select id from venues where brand_id = ? and is_main = 1', [brand_id])
  return main?.id
}

export const linkAccounts = (
  { tx, brand_id }: WriteContext,
  links: readonly { readonly payment_method_id: number; readonly venue_id: number; readonly balance_id: number }[],
): Promise<void> =>
  upsert(
    tx,
    'payment_accounts',
    ['brand_id', 'payment_method_id', 'venue_id'],
    links.map(({ payment_method_id, venue_id, balance_id }) => ({ brand_id, payment_method_id, venue_id, balance_id })),
  )

interface Unlinked {
  method_id: number
  venue_id: number
  is_main: number
  is_new: number
  body: string
}

/** Gives each venue a balance for each method that has none there: after an import or a form, when all that they bring is in. */
export async function giveAccounts(context: WriteContext): Promise<void> {
  const { tx, brand_id } = context
  if ((await unlinkedOf(context)).length > 0) {
    await add(tx, brand_id, { balance_id: 0 }) // locked: of two at once the second finds what the first gave
    await linkNew(context, await unlinkedOf(context))
  }
  await settleBalances(context)
}

const unlinkedOf = ({ tx, brand_id }: WriteContext): Promise<Unlinked[]> =>
  tx.rows<Unlinked>(
    `select methods.id as method_id, venues.id as venue_id, venues.is_main, methods.body,
       case when exists (select 1 from payment_accounts as others where others.brand_id = methods.brand_id
         and others.payment_method_id = methods.id) then 0 else 1 end as is_new
     from payment_methods as methods join venues on venues.brand_id = methods.brand_id
     where methods.brand_id = ? and methods.kind in ${places(ACCOUNTS)} and not exists (
       select 1 from payment_accounts as its where its.brand_id = methods.brand_id
         and its.payment_method_id = methods.id and its.venue_id = venues.id)
     order by methods.id, venues.id`,
    [brand_id, ...ACCOUNTS],
  )

async function linkNew(context: WriteContext, unlinked: readonly Unlinked[]): Promise<void> {
  const { tx, brand_id } = context
  const isOwn = ({ is_main, is_new }: Unlinked) => is_main === 1 && is_new === 1 // of a new method the main venue has its balance
  const others = unlinked.filter((each) => !isOwn(each))
  let id = await takeBeside(tx, brand_id, 'balance_id', [], others.length)
  const made = unlinked.map((each) => {
    const { method_id, venue_id, body } = each
    const { balance, position } = JSON.parse(body) as Required<Method>
    const row: GivenBalance = {
      id: isOwn(each) ? balance.id : ++id,
      venue_id,
      name: balance.name,
      position,
      type: balance.type as BalanceType,
    }
    return { method_id, row }
  })
  await keepBalances(
    { ...context, insertOnly: false },
    made.map(({ row }) => row),
  )
  await linkAccounts(
    context,
    made.map(({ method_id, row }) => ({ payment_method_id: method_id, venue_id: row.venue_id!, balance_id: row.id })),
  )
}

/** The balance of a method is that of the active venue. */
export const withAccountsHere: Compose = async (db, { brand_id, venue_id }, bodies) => {
  const rows = await db.rows<{ method_id: number; id: number; name: string; type: BalanceType }>(
    `select its.payment_method_id as method_id, balances.id, balances.name, balances.type
     from payment_accounts as its join balances on balances.brand_id = its.brand_id and balances.id = its.balance_id
     where its.brand_id = ? and its.venue_id = ?`,
    [brand_id, venue_id],
  )
  const here = new Map(rows.map(({ method_id, ...balance }) => [method_id, balance]))
  return bodies.map((body) => {
    const method = JSON.parse(body) as Method
    const balance = here.get(method.id)
    return balance && balance.id !== method.balance?.id ? JSON.stringify({ ...method, balance }) : body
  })
}
