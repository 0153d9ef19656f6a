import type { Queries } from '../src/storage/database.ts'
import { insert, places } from '../src/storage/upsert.ts'
import { fold } from '../src/values/fold.ts'
import { toScaled } from '../src/values/values.ts'

// Balances of the customers, suppliers and payment methods that are there become rows. An amount gets an OPENING transaction (P22).

const BATCH = 250
const KINDS = ['customers', 'suppliers', 'payment_methods']
const ACCOUNTS = ['CASH', 'CARD', 'OTHER']

interface Row {
  brand_id: number
  id: string | number
  body: string
  created_at: string
}

interface Held {
  id?: number | null
  amount?: number
  name?: string
  type: string
}

interface Method {
  id: number
  name: string
  kind: string
  position: number
  balance?: Held
}

/** A balance to be made. */
interface Made {
  readonly id: number
  readonly venue_id?: number
  readonly name: string
  readonly type: string
  readonly amount: number
  readonly customer_id?: string
  readonly supplier_id?: number
  readonly position: number
  readonly created_at: string
}

/** Makes the balances of some rows, and answers how many rows. */
export async function batch(tx: Queries): Promise<number> {
  const [place] = await tx.rows<{ kind: string; brand_id: number; id: string }>('select * from money_upgrade', [])
  if (!place) return 0
  const { kind } = place
  const after = kind === 'customers' ? place.id : Number(place.id)
  const rows = await tx.rows<Row>(
    `select brand_id, id, body, created_at from ${kind} where brand_id > ? or (brand_id = ? and id > ?)
     order by brand_id, id limit ${BATCH}`,
    [place.brand_id, place.brand_id, after],
  )
  for (const [brand_id, own] of Map.groupBy(rows, (row) => row.brand_id)) await upgrade(tx, kind, brand_id, own)
  const last = rows.at(-1)
  if (last) await tx.run('update money_upgrade set brand_id = ?, id = ?', [last.brand_id, String(last.id)])
  else if (kind === KINDS.at(-1)) await tx.run('delete from money_upgrade', [])
  else await tx.run(`update money_upgrade set kind = ?, brand_id = 0, id = '0'`, [KINDS[KINDS.indexOf(kind) + 1]!])
  return rows.length + (last ? 0 : 1)
}

async function upgrade(tx: Queries, kind: string, brand_id: number, rows: readonly Row[]): Promise<void> {
  const ids = await newIds(tx, brand_id, rows)
  const made: Made[] = []
  if (kind === 'customers') for (const row of rows) made.push(...(await ofCustomer(tx, row, ids)))
  if (kind === 'suppliers') for (const row of rows) made.push(...(await ofSupplier(tx, row, ids)))
  const links: { payment_method_id: number; venue_id: number; balance_id: number }[] = []
  if (kind === 'payment_methods')
    for (const row of rows) {
      const accounts = await ofMethod(tx, row, ids)
      links.push(
        ...accounts.map(({ id, venue_id }) => ({
          payment_method_id: Number(row.id),
          venue_id: venue_id!,
          balance_id: id,
        })),
      )
      made.push(...accounts.filter(({ id }) => !ids.isShared(id)))
    }
  await insertBalances(tx, brand_id, made)
  await insert(
    tx,
    'payment_accounts',
    links.map((link) => ({ brand_id, ...link })),
  )
  await ids.keep()
}

/** Ids of balances: those that rows have, where no other row has them already, and new ones. */
async function newIds(tx: Queries, brand_id: number, rows: readonly Row[]) {
  const named = rows.flatMap(({ body }) => {
    const { balance, cashback_balance } = JSON.parse(body) as { balance?: Held; cashback_balance?: Held }
    return [balance?.id ?? [], cashback_balance?.id ?? []].flat()
  })
  const taken = new Map<number, string>() // by id: the type
  const found = await tx.rows<{ id: number; type: string }>(
    `select id, type from balances where brand_id = ? and id in ${places([...named, 0])}`,
    [brand_id, ...named, 0],
  )
  for (const { id, type } of found) taken.set(id, type)
  let last = Math.max(await counter(tx, brand_id, 'balance_id'), ...named)
  const shared = new Set<number>()
  return {
    next: () => ++last,
    /** The id that a row has, unless it is another one's. Accounts of methods may be shared. */
    own(held: Held, mayShare = false): number {
      const id = held.id ?? ++last
      const type = taken.get(id)
      if (type === undefined) {
        taken.set(id, held.type)
        return id
      }
      if (mayShare && type === held.type) {
        shared.add(id)
        return id
      }
      return ++last
    },
    isShared: (id: number) => shared.has(id),
    keep: () => setCounter(tx, brand_id, 'balance_id', last),
  }
}

type Ids = Awaited<ReturnType<typeof newIds>>

async function ofCustomer(tx: Queries, { brand_id, id, body, created_at }: Row, ids: Ids): Promise<Made[]> {
  const customer = JSON.parse(body) as { balance: Held; cashback_balance: Held }
  const stored = await tx.text('select details from customers where brand_id = ? and id = ?', [brand_id, id])
  const details = JSON.parse(stored!) as { spent?: number }
  if (details.spent)
    await tx.run('update customers set spent_before = ? where brand_id = ? and id = ?', [
      ...[toScaled(details.spent)!, brand_id, id],
    ])
  const changed: Record<string, number> = {}
  const made = (['balance', 'cashback_balance'] as const).flatMap((member): Made[] => {
    const held = customer[member]
    if (!held || (held.id == null && !held.amount)) return []
    const own = ids.own(held)
    if (own !== held.id) {
      customer[member] = { ...held, id: own }
      changed[`${member}_id`] = own
    }
    const name = member === 'balance' ? 'Balance' : 'Cashback'
    const { type, amount = 0 } = held
    return [{ id: own, name, type, amount, customer_id: String(id), position: 0, created_at }]
  })
  if (Object.keys(changed).length > 0) {
    await tx.run('update customers set body = ?, details = ? where brand_id = ? and id = ?', [
      ...[JSON.stringify(customer), JSON.stringify({ ...details, ...changed }), brand_id, id],
    ])
  }
  return made
}

async function ofSupplier(tx: Queries, { brand_id, id, body, created_at }: Row, ids: Ids): Promise<Made[]> {
  const supplier = JSON.parse(body) as { balance: Held }
  const own = ids.own(supplier.balance)
  if (own !== supplier.balance.id)
    await tx.run('update suppliers set body = ? where brand_id = ? and id = ?', [
      ...[JSON.stringify({ ...supplier, balance: { ...supplier.balance, id: own } }), brand_id, id],
    ])
  const { amount = 0, type } = supplier.balance
  return [{ id: own, name: 'Supplier', type, amount, supplier_id: Number(id), position: 0, created_at }]
}

/** One in each venue; that of the main venue is the one that the method shows. */
async function ofMethod(tx: Queries, { brand_id, body, created_at }: Row, ids: Ids): Promise<Made[]> {
  const method = JSON.parse(body) as Method
  if (!ACCOUNTS.includes(method.kind)) return []
  const held = { name: method.name, type: method.kind, ...method.balance }
  const own = ids.own(held, true)
  if (own !== method.balance?.id) {
    const balance = { id: own, name: held.name, type: held.type }
    await tx.run('update payment_methods set body = ? where brand_id = ? and id = ?', [
      ...[withBalance(body, balance), brand_id, method.id],
    ])
  }
  const venues = await tx.rows<{ id: number; is_main: number }>(
    'select id, is_main from venues where brand_id = ? order by id',
    [brand_id],
  )
  return venues.map(({ id: venue_id, is_main }) => ({
    ...{ id: is_main === 1 ? own : ids.next(), venue_id, name: held.name, type: held.type },
    ...{ amount: 0, position: method.position, created_at },
  }))
}

/** The balance stands before the dates. */
function withBalance(body: string, balance: Held): string {
  const { created_at, updated_at, balance: _, ...rest } = JSON.parse(body) as Record<string, unknown>
  return JSON.stringify({ ...rest, balance, created_at, updated_at })
}

async function insertBalances(tx: Queries, brand_id: number, made: readonly Made[]): Promise<void> {
  const now = new Date().toISOString()
  await insert(
    tx,
    'balances',
    made.map((row) => {
      const { id, venue_id, name, type, amount, customer_id, supplier_id, position, created_at } = row
      const dates = { created_at, updated_at: created_at }
      const body = { id, venue_id, name, type, amount: 0, customer_id, supplier_id, position, ...dates }
      return {
        brand_id,
        id,
        venue_id: venue_id ?? null,
        name,
        name_folded: fold(name),
        type,
        amount: toScaled(amount)!,
        steps: amount === 0 ? 0 : 1,
        customer_id: customer_id ?? null,
        supplier_id: supplier_id ?? null,
        position,
        created_at,
        updated_at: amount === 0 ? created_at : now,
        body: JSON.stringify(body),
      }
    }),
  )
  const opened = made.filter(({ amount }) => amount !== 0)
  if (opened.length === 0) return
  const category_id = await openingCategory(tx, brand_id, now)
  let id = await counter(tx, brand_id, 'transaction_id')
  await insert(
    tx,
    'transactions',
    opened.map(({ id: balance_id, venue_id, amount, customer_id, supplier_id }) => {
      id++
      const owner = { customer_id, supplier_id }
      const amounts = { amount, before_amount: 0, after_amount: amount }
      const body = { id, venue_id, balance_id, category_id, ...amounts, ...owner, operated_at: now }
      return {
        brand_id,
        id,
        venue_id: venue_id ?? null,
        balance_id,
        step: 1,
        category_id,
        amount: toScaled(amount)!,
        before_amount: 0,
        after_amount: toScaled(amount)!,
        customer_id: customer_id ?? null,
        supplier_id: supplier_id ?? null,
        operated_at: now,
        body: JSON.stringify(body),
      }
    }),
  )
  await setCounter(tx, brand_id, 'transaction_id', id)
}

async function openingCategory(tx: Queries, brand_id: number, now: string): Promise<number> {
  const [found] = await tx.rows<{ id: number }>(
    `select id from finance_categories where brand_id = ? and system_type = 'OPENING' order by status desc, id limit 1`,
    [brand_id],
  )
  if (found) return found.id
  const [last] = await tx.rows<{ id: number | null }>(
    'select max(id) as id from finance_categories where brand_id = ?',
    [brand_id],
  )
  const id = Math.max(last!.id ?? 0, await counter(tx, brand_id, 'finance_category_id')) + 1
  const name = 'Opening balances'
  const dates = { created_at: now, updated_at: now }
  const body = JSON.stringify({ id, name, type: 'INCOME', system_type: 'OPENING', status: 1, ...dates })
  await tx.run(
    `insert into finance_categories (brand_id, id, name, name_folded, type, system_type, status, created_at, updated_at, body)
     values (?, ?, ?, ?, 'INCOME', 'OPENING', 1, ?, ?, ?)`,
    [brand_id, id, name, fold(name), now, now, body],
  )
  await setCounter(tx, brand_id, 'finance_category_id', id)
  await setCounter(tx, brand_id, 'finance_categories', (await counter(tx, brand_id, 'finance_categories')) + 1)
  return id
}

async function counter(tx: Queries, brand_id: number, name: string): Promise<number> {
  const [row] = await tx.rows<{ value: number }>('select value from counters where brand_id = ? and name = ?', [
    ...[brand_id, name],
  ])
  return row?.value ?? 0
}

const setCounter = (tx: Queries, brand_id: number, name: string, value: number) =>
  tx.run(
    `insert into counters (brand_id, name, value) values (?, ?, ?)
     on conflict (brand_id, name) do update set value = excluded.value`,
    [brand_id, name, value],
  )

const COUNTED = ['balances', 'transactions']

export const up = `
drop table money_upgrade;
${COUNTED.map(
  (table) => `
insert into counters (brand_id, name, value) select brand_id, '${table}', count(*) from ${table} where true group by brand_id
  on conflict (brand_id, name) do update set value = excluded.value;
insert into counters (brand_id, name, value)
  select brand_id, '${table}:' || coalesce(venue_id, 0), count(*) from ${table} where true group by brand_id, coalesce(venue_id, 0)
  on conflict (brand_id, name) do update set value = excluded.value;
`,
).join('')}
insert into day_totals (brand_id, name, venue_id, day, value)
  select brand_id, 'transactions', coalesce(venue_id, 0), substr(operated_at, 1, 10), count(*) from transactions
  where true group by brand_id, coalesce(venue_id, 0), substr(operated_at, 1, 10);
`
