import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { LATE_MS } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { closeDeps, openDeps } from '../../deps.ts'
import { type Browser, offices } from '../office-fixture.ts'
import type { EditField, Forms } from '../schema.ts'

const rows: Row[] = [
  ...[1, 2].map((id) => ({ kind: 'venue', id, name: `Venue ${id}`, is_main: id === 1 })),
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Manager', permissions: ['products:read', 'menu:write', 'settings:write'] },
  { kind: 'role', id: 3, name: 'Waiter', permissions: ['products:read'] },
  { kind: 'role', id: 4, name: 'Deputy', permissions: [] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'manager', role_id: 2, venue_ids: [2] },
  { kind: 'user', id: 3, username: 'waiter', role_id: 3, venue_ids: [2] },
  { kind: 'user', id: 4, username: 'cook', role_id: 3, venue_ids: [2] },
  { kind: 'user', id: 5, username: 'deputy', role_id: 4 },
  { kind: 'product', id: 1, name: 'Tea', full_name: 'Tea', type: 'DISH', status: 1, price: 3 },
  {
    kind: 'product',
    id: 2,
    name: 'Coffee',
    type: 'DISH',
    status: 1,
    has_modifications: true,
    modifications: [{ id: 3, name: 'large', price: 4 }],
    recipe: [{ id: 1, name: 'Tea' }],
  },
]

/** What every product has. */
const SWITCHES = {
  hidden: false,
  sold_by_weight: false,
  discountable: true,
  giftable: true,
  ignore_service_charge: false,
}

type Person = () => Promise<Browser>

/** Does the work on the first call. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined
  return () => (done ??= work())
}

/** A value that the schema of a member takes. */
function sampleOf({ name, schema, options }: EditField): unknown {
  if (options !== null) return schema.type === 'array' ? [] : 1
  if (schema.enum) return schema.enum[0]
  if (schema.patternProperties) return { 2: 0 }
  return { array: [], integer: 3, number: 5.5, boolean: true, object: {} }[String(schema.type)] ?? `New ${name}`
}

interface Entry {
  action: string
  subject: string
  actor: string
  before: object | null
  after: object | null
}

onEachEngine('what staff change by hand', (make) => {
  const office = offices(make)
  const opened = once(office)

  /** One brand for most of this file, since every person who signs in costs a password. */
  async function restaurant(slug = 'bistro') {
    const { brand, staffBrowser, call, token } = await opened()
    const { id, credentials } = await brand(slug, { rows })
    const headers = { 'x-token': await token(credentials) }
    const [owner, manager, waiter] = ['owner', 'manager', 'waiter'].map((username) =>
      once(() => staffBrowser(slug, username)),
    ) as [Person, Person, Person]
    return {
      id,
      headers,
      owner: await owner(),
      manager,
      waiter,
      async product(id: number) {
        const { body } = await call(`/products?filters=[["id",${id}]]`, { headers })
        return (body.data as Record<string, unknown>[])[0]
      },
      total: async () =>
        ((await call('/products?limit=1', { headers })).body as { pagination: { total: number } }).pagination.total,
      newest: async (): Promise<Entry> => (await (await owner()).ask('GET', '/audit')).body.rows[0],
    }
  }
  const bistro = once(restaurant)

  /** Sends a request with further headers. */
  async function send(
    { cookie }: Browser,
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    headers = {},
  ) {
    const { app } = await opened()
    const url = `/back-office/api${path}`
    const answer = await app.inject({
      method,
      url,
      headers: { ...asPage, cookie: cookie!, ...headers },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
  }

  test('a change is in the API at once, with what it changed from and to in the answer and in the audit log', async () => {
    const { owner, product, newest } = await bistro()
    const { data: read } = (await owner.ask('GET', '/edit/products/1')).body
    const tea = { name: 'Tea', full_name: 'Tea', type: 'DISH', price: 3, hidden: false, status: 1, takes: [] }
    assert.deepEqual(read.values, { ...SWITCHES, ...tea })
    const before = await product(1)

    const { status, body } = await owner.ask('PATCH', '/edit/products/1', { price: 3.5, name: 'Green tea' })
    assert.deepEqual([status, body.success, body.message], [200, true, 'Changed.'])
    const changed = [
      { member: 'name', from: 'Tea', to: 'Green tea' },
      { member: 'full_name', from: 'Tea', to: 'Green tea' },
      { member: 'price', from: 3, to: 3.5 },
    ]
    assert.deepEqual(body.data.changed, changed)
    assert.notEqual(body.data.version, read.version)
    const after = { ...before, name: 'Green tea', full_name: 'Green tea', price: 3.5 }
    assert.deepEqual(await product(1), { ...after, updated_at: '2026-03-01T12:00:00.000Z' })
    const { action, subject, actor, before: from, after: to } = await newest()
    assert.deepEqual([action, subject], ['product.change', '1 Tea'])
    assert.match(actor, /owner/)
    assert.deepEqual(from, { name: 'Tea', full_name: 'Tea', price: 3 })
    assert.deepEqual(to, { name: 'Green tea', full_name: 'Green tea', price: 3.5 })

    const same = await owner.ask('PATCH', '/edit/products/1', { price: 3.5, name: ' Green tea ' })
    assert.deepEqual([same.body.message, same.body.data.changed], ['Nothing changed.', []])
    assert.equal((await newest()).subject, '1 Tea', 'nothing is recorded where nothing changed')
    await owner.ask('PATCH', '/edit/products/1', { price: null })
    assert.equal('price' in (await product(1))!, false, 'null takes a value away')
  })

  test('a new row gets the next id, also after those that are inside others, and is counted', async () => {
    const { owner, product, newest, total } = await bistro()
    const before = await total()
    const { body } = await owner.ask('POST', '/edit/products', { name: 'Soup', type: 'DISH', price: 7 })
    assert.deepEqual(body.data.values, { ...SWITCHES, name: 'Soup', type: 'DISH', price: 7, status: 1, takes: [] })
    assert.equal(body.data.id, 4, 'a variant has 3')
    assert.equal((await product(4))!.created_at, '2026-03-01T12:00:00.000Z')
    assert.equal(await total(), before + 1)
    const entry = await newest()
    assert.deepEqual([entry.action, entry.subject, entry.before], ['product.create', '4 Soup', null])
  })

  test('wrong members are refused one by one, as in the API, and nothing is changed', async () => {
    const { owner, product, newest } = await bistro()
    const last = await newest()
    const before = await product(1)
    const refused = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const answer = await owner.ask(method, `/edit${path}`, body)
      assert.deepEqual([answer.status, answer.body.error], [400, 'validation_failed'], JSON.stringify(answer.body))
      const { errors } = answer.body.details as { errors: { field: string; rule: string; message: string }[] }
      assert.equal(answer.body.message, errors[0]!.message)
      return errors.map(({ field, rule }) => `${field} ${rule}`)
    }
    assert.deepEqual(await refused('PATCH', '/products/1', { name: ' ', price: 0.00001, status: 2 }), [
      'name name',
      'status choice',
      'price decimals',
    ])
    assert.deepEqual(await refused('PATCH', '/products/1', { name: null }), ['name required'])
    assert.deepEqual(await refused('PATCH', '/products/1', { id: 9, prise: 1 }), ['id unknown', 'prise unknown'])
    assert.deepEqual(await refused('PATCH', '/products/1', { type: 'PRODUCT' }), ['type fixed'])
    assert.deepEqual(await refused('POST', '/products', { price: 1 }), ['name required', 'type required'])
    assert.deepEqual(await refused('POST', '/products', { name: 'x', type: 'MODIFICATION' }), ['body refused'])
    assert.deepEqual(await refused('POST', '/products', []), ['body type'])
    assert.deepEqual(await refused('POST', '/users', { username: 'Owner', role_id: 1 }), ['username refused'])
    const preset = { name: 'Hot', category_ids: [99], allergy: 0, position: 1, status: 1 }
    assert.deepEqual(await refused('POST', '/note-presets', preset), ['category_ids exists'])
    assert.deepEqual(await refused('POST', '/users', { username: 'eva', role_id: 9, venue_ids: [1, 7] }), [
      'role_id exists',
      'venue_ids exists',
    ])
    assert.deepEqual(await refused('PATCH', '/venues/1', { is_main: false }), ['is_main refused'])
    const hours = { mon: [{ from: '09:00', to: '09:00' }] }
    assert.deepEqual(await refused('PATCH', '/venues/1', { hours }), ['hours.mon[0] refused'])
    assert.deepEqual(await refused('PATCH', '/products/1', { price: -1 }), ['price refused'])
    assert.deepEqual(await refused('PATCH', '/products/3', { price: -1 }), ['price refused'], 'a variant')
    const rate = { name: 'x', system_type: 'IN', channel: 'IN', status: {}, position: 1, service_charge_rate: -1 }
    assert.deepEqual(await refused('POST', '/sale-types', rate), ['service_charge_rate refused'])
    assert.deepEqual(await product(1), before)
    assert.deepEqual(await newest(), last)
  })

  test('rows that are not there or of another brand are 404, all alike', async () => {
    const { owner } = await bistro()
    const { brand } = await opened()
    await brand('trattoria', { rows: [...rows, { kind: 'product', id: 50, name: 'Theirs', type: 'DISH' }] })
    for (const id of [50, 99])
      for (const method of ['GET', 'PATCH'] as const) {
        const { status, body } = await owner.ask(
          method,
          `/edit/products/${id}`,
          method === 'PATCH' ? { price: 1 } : undefined,
        )
        assert.deepEqual([status, body], [404, { error: 'not_found', message: 'There is no record with this id.' }])
      }
    assert.equal((await owner.ask('GET', '/edit/products/x')).status, 400)
    assert.equal((await owner.ask('GET', '/edit/receipts/1')).status, 404, 'receipts are not changed by hand')
  })

  test('a form is of those who have its permission', async () => {
    const { waiter: who, manager: whoMay } = await bistro()
    const [waiter, manager] = [await who(), await whoMay()]
    for (const [method, path] of [
      ['GET', '/edit/products/1'],
      ['POST', '/edit/products'],
      ['PATCH', '/edit/products/1'],
    ] as const) {
      const { status, body } = await waiter.ask(method, path, method === 'GET' ? undefined : { price: 1 })
      assert.deepEqual([status, body.details], [403, { required: 'menu:write' }], path)
    }
    assert.deepEqual((await waiter.ask('GET', '/edit')).body.data, { forms: [], venues: [{ id: 2, name: 'Venue 2' }] })
    const forms = (await manager.ask('GET', '/edit')).body.data.forms as { resource: string; fields: Row[] }[]
    assert.deepEqual(forms.map(({ resource }) => resource).slice(0, 3), ['venues', 'roles', 'users'])
    const { fields } = forms.find(({ resource }) => resource === 'users')!
    assert.deepEqual(
      fields.map(({ name, required, only_new, options }) => [name, required, only_new, options]),
      [
        ['username', true, true, null],
        ['name', false, false, null],
        ['role_id', true, false, 'roles'],
        ['venue_ids', false, false, 'venues'],
        ['active', false, false, null],
        ['first_name', false, false, null],
        ['last_name', false, false, null],
        ['email', false, false, null],
        ['mobile_number', false, false, null],
      ],
    )
    const { data } = (await manager.ask('GET', '/edit/users/options/role_id?search=wAi')).body
    assert.deepEqual(data, [{ id: 3, name: 'Waiter' }])
    const { names } = (await manager.ask('GET', '/edit/users/3')).body.data
    assert.deepEqual(names, { role_id: { 3: 'Waiter' }, venue_ids: { 2: 'Venue 2' } })
  })

  test('a venue that somebody may not enter is not there for them, nor its name', async () => {
    const { id, manager: opens, owner } = await bistro()
    const { deps } = await opened()
    await putRows(deps.db, id, [{ kind: 'user', id: 6, username: 'steward', role_id: 3, venue_ids: [1, 2] }])
    const manager = await opens()
    const [closed, never] = [1, 9] as const
    const read = async (venue: number) => {
      const { status, body } = await manager.ask('GET', `/edit/venues/${venue}`)
      return [status, body]
    }
    assert.deepEqual(await read(closed), await read(never))
    for (const [change, headers] of [
      [{ name: 'Mine' }, {}],
      [{ time_zone: 'Nowhere' }, {}],
      [{ name: 'Mine' }, { 'if-match': '"x"' }],
    ] as const) {
      const sent = async (venue: number) => {
        const { status, body } = await send(manager, 'PATCH', `/edit/venues/${venue}`, change, headers)
        return [status, body]
      }
      assert.deepEqual(await sent(closed), await sent(never))
      assert.equal((await sent(closed))[0], 404)
    }
    for (const form of ['users/options/venue_ids', 'tables/options/venue_id']) {
      const options = async (person: Browser) =>
        (await person.ask('GET', `/edit/${form}`)).body.data.map((venue: { id: number }) => venue.id)
      assert.deepEqual([await options(manager), await options(owner)], [[2], [1, 2]], form)
    }
    const { values, names } = (await manager.ask('GET', '/edit/users/6')).body.data
    assert.deepEqual([values.venue_ids, Object.keys(names.venue_ids)], [[1, 2], ['2']])
  })

  test('every form makes a row and changes it, in the venue of x-venue where rows belong to venues', async () => {
    const { owner, manager } = await bistro()
    const { forms } = (await owner.ask('GET', '/edit')).body.data as Forms
    assert.ok(forms.length > 8)
    for (const form of forms.filter(
      ({ resource, single }) => !['products', 'print-routes'].includes(resource) && !single,
    )) {
      const { resource, scope, fields } = form
      const values = Object.fromEntries(
        fields.flatMap((field) => (field.required ? [[field.name, sampleOf(field)]] : [])),
      )
      const venue = { 'x-venue': '2' }
      const made = await send(owner, 'POST', `/edit/${resource}`, values, venue)
      assert.equal(made.status, 200, `${resource} ${JSON.stringify(made.body)}`)
      const { id } = made.body.data
      const name = fields.some((field) => field.name === 'name') ? 'Renamed' : undefined
      const changed = await send(owner, 'PATCH', `/edit/${resource}/${id}`, { name }, venue)
      const { to } = changed.body.data.changed[0]
      assert.deepEqual([changed.status, to], [200, name], resource)
      const other = await send(owner, 'PATCH', `/edit/${resource}/${id}`, { name: 'Again' }, { 'x-venue': '1' })
      assert.equal(other.status, scope === 'venue' ? 404 : 200, resource)
      const listed = await owner.ask('GET', `/data/${resource}?filters=[["id",${id}]]`)
      assert.equal(listed.status, 200, `${resource} ${JSON.stringify(listed.body)}`)
      assert.equal(listed.body.data.length, 1, resource)
      if (scope === 'venue') assert.equal(listed.body.data[0].venue_id, 2, resource)
    }
    assert.equal(
      (await send(await manager(), 'POST', '/edit/tables', { name: 'T1', status: 1 }, { 'x-venue': '1' })).status,
      403,
    )
    const elsewhere = { name: 'Bar', system_type: 'IN', channel: 'IN', status: { 1: 0 }, position: 1 }
    assert.equal((await send(await manager(), 'POST', '/edit/sale-types', elsewhere)).status, 403)
    const nowhere = await send(owner, 'POST', '/edit/sale-types', { ...elsewhere, status: { 77: 0 } })
    assert.deepEqual([nowhere.status, nowhere.body.details.errors[0].field], [400, 'status'])
  })

  test('the brand is changed as by the command line, by those who may enter all of it; currency and places until a sale', async () => {
    const { brand, staffBrowser, deps } = await opened()
    const { id } = await brand('taverne', { rows })
    const [owner, manager] = [await staffBrowser('taverne'), await staffBrowser('taverne', 'manager')]
    const read = async () => (await owner.ask('GET', '/edit/brand')).body.data
    const { values, version, members } = await read()
    const kept = { contact_days: 400, request_log_days: 365 }
    const untouched = { order_prices: 'ask', cashback_percent: 0, books_check: '04:00', ...kept }
    assert.deepEqual(values, { name: 'taverne', currency: 'EUR', money_places: 2, languages: ['en'], ...untouched })
    assert.equal(members.length, 9)
    const change = { name: ' La Brasserie ', currency: 'CHF', languages: ['fr', 'de-ch'], cashback_percent: 2.5 }
    const { status, body } = await send(owner, 'PATCH', '/edit/brand', change, { 'if-match': `"${version}"` })
    assert.deepEqual([status, body.message], [200, 'Changed.'])
    assert.deepEqual(body.data.changed, [
      { member: 'name', from: 'taverne', to: 'La Brasserie' },
      { member: 'currency', from: 'EUR', to: 'CHF' },
      { member: 'languages', from: ['en'], to: ['fr', 'de-CH'] },
      { member: 'cashback_percent', from: 0, to: 2.5 },
    ])
    assert.deepEqual((await owner.ask('GET', '/me')).body.brand.currency, 'CHF')
    const [entry] = (await owner.ask('GET', '/audit')).body.rows
    assert.deepEqual([entry.action, entry.actor], ['brand.set', 'user:taverne/owner'])
    assert.deepEqual([entry.before.cashback_percent, entry.after.cashback_percent], [0, 2.5])
    const told = await deps.db.texts(`select data from events where brand_id = ? and type = 'brand.updated'`, [id])
    assert.deepEqual(told.flatMap((text) => JSON.parse(text).changed).sort(), Object.keys(change).sort())
    assert.equal((await send(owner, 'PATCH', '/edit/brand', { name: 'X' }, { 'if-match': `"${version}"` })).status, 412)
    assert.equal((await owner.ask('PATCH', '/edit/brand', { name: 'La Brasserie' })).body.message, 'Nothing changed.')
    for (const [wrong, field] of [
      [{ currency: 'euros' }, 'currency'],
      [{ money_places: 5 }, 'money_places'],
      [{ languages: [] }, 'languages'],
      [{ languages: ['not a tag'] }, 'languages'],
      [{ cashback_percent: 101 }, 'cashback_percent'],
      [{ order_prices: 'free' }, 'order_prices'],
      [{ books_check: '25:00' }, 'books_check'],
      [{ contact_days: 3651 }, 'contact_days'],
      [{ request_log_days: 366 }, 'request_log_days'],
      [{ name: ' ' }, 'name'],
      [{ slug: 'x' }, 'slug'],
    ] as const) {
      const refused = await owner.ask('PATCH', '/edit/brand', wrong)
      assert.deepEqual([refused.status, refused.body.details.errors[0].field], [400, field], JSON.stringify(wrong))
    }
    // The manager may enter one venue only.
    assert.equal((await manager.ask('GET', '/edit/brand')).status, 403)
    assert.equal((await manager.ask('PATCH', '/edit/brand', { name: 'Mine' })).status, 403)
    const forms = (await manager.ask('GET', '/edit')).body.data.forms as { resource: string }[]
    assert.ok(!forms.some(({ resource }) => resource === 'brand'))

    await putRows(deps.db, id, [{ kind: 'receipt', id: 1, venue_id: 1, total: 1 }])
    assert.deepEqual((await read()).members.includes('currency'), false)
    for (const fixed of [{ currency: 'USD' }, { money_places: 0 }]) {
      const { status, body } = await owner.ask('PATCH', '/edit/brand', fixed)
      assert.deepEqual([status, body.details.errors[0].rule], [400, 'fixed'])
    }
    assert.equal((await owner.ask('PATCH', '/edit/brand', { currency: 'CHF', books_check: 'off' })).status, 200)
  })

  test('tables are made T1 to T20 at once, without those that the venue has; each is in the audit log', async () => {
    const { owner, manager: who, waiter } = await bistro()
    const manager = await who()
    const two = { 'x-venue': '2' }
    const names = async () => {
      const { data } = (await owner.ask('GET', '/data/tables?limit=200&filters=[["venue_id",2]]')).body
      return (data as { name: string; hall?: string }[]).flatMap(({ name, hall }) => (hall === 'Cellar' ? [name] : []))
    }
    const series = (body: object, person = manager) => send(person, 'POST', '/edit/tables/series', body, two)
    const { id: hall_id } = (
      await send(manager, 'POST', '/edit/halls', { name: 'Cellar', position: 1, status: 1 }, two)
    ).body.data
    const values = { hall_id, seats: 4, status: 1 }
    await send(manager, 'POST', '/edit/tables', { ...values, name: 't3' }, two)
    const { status, body } = await series({ name: 'T', from: 1, to: 20, values })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.data.created.length, body.data.skipped], [19, ['T3']])
    const all = ['t3', ...Array.from({ length: 20 }, (_, index) => `T${index + 1}`).filter((name) => name !== 'T3')]
    assert.deepEqual(await names(), all)
    assert.deepEqual((await series({ name: 'T', from: 1, to: 20, values })).body.data.created, [])
    const { rows: entries } = (await owner.ask('GET', '/audit?search=T20')).body
    assert.deepEqual(
      entries.map(({ action }: Entry) => action),
      ['table.create'],
    )
    for (const [wrong, field] of [
      [{ name: 'T', from: 5, to: 4, values }, 'to'],
      [{ name: 'T', from: 1, to: 201, values }, 'to'],
      [{ name: 'T', from: 0, to: 4, values }, 'from'],
      [{ name: 'U', from: 1, to: 2, values: { hall_id } }, 'status'],
      [{ name: 'U', from: 1, to: 2, values: { ...values, venue_id: 1 } }, 'venue_id'],
    ] as const) {
      const refused = await series(wrong)
      assert.deepEqual([refused.status, refused.body.details?.errors[0].field], [400, field], JSON.stringify(wrong))
    }
    assert.deepEqual(await names(), all)
    assert.equal((await series({ name: 'T', from: 1, to: 2, values }, await waiter())).status, 403)
    assert.equal((await send(owner, 'POST', '/edit/stations/series', {})).status, 405, 'stations have none')
  })

  test('what the service needs stays: the main storage, and the categories that it books under', async () => {
    const { owner } = await bistro()
    const two = { 'x-venue': '2' }
    const fieldOf = ({ body }: { body: { details?: { errors: { field: string }[] } } }) =>
      body.details?.errors[0]?.field
    const storage = (await owner.ask('GET', '/data/storages?filters=[["venue_id",2],["is_main",1]]')).body.data[0]
    const change = (id: number, body: object) => send(owner, 'PATCH', `/edit/storages/${id}`, body, two)
    assert.equal(fieldOf(await change(storage.id, { is_main: 0 })), 'is_main')
    assert.equal(fieldOf(await change(storage.id, { status: 0 })), 'status')
    const made = await send(owner, 'POST', '/edit/storages', { name: 'Cellar', is_main: 1, status: 1 }, two)
    assert.equal(made.status, 200, JSON.stringify(made.body))
    assert.equal((await owner.ask('GET', `/data/storages?filters=[["id",${storage.id}]]`)).body.data[0].is_main, 0)
    const group = { name: 'Friends', discount_type: 'percent' }
    assert.equal(
      fieldOf(await owner.ask('POST', '/edit/customer-groups', { ...group, discount_value: 101 })),
      'discount_value',
    )
    assert.equal((await owner.ask('POST', '/edit/customer-groups', { ...group, discount_value: 15 })).status, 200)
  })

  test('a product gets its category, station and taxes by their ids; a tax is copied into it', async () => {
    const { owner, product, id: brand_id } = await bistro()
    const make = async (resource: string, body: object) =>
      (await owner.ask('POST', `/edit/${resource}`, body)).body.data.id as number
    const category_id = await make('categories', { name: 'Drinks', type: 'PRODUCT', status: 1 })
    const tax = await make('taxes', {
      name: 'VAT',
      rate: 10,
      included: true,
      sale_type_ids: [],
      is_default: 0,
      status: 1,
    })
    const { body } = await owner.ask('PATCH', '/edit/products/1', { category_id, taxes: [tax], hidden: true })
    assert.deepEqual(
      body.data.changed.map(({ member, to }: { member: string; to: unknown }) => [member, to]),
      [
        ['taxes', [tax]],
        ['category_id', category_id],
        ['hidden', true],
      ],
    )
    assert.deepEqual((await product(1))!.taxes, [{ id: tax, name: 'VAT', rate: 10 }])
    const { values, names } = (await owner.ask('GET', '/edit/products/1')).body.data
    assert.deepEqual([values.taxes, names.taxes], [[tax], { [tax]: 'VAT' }])
    const before = (await product(1))!
    await owner.ask('PATCH', `/edit/taxes/${tax}`, { name: 'VAT 12', rate: 12 })
    const after = (await product(1))!
    assert.deepEqual(after, { ...before, taxes: [{ id: tax, name: 'VAT 12', rate: 12 }], updated_at: after.updated_at })
    const wrong = await owner.ask('PATCH', '/edit/products/1', { taxes: [tax, 99] })
    assert.deepEqual([wrong.status, wrong.body.details.errors[0].field], [400, 'taxes'])
    const [old, iced] = [
      { id: 77, name: 'Old VAT', rate: 7 },
      { kind: 'product', id: 800, name: 'Iced tea', type: 'DISH' },
    ]
    await putRows((await opened()).deps.db, brand_id, [{ ...iced, taxes: [old] }]) // a copy without its row
    assert.deepEqual((await owner.ask('GET', '/edit/products/800')).body.data.names, { taxes: { 77: 'Old VAT' } })
    assert.equal((await owner.ask('PATCH', '/edit/products/800', { taxes: [77, tax] })).status, 200)
    assert.deepEqual((await product(800))!.taxes, [old, { id: tax, name: 'VAT 12', rate: 12 }])
    const below = await make('categories', { name: 'Teas', type: 'PRODUCT', status: 1, parent_id: category_id })
    const circle = await owner.ask('PATCH', `/edit/categories/${category_id}`, { parent_id: below })
    assert.deepEqual([circle.status, circle.body.details.errors[0].field], [400, 'parent_id'])
  })

  test('a variant is changed by its name, price and status, with its product; full names follow names', async () => {
    const { owner, product, newest, id: brand_id } = await bistro()
    const { db } = (await opened()).deps
    const mocha = { kind: 'product', id: 700, name: 'Mocha', full_name: 'Mocha', type: 'DISH', has_modifications: true }
    const sizes = ['small', 'large'].map((name, index) => ({
      id: 701 + index,
      name,
      full_name: `Mocha, ${name}`,
      price: 3,
    }))
    await putRows(db, brand_id, [{ ...mocha, modifications: sizes }])
    const { data } = (await owner.ask('GET', '/edit/products/702')).body
    assert.deepEqual([data.values, data.members], [{ name: 'large', price: 3, status: 1 }, ['name', 'price', 'status']])
    const change = (id: number, body: object) => owner.ask('PATCH', `/edit/products/${id}`, body)
    const { body } = await change(702, { price: 4.5, name: 'grand' })
    assert.deepEqual(body.data.changed, [
      { member: 'name', from: 'large', to: 'grand' },
      { member: 'price', from: 3, to: 4.5 },
    ])
    const { action, subject, after } = await newest()
    assert.deepEqual([action, subject, after], ['product.change', '702 Mocha, large', { name: 'grand', price: 4.5 }])
    await change(700, { name: 'Moka' })
    const shown = async (id: number) => {
      const { name, full_name, price } = (await product(id))!
      return [name, full_name, price]
    }
    assert.deepEqual(await shown(702), ['grand', 'Moka, grand', 4.5])
    const [, inParent] = (await product(700))!.modifications as Record<string, unknown>[]
    assert.deepEqual([inParent!.name, inParent!.full_name, inParent!.price], ['grand', 'Moka, grand', 4.5])
    const wrong = await change(702, { price: 0.00001, name: null })
    const errors = wrong.body.details.errors as { field: string; message: string }[]
    assert.deepEqual([wrong.status, errors.map(({ field }) => field).sort()], [400, ['name', 'price']])
    assert.ok(
      errors.every(({ field, message }) => message.startsWith(`${field} `)),
      JSON.stringify(errors),
    )
    assert.equal((await change(702, { category_id: 1 })).status, 400)
    const stale = await send(owner, 'PATCH', '/edit/products/702', { price: 9 }, { 'if-match': `"${data.version}"` })
    assert.equal(stale.status, 412)
  })

  test('a row without a status is active, in its form as on the menu; showing that changes nothing', async () => {
    const { id, owner: person } = await restaurant('pies')
    await putRows((await opened()).deps.db, id, [
      {
        kind: 'product',
        id: 60,
        name: 'Pie',
        type: 'DISH',
        price: 5,
        modifications: [{ id: 61, name: 'half', price: 3 }],
      },
      { kind: 'price_list', id: 60, name: 'Evening' },
    ])
    for (const [path, status] of [
      ['products/60', 1],
      ['products/61', 1],
      ['price-lists/60', true],
    ] as const) {
      const { body } = await person.ask('GET', `/edit/${path}`)
      assert.equal(body.data.values.status, status, path)
      const saved = await person.ask('PATCH', `/edit/${path}`, {}, { 'if-match': `"${body.data.version}"` })
      assert.deepEqual([saved.status, saved.body.data.changed, saved.body.data.values.status], [200, [], status])
    }
    const off = await person.ask('PATCH', '/edit/price-lists/60', { status: false })
    assert.deepEqual(off.body.data.changed, [{ member: 'status', to: false }])
  })

  test('a price list has at most 20 scopes with 14 windows each (M9)', async () => {
    const { owner } = await bistro()
    const make = (scopes: object[]) => owner.ask('POST', '/edit/price-lists', { name: 'Often', scopes })
    const windows = (count: number) => Array.from({ length: count }, () => ({ from: '10:00', to: '11:00' }))
    const refused = async (scopes: object[]) => {
      const { status, body } = await make(scopes)
      assert.equal(status, 400)
      const [{ field, maximum }] = body.details.errors
      return [field, maximum]
    }
    assert.deepEqual(await refused(Array.from({ length: 21 }, () => ({}))), ['scopes', 20])
    assert.deepEqual(await refused([{ windows: windows(15) }]), ['scopes[0].windows', 14])
    assert.equal((await make([{ windows: windows(14) }])).status, 200)
  })

  test('a new tax is included in prices and for new products, unless it is said otherwise', async () => {
    const { owner } = await restaurant('gasthaus')
    const { forms } = (await owner.ask('GET', '/edit')).body.data as Forms
    const { start } = forms.find(({ resource }) => resource === 'taxes')!
    assert.deepEqual(start.values, { included: true, is_default: 1 })
    const made = async (given: object) => {
      const tax = { name: 'VAT', rate: 10, sale_type_ids: [], status: 1, ...given }
      const { status, body } = await owner.ask('POST', '/edit/taxes', tax)
      assert.equal(status, 200, JSON.stringify(body))
      return [body.data.values.included, body.data.values.is_default]
    }
    assert.deepEqual(await made({}), [true, 1])
    assert.deepEqual(await made({ included: false, is_default: 0 }), [false, 0])
  })

  test('the form of a product names the price lists that rule over its own price, with their prices', async () => {
    const { owner, id: brand_id } = await restaurant('brasserie')
    const list = (id: number, name: string, scopes: object[] | undefined, more: object = {}) => ({
      kind: 'price_list',
      id,
      name,
      ...(scopes && { scopes }),
      ...more,
    })
    const price = (id: number, list_id: number, product_id: number, amount: number) => ({
      kind: 'price',
      id,
      list_id,
      product_id,
      price: amount,
    })
    await putRows((await opened()).deps.db, brand_id, [
      list(1, 'Terrace', [{ venue_id: 2, priority: 5 }]),
      list(2, 'Everywhere', [{ priority: 1 }]),
      list(3, 'Hidden by the others', [{ venue_id: 1 }]),
      list(4, 'Off', [{}], { status: false }),
      list(5, 'For nobody', undefined),
      ...[1, 2, 3, 4, 5].map((id) => price(id, id, 1, id + 0.5)),
      price(6, 1, 3, 9),
    ])
    const listsOf = async (id: number) => (await owner.ask('GET', `/edit/products/${id}`)).body.data.price_lists
    assert.deepEqual(await listsOf(1), [
      { id: 2, name: 'Everywhere', price: 2.5 },
      { id: 1, name: 'Terrace', price: 1.5 },
    ])
    assert.deepEqual(await listsOf(2), [])
    assert.deepEqual(await listsOf(3), [{ id: 1, name: 'Terrace', price: 9 }], 'of a variant its own')
  })

  test('a new product has the taxes for new products, unless it is given others or none', async () => {
    const { owner, product } = await restaurant('osteria')
    const vat = { name: 'VAT', rate: 10, included: true, sale_type_ids: [], is_default: 1, status: 1 }
    for (const tax of [vat, { ...vat, name: 'Old', status: 0 }, { ...vat, name: 'Other', is_default: 0 }])
      assert.equal((await owner.ask('POST', '/edit/taxes', tax)).status, 200)
    const { forms } = (await owner.ask('GET', '/edit')).body.data as Forms
    const { start } = forms.find(({ resource }) => resource === 'products')!
    assert.deepEqual(start, { values: { ...SWITCHES, taxes: [1] }, names: { taxes: { 1: 'VAT' } } })
    const taxesOf = async (given: object) => {
      const { body } = await owner.ask('POST', '/edit/products', { name: 'Soup', type: 'DISH', ...given })
      return ((await product(body.data.id))!.taxes as { id: number }[] | undefined)?.map(({ id }) => id)
    }
    assert.deepEqual(await taxesOf({}), [1])
    assert.deepEqual(await taxesOf({ taxes: [3] }), [3])
    assert.deepEqual(await taxesOf({ taxes: null }), undefined)
    assert.deepEqual(await taxesOf({ taxes: [] }), [])
  })

  test('the stop list of a venue is set and taken back, with its permission, and is in the API at once', async () => {
    const { owner, waiter, headers, newest } = await bistro()
    const { call } = await opened()
    const stopped = async (venue: string) =>
      (await call('/products/stop-list', { headers: { ...headers, 'x-venue': venue } })).body.data as { id: number }[]
    const two = { 'x-venue': '2' }
    const set = await send(owner, 'PUT', '/stop-list/1', { limit: 2.5, until: '2026-03-02T00:00:00Z' }, two)
    const entry = {
      id: 1,
      limit: 2.5,
      timestamp: Date.parse('2026-03-01T12:00:00Z'),
      until: '2026-03-02T00:00:00.000Z',
    }
    assert.deepEqual([set.status, set.body.data], [200, entry])
    assert.deepEqual([await stopped('1'), await stopped('2')], [[], [entry]])
    assert.equal((await newest()).action, 'stop_list.set')
    const shown = await owner.ask('GET', '/stop-list')
    assert.deepEqual(shown.body, { success: true, data: [{ ...entry, venue_id: 2, name: 'Green tea' }], total: 1 })
    const events = async () => {
      const { deps } = await opened()
      return (await deps.db.texts(`select type from events where type = 'stop_list.changed'`, [])).length
    }
    const [noted, published] = [await newest(), await events()]
    const again = await send(owner, 'PUT', '/stop-list/1', { limit: 2.5, until: '2026-03-02T00:00:00Z' }, two)
    assert.deepEqual([again.body.data, again.body.message], [entry, 'Nothing changed.'])
    assert.deepEqual([await newest(), await events()], [noted, published])
    for (const wrong of [{ limit: -1 }, { limit: 1, until: '2026-03-01T12:00:00Z' }, { limit: 'x' }, {}])
      assert.equal((await send(owner, 'PUT', '/stop-list/1', wrong, two)).status, 400, JSON.stringify(wrong))
    for (const id of [99, 50])
      assert.equal((await send(owner, 'PUT', `/stop-list/${id}`, { limit: 0 }, two)).status, 404)
    const refused = await send(await waiter(), 'PUT', '/stop-list/1', { limit: 0 })
    assert.deepEqual([refused.status, refused.body.details], [403, { required: 'stop-list:write' }])
    assert.equal((await owner.ask('DELETE', '/stop-list/1')).status, 404, 'of the main venue, where there is none')
    assert.equal((await send(owner, 'DELETE', '/stop-list/1', undefined, two)).status, 200)
    assert.deepEqual([await stopped('2'), (await newest()).action], [[], 'stop_list.remove'])
  })

  test('nobody gains, gives or takes rights that they do not have, nor changes their own', async () => {
    const { owner, manager: who } = await bistro()
    const manager = await who()
    for (const [method, path, body] of [
      ['POST', '/users', { username: 'eva', role_id: 1, venue_ids: [2] }], // more than the manager may do
      ['POST', '/users', { username: 'eva', role_id: 3 }], // everywhere
      ['PATCH', '/users/1', { active: false }],
      ['PATCH', '/users/2', { role_id: 3 }],
      ['PATCH', '/users/2', { venue_ids: null }],
      ['PATCH', '/roles/1', { name: 'Boss' }],
      ['PATCH', '/roles/3', { permissions: ['receipts:read'] }],
      ['POST', '/roles', { name: 'King', permissions: ['*'] }],
      ['PATCH', '/roles/2', { permissions: ['menu:write'] }],
      ['POST', '/venues', { name: 'Third' }],
      ['PATCH', '/venues/2', { is_main: true }], // which takes it from the other
    ] as const) {
      const { status, body: answer } = await manager.ask(method, `/edit${path}`, body)
      assert.deepEqual([status, answer.error], [403, 'forbidden'], `${method} ${path} ${JSON.stringify(body)}`)
    }
    assert.equal((await manager.ask('PATCH', '/edit/venues/2', { name: 'Terrace' })).status, 200)
    assert.equal((await manager.ask('PATCH', '/edit/users/2', { name: 'Max' })).status, 200)
    assert.equal((await manager.ask('PATCH', '/edit/users/4', { active: false })).status, 200)
    assert.equal(
      (await manager.ask('POST', '/edit/roles', { name: 'Cook', permissions: ['products:read'] })).status,
      200,
    )
    for (const [path, body] of [
      ['/users/1', { active: false }],
      ['/roles/1', { permissions: [] }],
    ] as const)
      assert.equal((await owner.ask('PATCH', `/edit${path}`, body)).status, 403, path)
  })

  test('a role is changed only by those who may enter every venue of the staff who have it', async () => {
    const { owner, manager: who, id } = await bistro()
    const { deps } = await opened()
    const manager = await who()
    const role = (await manager.ask('POST', '/edit/roles', { name: 'Runner', permissions: [] })).body.data.id as number
    const change = (person: typeof owner, given: object) => person.ask('PATCH', `/edit/roles/${role}`, given)
    const ella = { kind: 'user', id: 60, username: 'ella', role_id: role }
    for (const elsewhere of [{ venue_ids: [1] }, { venue_ids: [1, 2] }, {}, { venue_ids: [1], active: false }]) {
      await putRows(deps.db, id, [{ ...ella, ...elsewhere }])
      for (const given of [{ permissions: ['menu:write'] }, { name: 'Servant' }]) {
        const { status, body } = await change(manager, given)
        assert.deepEqual([status, body.error], [403, 'forbidden'], JSON.stringify([elsewhere, given]))
        assert.match(body.message, /venues that you have no access to/)
      }
    }
    assert.equal((await change(owner, { name: 'Runners' })).status, 200)
    await putRows(deps.db, id, [{ ...ella, venue_ids: [2] }])
    assert.equal((await change(manager, { permissions: ['menu:write'] })).status, 200)
  })

  test('a new venue has its main storage at once (P20)', async () => {
    const { owner, id } = await bistro()
    const { deps } = await opened()
    const { body } = await owner.ask('POST', '/edit/venues', { name: 'Kiosk' })
    const texts = (sql: string, ...values: (number | string)[]) => deps.db.texts(sql, [id, ...values])
    const [text, ...others] = await texts('select body from storages where brand_id = ? and venue_id = ?', body.data.id)
    const { id: storage, is_main, created_at } = JSON.parse(text!)
    assert.deepEqual([is_main, created_at, others], [1, '2026-03-01T12:00:00.000Z', []])
    const made = `select type from events where brand_id = ? and type = 'storage.created' and subject = ?`
    assert.equal((await texts(made, String(storage))).length, 1)
  })

  test('rows that change with another one are put on record beside it, with the time of the change', async () => {
    const { owner, headers } = await bistro()
    const { call } = await opened()
    const shown = async () => (await call('/users/5', { headers })).body.data as Record<string, unknown>
    const newest = async () =>
      ((await owner.ask('GET', '/audit')).body.rows as Entry[])
        .slice(0, 2)
        .map(({ action, subject }) => [action, subject])
    const before = await shown()
    assert.equal((await owner.ask('PATCH', '/edit/roles/4', { permissions: ['*'] })).status, 200)
    const after = await shown()
    assert.deepEqual([before.owner, after.owner], [0, 1])
    assert.ok(String(after.updated_at) > String(before.updated_at))
    assert.deepEqual(await newest(), [
      ['role.change', '4 Deputy'],
      ['user.change', 'deputy'],
    ])
    assert.equal((await owner.ask('PATCH', '/edit/venues/2', { is_main: true })).status, 200)
    assert.deepEqual(
      (await newest()).map(([action]) => action),
      ['venue.change', 'venue.change'],
    )
    assert.equal((await owner.ask('PATCH', '/edit/venues/1', { is_main: true })).status, 200)
  })

  test('a change is in the API of another worker within a second', async () => {
    const { owner, headers, waiter: who } = await bistro()
    const { installation, deps } = await opened()
    const waiter = await who()
    const other = await openDeps(installation.config, deps.log)
    const worker = buildApp({ ...deps, db: other.db, directory: other.directory }, { lateMs: LATE_MS })
    const ask = async (url: string, more: object) => (await worker.inject({ method: 'GET', url, ...more })).statusCode
    const asWaiter = () => ask('/back-office/api/me', { headers: { ...asPage, cookie: waiter.cookie! } })
    const price = async () =>
      (await worker.inject({ url: '/v2/products?filters=[["id",1]]', headers })).json().data[0].price
    assert.equal(await asWaiter(), 200)
    assert.notEqual(await price(), 8.25)
    await owner.ask('PATCH', '/edit/users/3', { active: false })
    await owner.ask('PATCH', '/edit/products/1', { price: 8.25 })
    assert.equal(await price(), 8.25)
    await until(async () => (await asWaiter()) === 401, 'the other worker has not noticed')
    await worker.close()
    await closeDeps(other)
  })

  test('of two people who change one row, the second gets a conflict; other members do not conflict', async () => {
    const { owner, product } = await bistro()
    const { version } = (await owner.ask('GET', '/edit/products/1')).body.data
    const patch = (payload: object, headers: object) => send(owner, 'PATCH', '/edit/products/1', payload, headers)
    assert.equal((await patch({ price: 4 }, { 'if-match': `"${version}"` })).status, 200)
    const late = await patch({ price: 5 }, { 'if-match': `"${version}"` })
    assert.deepEqual([late.status, late.body.error], [412, 'version_mismatch'])
    const { version: now } = (await owner.ask('GET', '/edit/products/1')).body.data
    assert.deepEqual(late.body.details, { version: now })
    assert.equal((await patch({ price: 5 }, { 'if-match': 'x' })).status, 400)

    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, index) => patch({ price: index + 10 }, {})),
      ...Array.from({ length: 4 }, (_, index) => patch({ name: `Tea ${index}` }, {})),
    ])
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const { name, price } = (await product(1)) as { name: string; price: number }
    assert.match(name, /^Tea \d$/)
    assert.ok(price >= 10, 'no change of one member undoes one of another')
  })

  test('a key makes one row, however often it is sent, and is the person’s own', async () => {
    const { owner, manager, total } = await bistro()
    const before = await total()
    const post = async (browser: Browser, payload: object) => {
      const { headers, ...answer } = await send(browser, 'POST', '/edit/products', payload, { 'idempotency-key': 'k1' })
      return { ...answer, replayed: headers['idempotency-replayed'] }
    }
    const soup = { name: 'Soup', type: 'DISH' }
    const first = await post(owner, soup)
    const again = await post(owner, soup)
    assert.deepEqual([again.body, again.replayed, first.replayed], [first.body, 'true', undefined])
    assert.equal((await post(owner, { ...soup, name: 'Stew' })).status, 422)
    assert.notEqual((await post(await manager(), soup)).body.data.id, first.body.data.id)
    assert.equal(await total(), before + 2)
  })

  test('rows that are made at the same time have ids of their own', async () => {
    const { owner, total } = await bistro()
    const before = await total()
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        owner.ask('POST', '/edit/products', { name: `P ${index}`, type: 'DISH' }),
      ),
    )
    assert.equal(new Set(made.map(({ body }) => body.data.id)).size, 6)
    assert.equal(await total(), before + 6)
  })

  test('an id is given once: not again after its row was removed, nor beside an import', async () => {
    const { id: brand_id, owner } = await bistro()
    const { db } = (await opened()).deps
    const chai = { kind: 'product', id: 900, name: 'Chai', type: 'DISH', has_modifications: true }
    await putRows(db, brand_id, [{ ...chai, modifications: [{ id: 901, name: 'large' }] }])
    await putRows(db, brand_id, [{ ...chai, modifications: [] }])
    const make = (_: unknown, index: number) =>
      owner.ask('POST', '/edit/products', { name: `Q ${index}`, type: 'DISH' })
    const first = await make(undefined, 9)
    const [made] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, make)),
      putRows(db, brand_id, [{ ...chai, id: 950, name: 'Masala' }]),
    ])
    const ids = [first, ...made].map(({ body }) => body.data.id as number)
    assert.equal(new Set(ids).size, 7)
    assert.ok(!ids.includes(950) && ids.every((id) => id > 901), String(ids))
  })
})

const asPage = { host: 'pos.example.com', 'sec-fetch-site': 'same-origin', 'x-comptoir': '1' }
