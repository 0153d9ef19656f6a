import { RowProblem } from '../../resource/files/read-row.ts'
import type { Compose } from '../../resource/read/page.ts'
import { add, takeBeside } from '../../resource/write/counters.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { places, upsert } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { type BalanceType, HOUSE_KINDS, type PaymentKind } from '../../values/states.ts'
import { type GivenBalance, keepBalances, settleBalances } from './balance-rows.ts'

// Where payments go: a method of kind CASH, CARD or OTHER has a balance in each venue, so that no venue's sales wait for another's
// (P16). Payments of kind CUSTOMER and CASHBACK go to the customer's own balances.

const isOfHouse = (kind: string) => HOUSE_KINDS.some((each) => each === kind)

/** A payment method, with the accounts that it names. */
interface Method {
  readonly id: number
  readonly name: string
  readonly payment_kind: PaymentKind
  readonly position: number
  readonly balance?: { id: number; name: string; type: PaymentKind }
  readonly accounts?: Readonly<Record<string, number>>
}

/**
 * A method has a balance, that of the main venue, unless it takes from the customer's. One that was never used may get another kind, and
 * gets other accounts with it.
 */
export async function completed<Row extends Method>(context: WriteContext, lines: readonly Row[]): Promise<Row[]> {
  const { tx, brand_id } = context
  const existing = await tx.rows<{ id: number; kind: string; body: string }>(
    `select id, kind, body from payment_methods where brand_id = ? and id in ${places(lines)} order by id${tx.dialect.lockRows}`,
    [brand_id, ...lines.map(({ id }) => id)],
  )
  const before = new Map(existing.map((row) => [row.id, row]))
  const others = lines.filter(({ id, payment_kind }) => (before.get(id)?.kind ?? payment_kind) !== payment_kind)
  const used = await methodsInUse(
    context,
    others.map(({ id }) => id),
  )
  const rows = lines.map((line) => {
    const { id, payment_kind } = line
    if (used.has(id))
      throw new RowProblem(`payment_kind of method ${id} stays ${before.get(id)!.kind}: ${IN_USE}`, line)
    const was = before.get(id)
    const { balance = was && (JSON.parse(was.body) as Method).balance, accounts: _, ...rest } = line
    const isOther = others.includes(line) && balance?.type !== payment_kind
    const own = isOther ? (rest as Row) : { ...line, ...definedOnly({ balance }) }
    refuseOtherDrawer(own)
    return own
  })
  if (others.length > 0)
    await tx.run(`delete from payment_accounts where brand_id = ? and payment_method_id in ${places(others)}`, [
      brand_id,
      ...others.map(({ id }) => id),
    ])
  const lacks = ({ balance, payment_kind }: Method) => !balance && isOfHouse(payment_kind)
  const given = rows.flatMap(({ balance, accounts = {} }) => [balance?.id ?? [], ...Object.values(accounts)].flat())
  let id = await takeBeside(tx, brand_id, 'balance_id', given, rows.filter(lacks).length)
  return rows.map((row) =>
    lacks(row) ? { ...row, balance: { id: ++id, name: row.name, type: row.payment_kind } } : row,
  )
}

/** What a drawer holds is on balances of type CASH, and nothing else is (I10). */
function refuseOtherDrawer(line: Method): void {
  const { payment_kind, balance } = line
  if (!balance || !isOfHouse(payment_kind) || (balance.type === 'CASH') === (payment_kind === 'CASH')) return
  throw new RowProblem(`balance.type is ${balance.type}, and a method of kind ${payment_kind} cannot pay to it`, line)
}

export const IN_USE = 'payments were made by it, or an order that is paid by it is waiting'

/** Finds the methods that keep their kind: payments were made by them, or orders that are paid by them wait. */
export async function methodsInUse({ tx, brand_id, now }: WriteContext, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const used = await tx.rows<{ id: number }>(
    `select payment_method_id as id from payment_method_uses where brand_id = ? and payment_method_id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  const waiting = await tx.texts(
    `select body from orders where brand_id = ? and status = 'PENDING' and (expires_at is null or expires_at > ?)`,
    [brand_id, now],
  )
  const paidBy = waiting.flatMap((body) => (JSON.parse(body) as { payments?: { id: number }[] }).payments ?? [])
  const found = new Set([...used, ...paidBy].map(({ id }) => id))
  return new Set(ids.filter((id) => found.has(id)))
}

/** Remembers that payments were made by these methods, whether or not they are there yet. */
export async function markUsed(
  { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.run(
    `insert into payment_method_uses (brand_id, payment_method_id) values ${ids.map(() => '(?, ?)').join(', ')}
     on conflict (brand_id, payment_method_id) do nothing`,
    ids.flatMap((id) => [brand_id, id]),
  )
}

/** The balances that these methods name. */
export async function accountsOf(context: WriteContext, rows: readonly Method[]): Promise<GivenBalance[]> {
  const main = await mainVenue(context)
  return rows.flatMap(({ balance, accounts = {}, position }): GivenBalance[] => {
    if (!balance || !isOfHouse(balance.type)) return []
    const account = (id: number, venue_id: number | undefined): GivenBalance => ({
      id,
      ...definedOnly({ venue_id }),
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
     where methods.brand_id = ? and methods.kind in ${places(HOUSE_KINDS)} and not exists (
       select 1 from payment_accounts as its where its.brand_id = methods.brand_id
         and its.payment_method_id = methods.id and its.venue_id = venues.id)
     order by methods.id, venues.id`,
    [brand_id, ...HOUSE_KINDS],
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
    { ...context, mode: 'import' },
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
