import { fold, nfc } from '../../http/fold.ts'
import { defineList } from '../../http/list.ts'
import { toScaled } from '../../http/values.ts'
import { ReferenceViolation, type Value } from '../../storage/database.ts'
import { upsert } from '../../storage/upsert.ts'
import { exportBodies, type ImportContext, type Kind, places } from '../kind.ts'
import { RowProblem, rowReader } from '../read-row.ts'
import { type Modification, Product, ProductSummary } from './schema.ts'

/** What the list language may touch on products (D2.4, D2.5, D2.7). */
export const productList = defineList({
  maxLimit: 100,
  always: ['id', 'name', 'type'], // §4.3
  members: Object.keys(Product.properties),
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
  nullable: ['price'],
  sortable: ['id', 'name', 'price', 'created_at', 'updated_at'],
  embedded: ['modifications', 'modificator_groups', 'recipe', 'packages', 'taxes', 'tags', 'setting'],
  date: 'created_at',
})

const readProduct = rowReader(Product)

export const productKind: Kind<Product> = {
  name: 'product',
  table: 'products',
  read(row) {
    const product = readProduct(row)
    if (product.type === 'MODIFICATION')
      throw new RowProblem('a MODIFICATION is a line inside the modifications of its product')
    for (const [index, { parent_id = product.id }] of (product.modifications ?? []).entries())
      if (parent_id !== product.id) throw new RowProblem(`modifications[${index}].parent_id is not this product's id`)
    return product
  },
  idOf: ({ id }) => id,
  references: () => [],
  laterReferences: ({ recipe = [], modificator_groups = [] }) => [
    ...recipe.map(({ id }, index) => ({ member: `recipe[${index}].id`, table: 'products' as const, id })),
    ...modificator_groups.flatMap(({ modificators = [] }, group) =>
      modificators.map(({ ingredient }, index) => ({
        member: `modificator_groups[${group}].modificators[${index}].ingredient.id`,
        table: 'products' as const,
        id: ingredient?.id,
      })),
    ),
  ],
  put: putProducts,
  page: (db, brand_id, after) => exportBodies(db, 'products', brand_id, after),
}

async function putProducts(context: ImportContext, products: readonly Product[]): Promise<void> {
  const { tx, brand_id, now } = context
  await refuseForeignIds(context, products)
  const dated = products.map(({ created_at = now, updated_at = now, ...rest }) => ({ ...rest, created_at, updated_at }))
  await upsert(
    tx,
    'products',
    2,
    COLUMNS,
    dated.map((product) => columnsOf(brand_id, product, null, undefined)),
  )
  await removeVanished(context, products)
  const variants = dated.flatMap((product) =>
    (product.modifications ?? []).map((variant) =>
      columnsOf(brand_id, asProduct(variant, product), product.id, variant.barcode),
    ),
  )
  await upsert(tx, 'products', 2, COLUMNS, variants)
}

// D3.6: variants share the products' ids, so a row must not take over one that stands elsewhere.
async function refuseForeignIds({ tx, brand_id }: ImportContext, products: readonly Product[]): Promise<void> {
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
async function removeVanished({ tx, brand_id }: ImportContext, products: readonly Product[]): Promise<void> {
  const byId = new Map(products.map((product) => [product.id, product]))
  const standing = await tx.rows<{ id: number; parent_id: number }>(
    `select id, parent_id from products where brand_id = ? and parent_id in ${places(products)}`,
    [brand_id, ...byId.keys()],
  )
  for (const { id, parent_id } of standing) {
    const product = byId.get(parent_id)!
    if (product.modifications?.some((variant) => variant.id === id)) continue
    try {
      await tx.run('delete from products where brand_id = ? and id = ?', [brand_id, id])
    } catch (error) {
      if (error instanceof ReferenceViolation)
        throw new RowProblem(`modification ${id} is left out, but prices or stock operations use it`, product)
      throw error
    }
  }
}

type DatedProduct = Product & { created_at: string; updated_at: string }

// D3.6: a variant's row has its parent's timestamps; parent_id and barcode stay members of the nested one.
function asProduct(
  { id, name, full_name, status, price, cost_price }: Modification,
  parent: DatedProduct,
): DatedProduct {
  const { created_at, updated_at } = parent
  const given = {
    id,
    name,
    type: 'MODIFICATION' as const,
    full_name,
    status,
    price,
    cost_price,
    created_at,
    updated_at,
  }
  return JSON.parse(JSON.stringify(given)) as DatedProduct
}

const SUMMARY = Object.keys(ProductSummary.properties)

const COLUMNS = [
  ...['brand_id', 'id', 'parent_id', 'type', 'type_folded', 'name', 'name_folded', 'full_name', 'full_name_folded'],
  ...['barcode', 'barcode_folded', 'status', 'price', 'cost_price', 'has_modifications', 'created_at', 'updated_at'],
  ...['body', 'summary'],
]

function columnsOf(
  brand_id: number,
  product: DatedProduct,
  parent_id: number | null,
  barcode: string | undefined,
): Value[] {
  const { id, type, name, full_name, status, price, cost_price, has_modifications, created_at, updated_at } = product
  return [
    ...[
      brand_id,
      id,
      parent_id,
      type,
      fold(type),
      nfc(name),
      fold(name),
      optional(full_name, nfc),
      optional(full_name, fold),
    ],
    ...[
      optional(barcode, nfc),
      optional(barcode, fold),
      status ?? null,
      optional(price, toScaled),
      optional(cost_price, toScaled),
    ],
    ...[optional(has_modifications, Number), created_at, updated_at],
    ...[JSON.stringify(product), JSON.stringify(product, SUMMARY)],
  ]
}

const optional = <From, To>(value: From | undefined, convert: (value: From) => To | undefined): To | null =>
  value === undefined ? null : (convert(value) ?? null)
