import Type, { type Static } from 'typebox'
import { ReferenceViolation } from '../storage/database.ts'
import { places } from '../storage/upsert.ts'
import { defineResource } from './define.ts'
import { Product, ProductSummary } from './product-schema.ts'
import { RowProblem } from './read-row.ts'
import { Id, Maybe } from './values.ts'
import type { Store, WriteContext } from './write.ts'

/** As it is stored: a variant is a row of its own, with what only the nested one shows (D3.6). */
const ProductRow = Type.Object({ ...Product.properties, parent_id: Maybe(Id()), barcode: Maybe(Type.String()) })
type ProductRow = Static<typeof ProductRow>

const SUMMARY = Object.keys(ProductSummary.properties)

export const products = defineResource({
  name: { one: 'product', many: 'products' },
  tag: 'Products',
  about: 'Products of all types, variants included; the filter on type narrows them.',
  wire: Product,
  line: Product,
  row: ProductRow,
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    full_name: 'text',
    type: 'text',
    status: 'integer',
    price: 'decimal',
    cost_price: 'decimal',
    has_modifications: 'boolean',
    parent_id: 'integer',
    barcode: 'text',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: { summary: (row) => JSON.stringify(row, SUMMARY) },
  stamped: ['created_at', 'updated_at'],
  laterReferences: ({ recipe = [], modificator_groups = [] }) => [
    ...recipe.map(({ id }, index) => ({ member: `recipe[${index}].id`, table: 'products', id })),
    ...modificator_groups.flatMap(({ modificators = [] }, group) =>
      modificators.map(({ ingredient }, index) => ({
        member: `modificator_groups[${group}].modificators[${index}].ingredient.id`,
        table: 'products',
        id: ingredient?.id,
      })),
    ),
  ],
  list: {
    maxLimit: 100,
    always: ['id', 'name', 'type'], // §4.3
    nullable: ['price'],
    sortable: ['id', 'name', 'price', 'created_at', 'updated_at'],
    embedded: ['modifications', 'modificator_groups', 'recipe', 'packages', 'taxes', 'tags', 'setting'],
    date: 'created_at',
  },
  api: { list: {} },
  check(product) {
    if (product.type === 'MODIFICATION')
      throw new RowProblem('a MODIFICATION is a line inside the modifications of its product')
    for (const [index, { parent_id = product.id }] of (product.modifications ?? []).entries())
      if (parent_id !== product.id) throw new RowProblem(`modifications[${index}].parent_id is not this product's id`)
  },
  async write(context, given, store) {
    await refuseForeignIds(context, given)
    const bodies = await store.put(context, given)
    await removeVanished(context, given, store)
    await store.put(
      context,
      given.flatMap((product) => variantRows(product, context.now)),
    )
    return bodies
  },
  exported: 'parent_id is null', // variants are inside their parents
})

// D3.6: variants share the products' ids, so a row must not take over one that stands elsewhere.
async function refuseForeignIds({ tx, brand_id }: WriteContext, products: readonly Product[]): Promise<void> {
  const wanted = new Map<number, { product: Product; parent: number | null }>()
  const claim = (id: number, product: Product, parent: number | null) => {
    if (wanted.has(id)) throw new RowProblem(`id ${id} is used for two products`, product)
    wanted.set(id, { product, parent })
  }
  for (const product of products) {
    claim(product.id, product, null)
    for (const variant of product.modifications ?? []) claim(variant.id, product, product.id)
  }
  const ids = [...wanted.keys()]
  const standing = await tx.rows<{ id: number; parent_id: number | null }>(
    `select id, parent_id from products where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  for (const { id, parent_id } of standing) {
    const { product, parent } = wanted.get(id)!
    if (parent_id === parent) continue
    throw new RowProblem(
      `id ${id} is already ${parent_id === null ? 'a product' : `a modification of product ${parent_id}`}`,
      product,
    )
  }
}

// A product is replaced whole: a variant that it no longer lists goes.
async function removeVanished(
  context: WriteContext,
  products: readonly Product[],
  store: Store<ProductRow>,
): Promise<void> {
  const { tx, brand_id } = context
  const byId = new Map(products.map((product) => [product.id, product]))
  const standing = await tx.rows<{ id: number; parent_id: number }>(
    `select id, parent_id from products where brand_id = ? and parent_id in ${places(products)}`,
    [brand_id, ...byId.keys()],
  )
  for (const { id, parent_id } of standing) {
    const product = byId.get(parent_id)!
    if (product.modifications?.some((variant) => variant.id === id)) continue
    try {
      await store.remove(context, { id })
    } catch (error) {
      if (error instanceof ReferenceViolation)
        throw new RowProblem(`modification ${id} is left out, but prices or stock operations use it`, product)
      throw error
    }
  }
}

// D3.6: a variant's row has its parent's timestamps; parent_id and barcode stay members of the nested one.
const variantRows = (product: Product, now: string): ProductRow[] =>
  (product.modifications ?? []).map((variant) => ({
    ...variant,
    type: 'MODIFICATION',
    created_at: product.created_at ?? now,
    updated_at: product.updated_at ?? now,
    parent_id: product.id,
  }))
