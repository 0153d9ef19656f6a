import Type, { type Static } from 'typebox'
import { whether } from '../../lists/list.ts'
import { defineResource } from '../../resource/define.ts'
import { RowProblem, refuseNegative } from '../../resource/files/read-row.ts'
import { Decimal } from '../../resource/values.ts'
import type { TableWriter, WriteContext } from '../../resource/write/write.ts'
import { type Queries, ReferenceViolation } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { toScaled } from '../../values/values.ts'
import { units } from '../stock/units.ts'
import { categories } from './categories.ts'
import { readEffectivePrices, refuseUnknownSaleType, rulingLists } from './effective-price.ts'
import { prepareParts } from './parts/prepare.ts'
import { refuseCircle } from './parts/recipe-circle.ts'
import { DEFAULT_DETAILS, Product, ProductDetails, ProductLine, ProductSummary } from './product-schema.ts'
import { stations } from './stations.ts'
import { readStops, StopListEntry } from './stop-list.ts'

/** A product as it is stored. A variant has its own row, with the members that only a nested variant shows (D3.6). */
const ProductRow = Type.Object({ ...Product.properties, ...ProductDetails.properties })
type ProductRow = Static<typeof ProductRow>

const SUMMARY = Object.keys(ProductSummary.properties)

export const products = defineResource({
  name: { one: 'product', many: 'products' },
  tag: 'Products',
  about: 'Products of all types, variants included; the filter on type narrows them.',
  wire: Product,
  details: ProductDetails,
  included: {
    category: { schema: categories.item, table: 'categories', foreignKey: 'category_id' },
    station: { schema: stations.item, table: 'stations', foreignKey: 'station_id' },
    unit: { schema: units.item, table: 'units', foreignKey: 'unit_id' },
    stop: { schema: StopListEntry, read: readStops },
    effective_price: { schema: Decimal(), read: readEffectivePrices },
  },
  line: ProductLine,
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
    category_id: 'integer',
    station_id: 'integer',
    unit_id: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: {
    summary: (row) => JSON.stringify(row, SUMMARY),
    low_stock: ({ low_stock }) => (low_stock === undefined ? null : (toScaled(low_stock) ?? null)),
  },
  stamped: ['created_at', 'updated_at'],
  references: { category_id: 'categories', station_id: 'stations', unit_id: 'units' },
  laterReferences: ({ recipe = [], modificator_groups = [], takes = [] }) => [
    ...takes.map(({ product_id }, index) => ({
      member: `takes[${index}].product_id`,
      table: 'products',
      id: product_id,
    })),
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
    sortable: ['id', 'name', 'price', 'created_at', 'updated_at'],
    embedded: [
      'modifications',
      'modificator_groups',
      'recipe',
      'packages',
      'taxes',
      'tags',
      'setting',
      'codes',
      'media',
    ],
    date: 'created_at',
    parameters: {
      sale_type_id: {
        type: 'integer',
        onOne: true,
        isLater: true,
        description: 'The sale type that effective_price is for, beside the active venue.',
      },
      at: {
        type: 'instant',
        onOne: true,
        isLater: 'last',
        description: 'The instant that effective_price is for; now, where it is absent.',
      },
    },
    check: refuseUnknownSaleType,
    compat: {
      maxLimit: 200,
      compared: {
        giftable: whether(`instr(details, '"giftable":true') > 0`),
        discountable: whether(`instr(details, '"discountable":true') > 0`),
        has_variants: whether('has_modifications = 1'),
        has_barcode: whether('barcode is not null'),
        has_modifiers: whether(`instr(body, '"modificator_groups":[{') > 0`),
        // After its tags a body has only its times. Each begins with its id; inside a text the quotes would be escaped.
        tags: {
          type: 'integer',
          sql: `replace(substr(body, nullif(instr(body, '"tags":['), 0)), '}', ',')`,
          holds: (id) => `{"id":${id},`,
        },
      },
    },
    shown: { columns: ['name', 'type', 'price', 'cost_price', 'status', 'updated_at'] },
  },
  api: { list: { envelope: 'specified' }, get: {} },
  edit: {
    permission: 'menu:write',
    reviewed: ['price', 'taxes', 'open_price'],
    members: [
      'name',
      'type',
      'price',
      'category_id',
      'taxes',
      'station_id',
      'description',
      'barcode',
      'unit_id',
      'sold_by_weight',
      'cooking_time',
      'hidden',
      'status',
      'full_name',
      'cost_price',
      'low_stock',
      'discountable',
      'giftable',
      'ignore_service_charge',
      'open_price',
      'position',
      'modifications',
      'modificator_groups',
      'recipe',
      'takes',
      'packages',
      'tags',
      'setting',
    ],
    // Choices that exist are changed together with those of other products (back-office/menu/choices.ts).
    onlyNew: ['type', 'modificator_groups'],
    copies: { taxes: 'taxes' },
    start: startOf,
    beside: async (db, brand_id, id) => ({ price_lists: await rulingLists(db, brand_id, id) }),
    inside: { member: 'modifications', members: ['name', 'price', 'status'] },
    prepare: prepareParts,
    async apply(context, product, before) {
      await refuseCircle(context, product)
      return before ? withFullNames(product, before) : product
    },
  },
  check(product) {
    if (product.type === 'MODIFICATION')
      throw new RowProblem('a MODIFICATION is a line inside the modifications of its product')
    if (product.type === 'TIMER' && product.open_price)
      throw new RowProblem('a TIMER costs what its times cost, so open_price must not be true')
    for (const [index, { parent_id = product.id }] of (product.modifications ?? []).entries())
      if (parent_id !== product.id) throw new RowProblem(`modifications[${index}].parent_id is not this product's id`)
  },
  // A sale refuses a price below 0, and takes nothing back.
  async complete(_context, lines) {
    for (const line of lines) {
      refuseNegative(line, 'price', line.price)
      for (const [index, { price }] of (line.modifications ?? []).entries())
        refuseNegative(line, `modifications[${index}].price`, price)
      for (const [index, { gross }] of (line.takes ?? []).entries())
        refuseNegative(line, `takes[${index}].gross`, gross)
    }
    return [...lines]
  },
  async write(context, given, writer) {
    await refuseForeignIds(context, given)
    const bodies = await writer.put(
      context,
      given.map((product) => ({ ...DEFAULT_DETAILS, ...product })),
    )
    const parts = { ...context, unpublished: true } // a variant's change is its parent's (E1)
    await removeVanished(parts, given, writer)
    await writer.put(
      parts,
      given.flatMap((product, index) => variantRows(product, bodies[index]!)),
    )
    return bodies
  },
  exportCondition: 'parent_id is null', // variants are inside their parents
})

/** A full name that was made of names is made of the names of now: a product's own, or a variant's after its product's. */
function withFullNames(product: ProductLine, before: ProductLine): ProductLine {
  const isName = before.full_name === before.name && product.full_name === before.full_name
  const renamed = isName ? { ...product, full_name: product.name } : product
  if (!product.modifications) return renamed
  const called = ({ full_name, name }: ProductLine) => full_name ?? name
  const modifications = product.modifications.map((variant) => {
    const old = before.modifications?.find(({ id }) => id === variant.id)
    const isMade = old?.full_name === `${called(before)}, ${old?.name}` && variant.full_name === old?.full_name
    return isMade ? { ...variant, full_name: `${called(renamed)}, ${variant.name}` } : variant
  })
  return { ...renamed, modifications }
}

/** New products may be discounted and given away, and have the taxes for new products; without one a product has none. */
async function startOf(db: Queries, brand_id: number) {
  const bodies = await db.texts('select body from taxes where brand_id = ? and status = 1 order by id', [brand_id])
  const taxes = bodies
    .map((body) => JSON.parse(body) as { id: number; is_default: number })
    .flatMap(({ id, is_default }) => (is_default === 1 ? [id] : []))
  const { takes: _, ...flags } = DEFAULT_DETAILS
  return { ...flags, ...(taxes.length > 0 && { taxes }) }
}

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
  const existing = await tx.rows<{ id: number; parent_id: number | null }>(
    `select id, parent_id from products where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  for (const { id, parent_id } of existing) {
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
  writer: TableWriter<ProductRow>,
): Promise<void> {
  const { tx, brand_id } = context
  const byId = new Map(products.map((product) => [product.id, product]))
  const existing = await tx.rows<{ id: number; parent_id: number }>(
    `select id, parent_id from products where brand_id = ? and parent_id in ${places(products)}`,
    [brand_id, ...byId.keys()],
  )
  for (const { id, parent_id } of existing) {
    const product = byId.get(parent_id)!
    if (product.modifications?.some((variant) => variant.id === id)) continue
    try {
      await writer.remove(context, { id })
    } catch (error) {
      if (error instanceof ReferenceViolation)
        throw new RowProblem(`modification ${id} is left out, but prices or stock operations use it`, product)
      throw error
    }
  }
}

// D3.6: a variant's row has its parent's timestamps; parent_id and barcode stay members of the nested one.
function variantRows(product: ProductLine, body: string): ProductRow[] {
  const { id: parent_id, modifications = [] } = product
  if (modifications.length === 0) return []
  const { created_at, updated_at } = JSON.parse(body) as Required<Pick<Product, 'created_at' | 'updated_at'>>
  // A variant is made and sold as its parent is; the parent also says what it takes (P20).
  const { category_id, station_id, unit_id, cooking_time, open_price } = product
  const { hidden, sold_by_weight, discountable, giftable, ignore_service_charge } = { ...DEFAULT_DETAILS, ...product }
  return modifications.map((variant) => ({
    ...definedOnly({ category_id, station_id, unit_id, cooking_time, open_price }),
    hidden,
    sold_by_weight,
    discountable,
    giftable,
    ignore_service_charge,
    takes: [],
    ...variant,
    type: 'MODIFICATION',
    created_at,
    updated_at,
    parent_id,
  }))
}

/** The same without members that have no value. */
const definedOnly = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: NonNullable<Members[Name]>
  }
