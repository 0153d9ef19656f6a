import type { ModificatorGroup } from '@comptoir/sdk'
import { comptoir } from './client.ts'

// A menu for a delivery platform, as JSON: what is on sale and on the price list, at the prices of that list.
//   node examples/menu-sync.ts [price list] > menu.json

const listName = process.argv[2] ?? 'Livraison'

const { data: lists } = await comptoir.priceLists
  .list({ filters: [['name', listName]], include: ['prices'], fields: ['name', 'prices'] })
  .page()
const list = lists[0]
if (!list) throw new Error(`There is no price list named ${listName}`)
const priceOf = new Map(list.prices.map(({ product_id, price }) => [product_id, price]))

const onSale = comptoir.products.list({
  filters: [
    ['status', '!=', 0], // one without a status is active
    ['type', ['PRODUCT', 'DISH']],
  ],
  fields: ['full_name', 'modifications', 'modificator_groups', 'taxes', 'updated_at'],
  sort: [['name', 'asc']],
  limit: 100,
})
const items = []
for await (const { id, name, full_name, modifications = [], modificator_groups = [], taxes, updated_at } of onSale) {
  // What is sold in variants is priced by variant.
  const variants = modifications
    .filter((variant) => variant.status !== 0 && priceOf.has(variant.id))
    .map((variant) => ({ id: variant.id, name: variant.name, price: priceOf.get(variant.id) }))
  if (!priceOf.has(id) && variants.length === 0) continue
  const options = modificator_groups.map(optionOf)
  items.push({ id, name, description: full_name, price: priceOf.get(id), variants, options, taxes, updated_at })
}

process.stdout.write(`${JSON.stringify({ menu: list.name, items }, null, 2)}\n`)

function optionOf({ name, min_select, max_select, modificators = [] }: ModificatorGroup) {
  const offered = modificators.filter(({ status }) => status !== false)
  const choices = offered.map(({ id, name, price }) => ({ id, name, price }))
  return { name, least: min_select, most: max_select, choices }
}
