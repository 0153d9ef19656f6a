import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, type Row } from '../../test/database/store.ts'
import { type Browser, offices, PASSWORD } from '../back-office/office-fixture.ts'
import { verifyAudit } from '../directory/audit.ts'
import { addBrand } from '../directory/registry.ts'
import { auditBooks } from '../pos/books/audit.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import { COUNTRIES, type PresetTax } from './countries.ts'
import { brandSetupLink, firstSetupLink } from './links.ts'
import { membersOf } from './open-restaurant.ts'
import { restaurantRows } from './rows.ts'
import { MENU_LANGUAGES, type NewRestaurant, type SetupTax, STARTER_MENUS } from './schema.ts'

const france = COUNTRIES.find(({ code }) => code === 'FR')!

function taxOf({ name, rate, channels, goods, for_new }: PresetTax, included: boolean): SetupTax {
  return {
    name,
    rate: rate ?? 8.875,
    included,
    ...(channels && { channels: [...channels] }),
    ...(goods && { goods: [...goods] }),
    ...(for_new && { for_new }),
  }
}

const BISTRO: NewRestaurant = {
  language: 'fr',
  country: 'FR',
  brand: { slug: 'chez-odile', name: 'Chez Odile', currency: 'EUR', money_places: 2, languages: ['fr', 'en'] },
  venue: {
    name: 'Chez Odile, Paris',
    address: '1 rue de la Paix, Paris',
    legal_name: 'Odile SARL',
    tax_number: 'FR 12 345678901',
    time_zone: 'Europe/Paris',
  },
  taxes: france.taxes.map((tax) => taxOf(tax, france.included)),
  selling: { counter: true, tables: 12, delivery: false },
  menu: { starter: 'restaurant' },
  owner: { name: 'Odile Castaing', username: 'odile', password: PASSWORD },
}

onEachEngine('setup', (make) => {
  const office = offices(make)

  async function closedHouse() {
    const built = await office()
    const { deps, browser } = built
    const link = async () => (await firstSetupLink(deps.db, deps.now()))!.token
    const open = (visitor: Browser, token: string, body: object = BISTRO) =>
      visitor.ask('POST', '/setup', body, { 'x-setup': token })
    return { ...built, link, open, visitor: browser() }
  }

  test('one request opens a restaurant, signs its owner in, and the first sale has the right tax', async () => {
    const { deps, visitor, link, open } = await closedHouse()
    const token = await link()
    const info = await visitor.ask('GET', '/setup', undefined, { 'x-setup': token })
    assert.deepEqual([info.body.brand, info.body.countries.length >= 13], [null, true])
    const opened = await open(visitor, token)
    assert.equal(opened.status, 204, JSON.stringify(opened.body))

    const { body: me } = await visitor.ask('GET', '/me')
    assert.deepEqual(
      [me.name, me.role, me.permissions, me.brand.slug, me.brand.name, me.brand.currency, me.brand.languages],
      ['Odile Castaing', 'Propriétaire', ['*'], 'chez-odile', 'Chez Odile', 'EUR', ['fr', 'en']],
    )
    const read = async (path: string): Promise<Row[]> => (await visitor.ask('GET', `/read/${path}`)).body.data
    const names = async (path: string) => (await read(path)).map(({ name }) => name)
    assert.deepEqual(await names('venues'), ['Chez Odile, Paris'])
    assert.deepEqual(await names('stations'), ['Cuisine', 'Bar'])
    assert.deepEqual(await names('storages'), ['Réserve'])
    assert.deepEqual(await names('terminals'), ['Caisse 1'])
    assert.equal((await names('tables?limit=100')).length, 12)
    assert.deepEqual(await names('courses'), ['Entrées', 'Plats', 'Desserts'])
    assert.deepEqual(
      (await read('sale-types')).map(({ name, status }) => [name, status]),
      [
        ['Sur place', { 1: 1 }],
        ['À emporter', { 1: 1 }],
        ['Livraison', { 1: 0 }],
      ],
    )
    const methods = await read('payment-methods')
    assert.deepEqual(
      methods.map(({ name, kind, balance }) => [name, kind, (balance as { name: string }).name]),
      [
        ['Espèces', 'CASH', 'Espèces'],
        ['Carte bancaire', 'CARD', 'Carte bancaire'],
      ],
    )
    const { body: forms } = await visitor.ask('GET', '/edit')
    const product = forms.data.forms.find(({ resource }: Row) => resource === 'products')
    assert.deepEqual(product.start.values.taxes, [1, 2], 'a new product gets the taxes of both ways of selling')
    const roles = (await visitor.ask('GET', '/data/roles')).body.data
    assert.deepEqual(
      roles.map(({ name }: Row) => name),
      ['Propriétaire', 'Responsable', 'Caissier', 'Serveur', 'Cuisinier', 'Comptable'],
    )

    // A glass of wine and a soup, at a table and taken away.
    const menu = await read('products?limit=100&fields=id,name,modifications,price')
    const soup = menu.find(({ name }) => name === 'Soupe du jour')!
    const wine = menu.find(({ name }) => name === 'Vin rouge de la maison')!
    const [glass] = wine.modifications as { id: number }[]
    const sell = async (sale_type_id: number) => {
      const lines = [soup.id, glass!.id].map((product_id) => ({ cid: randomUUID(), product_id, count: 1 }))
      const body = { cid: randomUUID(), sale_type_id, terminal_id: 1, lines }
      const { body: made } = await visitor.ask('POST', '/receipts', body, { 'idempotency-key': randomUUID() })
      const { id, total } = made.data
      const paid = { payment_methods: [{ id: 1, amount: total }] }
      const closed = await visitor.ask('POST', `/receipts/${id}/close`, paid, { 'idempotency-key': randomUUID() })
      assert.equal(closed.status, 200, JSON.stringify(closed.body))
      const [receipt] = await read(`receipts?include=details&filters=[["id",${id}]]`)
      return (receipt!.taxes as Row[]).map(({ name, rate, amount }) => [name, rate, amount])
    }
    assert.deepEqual(await sell(1), [
      ['TVA 10 %, sur place', 10, 0.64],
      ['TVA 20 %', 20, 0.83],
    ])
    assert.deepEqual(await sell(2), [
      ['TVA 10 %, à emporter', 10, 0.64],
      ['TVA 20 %', 20, 0.83],
    ])

    const [{ id: brand_id }] = (await deps.db.rows<{ id: number }>('select id from brands', [])) as [{ id: number }]
    assert.deepEqual((await auditBooks(deps.db, brand_id)).findings, [])
    assert.ok((await verifyAudit(deps.db, deps.keys.audit)).intact)
    const actions = (await visitor.ask('GET', '/audit?search=user:chez-odile/odile')).body.rows
    assert.ok(actions.some(({ action }: Row) => action === 'brand.setup'))
    const told = (await visitor.ask('GET', '/events?after=oldest&limit=200')).body.data as Row[]
    const types = new Set(told.map(({ type }) => type))
    for (const type of ['venue.created', 'product.created', 'payment_method.created', 'table.created', 'user.created'])
      assert.ok(types.has(type), type)
    // What people make next has ids of its own.
    const made = await visitor.ask('POST', '/edit/tables', { name: 'T13', status: 1 }, { 'idempotency-key': 'table' })
    assert.equal(made.body.data.id, 13, JSON.stringify(made.body))
  })

  test('a link works once: of two people at once one opens the restaurant, and the other is told', async () => {
    const { deps, browser, link, open } = await closedHouse()
    const [first, second] = [await link(), await link()]
    const [one, other, third] = [browser(), browser(), browser()]
    const bodies = [BISTRO, { ...BISTRO, brand: { ...BISTRO.brand, slug: 'other' } }]
    const answers = await Promise.all([
      open(one, first, bodies[0]),
      open(other, first, bodies[1]),
      open(third, second, bodies[1]),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404])
    for (const { status, body } of answers)
      if (status === 404) assert.deepEqual([body.error, body.details], ['setup_link_spent', { state: 'used' }])
    assert.equal((await deps.db.rows('select id from brands', [])).length, 1)
    assert.equal((await deps.db.rows('select id from accounts', [])).length, 1)
    assert.equal(await firstSetupLink(deps.db, deps.now()), undefined, 'there is nothing more to set up')
  })

  test('an old link says so, a part of one says nothing, and neither body nor secret is logged', async () => {
    const { clock, lines, visitor, link, open } = await closedHouse()
    const token = await link()
    const state = async (used: string) => (await open(visitor, used)).body.details?.state
    assert.equal(await state(token.slice(1)), 'unknown')
    assert.equal(await state('A'.repeat(43)), 'unknown')
    clock.ms += 24 * 3_600_000
    assert.equal(await state(token), 'expired')
    assert.ok(!lines.join('').includes(token) && !lines.join('').includes('Odile'))
  })

  test('refused input stands at its field, and nothing is stored', async () => {
    const { deps, visitor, link, open } = await closedHouse()
    const token = await link()
    const wrong = async (change: object) => {
      const { status, body } = await open(visitor, token, { ...BISTRO, ...change })
      assert.equal(status, 400, JSON.stringify(body))
      return body.details.errors.map(({ field }: Row) => field)
    }
    const { brand, venue, owner, taxes } = BISTRO
    assert.deepEqual(await wrong({ brand: { ...brand, slug: 'Chez Odile' } }), ['brand.slug'])
    assert.deepEqual(await wrong({ brand: { ...brand, name: ' ' } }), ['brand.name'])
    assert.deepEqual(await wrong({ brand: { ...brand, languages: ['not a language'] } }), ['brand.languages'])
    assert.deepEqual(await wrong({ venue: { ...venue, time_zone: 'Paris' } }), ['venue.time_zone'])
    assert.deepEqual(await wrong({ taxes: [{ ...taxes[0]!, rate: 101 }] }), ['taxes[0].rate'])
    assert.deepEqual(await wrong({ selling: { counter: false, tables: 0, delivery: false } }), ['selling'])
    assert.deepEqual(await wrong({ owner: { ...owner, password: 'passwordpassword' } }), ['owner.password'])
    assert.deepEqual(await wrong({ menu: { starter: 'bakery' } }), ['menu.starter'])
    for (const table of ['brands', 'accounts', 'venues', 'events'])
      assert.equal((await deps.db.rows(`select 1 from ${table}`, [])).length, 0, table)
    assert.equal((await open(visitor, token)).status, 204, 'the link is still good')
  })

  test('a spreadsheet is the menu: all of it, or what is wrong line by line and nothing', async () => {
    const { deps, visitor, link, open } = await closedHouse()
    const token = await link()
    const file = (price: string) =>
      `\ufeffcategory;name;variant;type;price;name:en\r\nBoissons > Chaudes;Thé;Tasse;DISH;3,50;Tea\r\n;Soupe;;DISH;${price};\r\n`
    const wrong = await open(visitor, token, { ...BISTRO, menu: { file: file('much') } })
    assert.equal(wrong.status, 400)
    const [{ field, message }] = wrong.body.details.errors
    assert.deepEqual([field, /^Line 3, price: /.test(message)], ['menu.file', true], message)
    assert.equal((await deps.db.rows('select 1 from brands', [])).length, 0)
    const both = await open(visitor, token, { ...BISTRO, menu: { starter: 'cafe', file: file('4') } })
    assert.deepEqual(both.body.details.errors[0].field, 'menu.file')

    const opened = await open(visitor, token, { ...BISTRO, menu: { file: file('6,90') } })
    assert.equal(opened.status, 204, JSON.stringify(opened.body))
    const menu: Row[] = (await visitor.ask('GET', '/read/products?fields=id,name,price,taxes,modifications')).body.data
    const byName = new Map(menu.map((row) => [row.name, row]))
    assert.equal(byName.get('Soupe')!.price, 6.9)
    assert.equal((byName.get('Soupe')!.taxes as Row[]).length, 2, 'the taxes of new products')
    assert.deepEqual(
      (byName.get('Thé')!.modifications as Row[]).map(({ name, price }) => [name, price]),
      [['Tasse', 3.5]],
    )
    const categories = await deps.db.rows<{ name: string }>('select name from categories order by id', [])
    assert.deepEqual(
      categories.map(({ name }) => name),
      ['Boissons', 'Chaudes'],
      'in the order in which the file makes them',
    )
    const [{ id: brand_id }] = (await deps.db.rows<{ id: number }>('select id from brands', [])) as [{ id: number }]
    assert.deepEqual((await auditBooks(deps.db, brand_id)).findings, [])
    assert.ok((await verifyAudit(deps.db, deps.keys.audit)).intact)
  })

  test('a link for one brand fills it once, and another one replaces it', async () => {
    const { deps, visitor, open } = await closedHouse()
    const { db } = deps
    await addBrand(db, 'test', { slug: 'cantine', name: 'Cantine', test: false })
    await addBrand(db, 'test', { slug: 'other', test: false })
    const { token: first } = await brandSetupLink(db, 'test', 'cantine', deps.now())
    const { token } = await brandSetupLink(db, 'test', 'cantine', deps.now())
    assert.equal((await open(visitor, first)).body.details.state, 'unknown')
    const info = await visitor.ask('GET', '/setup', undefined, { 'x-setup': token })
    assert.deepEqual(info.body.brand, { slug: 'cantine', name: 'Cantine' })
    const { slug: _, ...brand } = BISTRO.brand
    const opened = await open(visitor, token, { ...BISTRO, brand, menu: {} })
    assert.equal(opened.status, 204, JSON.stringify(opened.body))
    const { body: me } = await visitor.ask('GET', '/me')
    assert.deepEqual([me.brand.slug, me.brand.name], ['cantine', 'Chez Odile'])
    assert.equal((await visitor.ask('GET', '/read/products')).body.data.length, 0)
    await assert.rejects(brandSetupLink(db, 'test', 'cantine', deps.now()), /is set up already/)

    // An import began the other one: the people with its role 1 must not become owners.
    const { token: late } = await brandSetupLink(db, 'test', 'other', deps.now())
    const other = (await db.rows<{ id: number }>(`select id from brands where slug = 'other'`, []))[0]!.id
    await putRows(db, other, [{ kind: 'role', id: 1, name: 'Seller', permissions: ['receipts:read'] }])
    assert.equal((await open(visitor, late, { ...BISTRO, brand })).body.details.state, 'used')
    await assert.rejects(brandSetupLink(db, 'test', 'other', deps.now()), /is set up already/)
    assert.equal(await firstSetupLink(db, deps.now()), undefined)
  })
})

test('every country and both starter menus make rows that can be imported, with products that are all priced and taxed', () => {
  const byKind = new Map(RESOURCES.map((resource) => [resource.kind, resource]))
  for (const country of COUNTRIES)
    for (const starter of STARTER_MENUS)
      for (const language of MENU_LANGUAGES) {
        const name = `${country.code} ${starter} ${language}`
        const input: NewRestaurant = {
          ...BISTRO,
          language,
          country: country.code,
          taxes: country.taxes.map((tax) => taxOf(tax, country.included)),
          menu: { starter },
        }
        const rows = new Map(restaurantRows(input))
        for (const [kind, lines] of rows)
          for (const line of lines) assert.ok(byKind.get(kind)!.read(membersOf(byKind.get(kind)!, line)), name)
        const products = rows.get('product')! as Row[]
        assert.ok(products.length > 20, name)
        for (const { name: called, taxes, price, modifications } of products) {
          assert.ok((taxes as Row[]).length > 0, `${name}: ${called} has a tax`)
          for (const each of [price ?? 1, ...(modifications as Row[]).map((variant) => variant.price)] as number[])
            assert.equal(each > 0 && Math.round(each * 100) / 100, each, `${name}: ${called} at ${each}`)
        }
        // However it is sold, exactly one tax is on each product, as long as the country has one there.
        const taxes = rows.get('tax') as unknown as { id: number; sale_type_ids: number[] }[]
        for (const { name: called, taxes: own } of products)
          for (const saleType of [1, 2, 3]) {
            const ids = (own as { id: number }[]).map(({ id }) => id)
            const holding = taxes.filter(
              ({ id, sale_type_ids }) =>
                ids.includes(id) && (sale_type_ids.length === 0 || sale_type_ids.includes(saleType)),
            )
            assert.equal(holding.length, 1, `${name}: ${called} by sale type ${saleType}`)
          }
      }
})

test('no price of a starter menu is finer than the currency', () => {
  for (const money_places of [0, 1, 2]) {
    const input = { ...BISTRO, country: 'ZZ', brand: { ...BISTRO.brand, currency: 'JPY', money_places } }
    const products = new Map(restaurantRows(input)).get('product') as Row[]
    for (const { name, price = 1, modifications } of products)
      for (const each of [price, ...(modifications as Row[]).map((variant) => variant.price)] as number[])
        assert.equal(Number(each.toFixed(money_places)), each, `${name} at ${each}`)
  }
})
