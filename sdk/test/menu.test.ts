import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ComptoirOptions, type Menu, menuTree, type PriceWindow, priceAt } from '../src/index.ts'
import { clientOf } from './restaurant.ts'

const MENU = {
  version: 'evt_1',
  venue: { id: 1, name: 'Main', time_zone: 'Europe/Paris', currency: 'EUR', money_places: 2 },
  sale_type: { id: 2, name: 'To go', system_type: 'TAKEAWAY' },
  languages: ['en', 'fr'],
  categories: {
    1: { name: 'Drinks', position: 2 },
    2: { name: 'Hot', parent_id: 1 },
    3: { name: 'Food', position: 1 },
    4: { name: 'Empty' },
  },
  products: {
    10: {
      name: 'Tea',
      type: 'DISH',
      category_id: 2,
      sold_by_weight: false,
      taxes: [],
      orderable: true,
      position: 2,
      variants: [
        { id: 11, name: 'Cup', price: 3 },
        { id: 12, name: 'Pot', price: 5 },
      ],
    },
    13: {
      name: 'Coffee',
      type: 'DISH',
      category_id: 2,
      sold_by_weight: false,
      taxes: [],
      orderable: true,
      position: 1,
    },
    14: {
      name: 'Soup',
      type: 'DISH',
      category_id: 3,
      price: 8,
      sold_by_weight: false,
      taxes: [],
      orderable: true,
      groups: [{ id: 5, name: 'Bread', min: 1, max: 1, modifiers: [{ id: 9, name: 'White', price: 0 }] }],
    },
    15: { name: 'Gift', type: 'PRODUCT', price: 20, sold_by_weight: false, taxes: [], orderable: true },
  },
  taxes: {},
  entries: {
    'category-1': { id: 'category-1', translations: { fr: { name: 'Boissons' } } },
    'product-10': { id: 'product-10', allergens: { contains: ['milk'], may_contain: [] } },
    'product-12': {
      id: 'product-12',
      allergens: { contains: [], may_contain: [] },
      translations: { fr: { name: 'Théière' } },
    },
    'product-14': { id: 'product-14', translations: { fr: { name: 'Soupe', description: 'Chaude' } } },
    'modifier-9': { id: 'modifier-9', translations: { fr: { name: 'Blanc' } } },
  },
} as const satisfies Menu | object as unknown as Menu

/** A service with a menu that changes, and a feed that says so. */
function service() {
  const feed: string[] = []
  const asked: string[] = []
  let [name, isLost] = ['Main', false]
  let news = Promise.withResolvers<void>()
  const cursor = (position: number) => `evt_${String(position).padStart(20, '0')}`
  const etag = () => `W/"${name}"`
  const fetch: ComptoirOptions['fetch'] = async (url, { headers, signal }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/v2/auth') return Response.json({ success: true, token: 't', expires_in: 3600, expires_at: 4e9 })
    if (pathname === '/v2/events/types')
      return Response.json({
        success: true,
        data: [
          { type: 'tax.updated', allowed: true },
          { type: 'venue.updated', allowed: false },
          { type: 'receipt.opened', allowed: true },
        ],
      })
    if (pathname === '/v2/events') {
      asked.push(`${searchParams.get('after')} ${searchParams.get('types')}`)
      const after = searchParams.get('after')!
      if (isLost && after !== 'latest') {
        isLost = false
        return Response.json({ success: false, error: 'cursor_gone', message: 'Gone' }, { status: 410 })
      }
      const from = after === 'latest' ? feed.length : Number(after.slice(4))
      if (Number(searchParams.get('wait')) > 0 && from >= feed.length)
        await Promise.race([news.promise, new Promise((_, reject) => signal!.addEventListener('abort', reject))])
      const data = feed.slice(from).map((type, index) => ({ id: cursor(from + index + 1), type, data: { id: 1 } }))
      return Response.json({ success: true, data, next: cursor(feed.length), more: false })
    }
    const held = new Headers(headers).get('if-none-match')
    asked.push(`menu ${searchParams} ${held ?? ''}`.trim())
    if (held === etag()) return new Response(null, { status: 304, headers: { etag: etag() } })
    const data = { ...MENU, venue: { ...MENU.venue, name } }
    return Response.json({ success: true, data }, { headers: { etag: etag() } })
  }
  return {
    fetch,
    asked,
    change(next: string, type = 'product.updated') {
      name = next
      feed.push(type)
      news.resolve()
      news = Promise.withResolvers()
    },
    lose() {
      isLost = true
    },
  }
}
const BASE = 'http://127.0.0.1:1/v2'

test('a menu comes with its ETag, and with the tag of the same menu there is none', async () => {
  const { fetch, change } = service()
  const { menu } = clientOf(BASE, { fetch })
  const first = await menu.get({ sale_type_id: 2 })
  assert.deepEqual([first.etag, first.venue.name], ['W/"Main"', 'Main'])
  assert.equal(await menu.get({ sale_type_id: 2 }, { ifNoneMatch: first.etag }), undefined)
  change('New')
  assert.equal((await menu.get({ sale_type_id: 2 }, { ifNoneMatch: first.etag }))!.venue.name, 'New')
})

test('a menu is followed: again after each change and after a cursor that is gone, and nothing for a change that does not show', async () => {
  const { fetch, asked, change, lose } = service()
  const { menu } = clientOf(BASE, { fetch, maxRetries: 0 })
  const end = new AbortController()
  const menus = menu.follow({ sale_type_id: 2, lang: 'fr', signal: end.signal })
  const next = async () => (await menus.next()).value?.venue.name
  assert.equal(await next(), 'Main')
  change('Main')
  const second = next()
  change('Second', 'tax.updated')
  assert.equal(await second, 'Second')
  lose()
  change('Third')
  assert.equal(await next(), 'Third')
  end.abort()
  assert.deepEqual(await menus.next(), { value: undefined, done: true })
  assert.equal(asked[0], 'latest null', 'the place in the feed before the menu')
  assert.equal(asked[1], 'menu sale_type_id=2&lang=fr')
  assert.ok(asked.some((each) => each.endsWith(' menu.*,tax.updated')))
  assert.ok(asked.includes('menu sale_type_id=2&lang=fr W/"Second"'), 'what was missed is asked for by its tag')
})

test('a price holds by the clock of the venue, whatever the clocks do (M10)', () => {
  const at = (window: Partial<PriceWindow>, zone: string, instant: string) =>
    priceAt({ price: 8, price_windows: [{ price: 5, ...window } as PriceWindow] }, instant, zone)
  const paris = (window: Partial<PriceWindow>, instant: string) => at(window, 'Europe/Paris', instant)
  const friday: Partial<PriceWindow> = { days: ['fri'], from: '17:00', to: '19:00' }
  assert.equal(paris(friday, '2026-11-20T15:59:59Z'), 8)
  assert.equal(paris(friday, '2026-11-20T16:00:00Z'), 5)
  assert.equal(paris(friday, '2026-11-20T18:00:00Z'), 8)
  assert.equal(paris({ days: ['sat'], from: '22:00', to: '02:00', price: 6 }, '2026-11-22T00:30:00Z'), 6)
  const night: Partial<PriceWindow> = { days: ['sun'], from: '02:00', to: '03:00' }
  for (let hour = 0; hour < 24; hour++)
    assert.equal(paris(night, new Date(Date.UTC(2026, 2, 28, 23) + hour * 3_600_000).toISOString()), 8, 'skipped')
  for (const instant of ['2026-10-25T00:00:00Z', '2026-10-25T01:59:59Z']) assert.equal(paris(night, instant), 5)
  assert.equal(paris(night, '2026-10-25T02:00:00Z'), 8)
  assert.equal(paris({ days: ['sun'], from: '02:30', to: '04:00' }, '2026-03-29T01:00:00Z'), 5)
  const dates: Partial<PriceWindow> = { starts_on: '2026-11-20', ends_on: '2026-11-20' }
  assert.equal(paris(dates, '2026-11-19T22:59:59Z'), 8)
  assert.equal(paris(dates, '2026-11-20T22:59:59Z'), 5)
  assert.equal(paris(dates, '2026-11-20T23:00:00Z'), 8)
  assert.equal(priceAt({ price_windows: [] }, Date.now(), 'Europe/Paris'), undefined)
  assert.throws(() => priceAt({ price: 1 }, 'soon', 'Europe/Paris'), TypeError)
})

test('the tree has what can be shown, in order and in one language, and sizes have the allergens of their product', () => {
  const { categories, products } = menuTree(MENU, 'fr')
  assert.deepEqual(
    categories.map(({ name, categories }) => [name, categories.map((each) => each.name)]),
    [
      ['Food', []],
      ['Boissons', ['Hot']],
    ],
  )
  const [soup] = categories[0]!.products
  assert.deepEqual([soup!.name, soup!.description, soup!.groups[0]!.modifiers[0]!.name], ['Soupe', 'Chaude', 'Blanc'])
  const [coffee, tea] = categories[1]!.categories[0]!.products
  assert.deepEqual([coffee!.name, coffee!.allergens, tea!.name], ['Coffee', undefined, 'Tea'])
  assert.deepEqual(
    tea!.variants.map(({ name, allergens }) => [name, allergens!.contains]),
    [
      ['Cup', ['milk']],
      ['Théière', []],
    ],
  )
  assert.deepEqual(
    products.map(({ name }) => name),
    ['Gift'],
  )
  // Asked in one language, a menu has its words beside the names.
  const narrowed = { ...MENU, entries: { 'product-14': { id: 'product-14', name: 'Soupe' } } }
  assert.equal(menuTree(narrowed, 'fr').categories[0]!.products[0]!.name, 'Soupe')
})
