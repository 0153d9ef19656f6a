import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Installation, onEachEngine } from '../../test/database/engines.ts'
import { stoppingAfter } from '../../test/database/stopping-migrations.ts'
import { type Row, staff } from '../../test/database/store.ts'
import { services } from '../../test/service.ts'
import { createCredential } from '../directory/credentials.ts'
import { addIntegrator } from '../directory/registry.ts'
import { MERGE_RULES } from '../events/merge.ts'
import type { Database, Value } from '../storage/database.ts'
import { knownMigrations, migrate } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open.ts'
import { insert } from '../storage/upsert.ts'

// A database of the version before the point of sale is upgraded: what the specified endpoints say of its rows stays, to the byte.

const PRODUCTS = 620 // more than one batch of a migration
const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString()

const rows: Row[] = [
  ...staff(),
  { kind: 'venue', id: 2, name: 'Zweite “Straße”' },
  { kind: 'customer_group', id: 2, name: 'Été', discount_type: 'percent', discount_value: 5, created_at: at(0) },
  ...Array.from(
    { length: PRODUCTS },
    (_, index): Row => ({
      kind: 'product',
      id: index * 2 + 1,
      name: `Thé ${index % 9}`,
      type: 'DISH',
      price: index / 4,
      status: 1,
      taxes: [{ id: 1, name: 'VAT', rate: 10 }],
      created_at: at(index),
      updated_at: at(index + 1),
      ...(index % 5 === 0 && {
        has_modifications: true,
        modifications: [{ id: index * 2 + 2, name: 'large', price: 9, barcode: `4${index}` }],
      }),
    }),
  ),
  ...[1, 2].map((id): Row => ({ kind: 'price_list', id, name: `List ${id}`, status: true, created_at: at(id) })),
  ...[1, 2, 3].map((id): Row => ({ kind: 'price', id, list_id: 1 + (id % 2), product_id: id, price: id + 0.5 })),
  ...[1, 2, 3].map(
    (id): Row => ({
      kind: 'customer',
      id: String(id),
      name: `Zoé ${id}`,
      phone: `+33 6 0${id}`,
      code: `C${id}`,
      group_id: 1 + (id % 2),
      created_at: at(id),
    }),
  ),
  ...[1, 2, 3].map(
    (id): Row => ({
      kind: 'receipt',
      id,
      venue_id: 1 + (id % 2),
      user_id: 1,
      customer_id: id,
      total: 12.5,
      subtotal: 12.5,
      status: 2,
      payment_methods: [{ id: 1, name: 'Cash', amount: 12.5 }],
      created_at: at(id),
      closed_at: at(id + 1),
    }),
  ),
  ...[1, 2].map(
    (id): Row => ({
      kind: 'stock_operation',
      id,
      venue_id: id,
      product_id: 1,
      receipt_id: 1,
      quantity: -1,
      operated_at: at(id),
    }),
  ),
]

/** Its tables, what they point at first, with the rows of each that there were then. */
const OLD_TABLES: Readonly<Record<string, string>> = {
  brands: '',
  venues: '',
  roles: '',
  users: '',
  customer_groups: '',
  customers: '',
  products: ' order by parent_id is not null, id',
  price_lists: '',
  prices: '',
  receipts: '',
  stock_operations: '',
  counters: ` where name in ('customer_id', 'balance_id', 'customers', 'products', 'price_lists', 'receipts', 'stock_operations',
    'receipts:1', 'receipts:2', 'stock_operations:1', 'stock_operations:2')`,
  page_marks: ` where name in ('products', 'price_lists')`,
}

async function copyRows(from: Database, to: Database): Promise<void> {
  for (const [table, which] of Object.entries(OLD_TABLES)) {
    const columns =
      to.dialect.engine === 'SQLite'
        ? await to.texts(`select name from pragma_table_info('${table}')`, [])
        : await to.texts(
            `select column_name::text from information_schema.columns
             where table_schema = current_schema() and table_name = '${table}'`,
            [],
          )
    const held = await from.rows<Record<string, Value>>(`select ${columns.join(', ')} from ${table}${which}`, [])
    await to.transaction((tx) => insert(tx, table, held))
  }
}

const READS = [
  ...[1, 2, 7].map((page) => `/products?limit=100&page=${page}`),
  '/products?filters=[["barcode","like","4"]]&sort[0][0]=price&sort[0][1]=desc',
  '/price-lists?include=prices',
  ...[1, 2, 3].map((id) => `/receipts/${id}`),
  ...[1, 2].map((id) => `/stock-operations/${id}`),
]
const NEW_CUSTOMER = { name: 'Ana', phone: '+33 6 99', cid: '00000000-0000-4000-8000-0000000000aa' }

onEachEngine('an older database', (make) => {
  let next: Installation
  const start = services(async () => next)
  type Service = Awaited<ReturnType<typeof start>>

  async function answersOf({ call, token }: Service, credentials: object): Promise<string[]> {
    const headers = { 'x-token': await token(credentials) }
    const answers: string[] = []
    for (const path of READS)
      for (const venue of ['1', '2'])
        answers.push((await call(path, { headers: { ...headers, 'x-venue': venue } })).text)
    answers.push((await call('/customers', { method: 'POST', headers, body: NEW_CUSTOMER })).text)
    return answers.map((text) => text.replace(/"time":[\d.]+/, '"time":0'))
  }

  test('answers as before after its upgrade, though that was stopped four times; its rows are in the new lists', async () => {
    next = await make()
    const present = await start()
    const { credentials } = await present.brand('bistro', { rows })
    next = await make('empty')
    const old = await openDatabase(next.config, 'command', MERGE_RULES)
    const known = await knownMigrations()
    const { version } = known.find(({ name }) => name === 'events')!
    await migrate(
      old,
      known.filter((migration) => migration.version < version),
    )
    await copyRows(present.deps.db, old)
    const expected = await answersOf(present, credentials)

    let told = 0
    for (const allowed of [3, 40, 100, 600])
      await assert.rejects(migrate(stoppingAfter(old, allowed)), /stopped/, `after ${allowed} statements`)
    await migrate(old, undefined, () => told++)
    assert.ok(told > 1, 'batches are reported')
    await old.close()

    const upgraded = await start()
    const { deps, call, token } = upgraded
    await addIntegrator(deps.db, 'test', { name: 'hub', id: 'hub', test: false })
    const credential = await createCredential(deps.db, deps.keys, 'test', { brand: 'bistro', username: 'owner' })
    await deps.directory.refresh()
    const theirs = { ...credential, brand: 'bistro', integrator_id: 'hub' }
    assert.deepEqual(await answersOf(upgraded, theirs), expected)

    const headers = { 'x-token': await token(theirs) }
    const total = async (path: string) => (await call(path, { headers })).body.total
    assert.deepEqual(
      [await total('/venues'), await total('/users'), await total('/customer-groups'), await total('/customers')],
      [2, 1, 2, 4],
    )
    assert.equal(await total('/price-lists/prices'), 3)
    const stores = (await call('/storages?venue=all', { headers })).body
    assert.equal(stores.total, 2, 'every venue has a main storage (P20)')
    assert.deepEqual(
      (stores.data as Row[]).map(({ id, venue_id, is_main }) => [id, venue_id, is_main]),
      [
        [1, 1, 1],
        [2, 2, 1],
      ],
    )
    const [zoe] = (await call('/customers?include=details&limit=1', { headers })).body.data as Row[]
    assert.deepEqual([zoe!.code, zoe!.spent, zoe!.updated_at], ['C1', 0, at(1)])
    const { body } = await call('/products?include=details&filters=[["parent_id",1]]', { headers })
    const [large] = body.data as Row[]
    assert.deepEqual([large!.parent_id, large!.barcode, large!.hidden], [1, '40', false])
  })
})
