import assert from 'node:assert/strict'
import { type Checks, expectInvalidParameter, expectMembers, filters, isInstant, need, pageOf } from '../check.ts'

const PRODUCT = [
  'id',
  'name',
  'type',
  'full_name',
  'status',
  'price',
  'cost_price',
  'has_modifications',
  'modifications',
  'modificator_groups',
  'recipe',
  'packages',
  'setting',
  'taxes',
  'tags',
  'created_at',
  'updated_at',
]
const PRICE_LIST = ['id', 'name', 'description', 'status', 'created_at', 'updated_at']
const NESTED_PRODUCT = [
  'id',
  'name',
  'type',
  'full_name',
  'status',
  'price',
  'cost_price',
  'has_modifications',
  'created_at',
  'updated_at',
]

/** §2.3, §2.4, D2.6: products, price lists and their prices. */
export const menu: Checks = async (check, { send }) => {
  const rows = async (path: string) => pageOf(await send('GET', path)).data

  await check('a product has the members of §2.3', async () => {
    const products = await rows('/products?limit=100')
    need(products.length > 0, 'there are no products')
    for (const product of products) {
      expectMembers(product, ['id', 'name', 'type'], PRODUCT)
      assert.equal(typeof product.id, 'number')
      assert.ok(isInstant(product.created_at), 'created_at is an instant')
    }
  })
  await check('products are narrowed by type and by price', async () => {
    const [first] = await rows('/products?limit=1')
    need(first, 'there are no products')
    const same = await rows(`/products${filters(['type', first.type])}`)
    assert.ok(same.length > 0 && same.every(({ type }) => type === first.type), `only ${first.type}`)
    const others = await rows(`/products${filters(['type', '!=', first.type])}`)
    assert.ok(
      others.every(({ type }) => type !== first.type),
      `no ${first.type}`,
    )
    const dear = await rows(`/products${filters(['price', '>=', 10])}`)
    assert.ok(
      dear.every(({ price }) => (price as number) >= 10),
      'price from 10',
    )
  })
  await check('a price list has the members of §2.4, and no prices unless included', async () => {
    const lists = await rows('/price-lists')
    need(lists.length > 0, 'there are no price lists')
    for (const list of lists) expectMembers(list, ['id', 'name'], PRICE_LIST)
  })
  await check('include=prices gives entries by id, with product and list', async () => {
    const lists = (await rows('/price-lists?include=prices&limit=5')) as unknown as {
      id: number
      name: string
      prices: { id: number; list_id: number; product_id: number; product: { id: number }; list: object }[]
    }[]
    need(lists.length > 0, 'there are no price lists')
    for (const { id, name, prices } of lists) {
      assert.ok(Array.isArray(prices), 'prices is a list')
      for (const [index, entry] of prices.entries()) {
        expectMembers(entry, ['id', 'list_id', 'product_id', 'price', 'product', 'list'])
        assert.equal(entry.list_id, id)
        assert.deepEqual(entry.list, { id, name })
        assert.equal(entry.product.id, entry.product_id)
        expectMembers(entry.product, ['id', 'name', 'type'], NESTED_PRODUCT)
        assert.ok(index === 0 || prices[index - 1]!.id < entry.id, 'in the order of their ids')
      }
    }
  })
  await check('include and fields go together', async () => {
    for (const list of await rows('/price-lists?include=prices&fields=name')) expectMembers(list, ['id', 'name'])
    for (const list of await rows('/price-lists?with[]=prices&fields=prices')) expectMembers(list, ['id', 'prices'])
    expectInvalidParameter(await send('GET', '/price-lists?fields=prices'), 'fields')
    expectInvalidParameter(await send('GET', '/price-lists?include=colours'), 'include')
  })
}
