import Type from 'typebox'
import { type Selected, serveSums, serveView, viewColumn } from '../../resource/read/views.ts'
import type { Extension } from '../../resource/serve.ts'
import { Decimal, Id, Maybe } from '../../resource/values.ts'
import { ofProduct, RESERVED, stocks } from '../../resources/stock/stocks.ts'
import { fromScaled } from '../../values/values.ts'
import { roundTo } from '../rounding.ts'

const Sums = {
  quantity: Decimal(),
  reserved: Decimal(),
  available: Decimal(),
  total_cost: Decimal(),
}
const StockTotal = Type.Object(
  { count: Type.Integer({ description: 'Number of rows' }), ...Sums },
  { $id: 'StockTotal' },
)
const ProductStock = Type.Object(
  {
    product_id: Id(),
    name: Type.String(),
    unit_id: Maybe(Id()),
    ...Sums,
    cost: Type.Number({ description: 'Cost of one unit; 0 where nothing is there' }),
    low_stock: Maybe(Decimal()),
  },
  { $id: 'ProductStock' },
)
const CategoryStock = Type.Object(
  {
    category_id: Maybe(Id()),
    name: Maybe(Type.String()),
    products: Type.Integer({ description: 'How many of it have a stock' }),
    ...Sums,
  },
  { $id: 'CategoryStock' },
)
const StockInfo = Type.Object(
  {
    products: Type.Integer(),
    out_of_stock: Type.Integer({ description: 'Products of which nothing is left' }),
    low_stock: Type.Integer({ description: 'Products of which less is left than their low_stock' }),
    negative: Type.Integer({ description: 'Products of which more was taken than was there' }),
    total_cost: Decimal(),
  },
  { $id: 'StockInfo' },
)

interface Summed {
  quantity: number
  reserved: number
  value: number
}

const SUMS = `cast(coalesce(sum(quantity), 0) as bigint) as quantity,
  cast(coalesce(sum(reserved), 0) as bigint) as reserved, cast(coalesce(sum(value), 0) as bigint) as value`

/** The rows that count, each with what is reserved of it. */
const counted = (where: string) =>
  `(select product_id, quantity, value, ${RESERVED} as reserved from stocks where ${where}) as counted`

const byProduct = (where: string) => `(select product_id, ${SUMS} from ${counted(where)} group by product_id) as summed`

/** The place of what has no category. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER

const ofCategory = (column: string) => `(select categories.${column} from categories
  where categories.brand_id = stocks.brand_id and categories.id = ${ofProduct('category_id')})`

/** Products of this brand; they come after the values of `counted`. */
const withProducts = ({ brand_id, where, values }: Selected) => ({
  from: `${byProduct(where)} join products on products.brand_id = ? and products.id = product_id`,
  values: [...values, brand_id],
})

const shown = ({ quantity, reserved, value }: Summed) => ({
  quantity: fromScaled(quantity),
  reserved: fromScaled(reserved),
  available: fromScaled(quantity - reserved),
  total_cost: fromScaled(value),
})

const UNIT = 10_000n

const costOf = ({ quantity, value }: Summed) =>
  quantity <= 0 ? 0 : fromScaled(Number(roundTo(1n, BigInt(value) * UNIT, BigInt(quantity))))

/** What is in stock, in sums: with the filters of the list. */
export const stockExtension: Extension = {
  routes(app, deps) {
    serveSums<Summed & { count: number }>(
      app,
      deps,
      stocks,
      {
        path: 'stock/total',
        operationId: 'getStockTotal',
        summary: 'Sum up stock',
        description: 'Quantities and value of all rows that the filters of the list leave.',
      },
      StockTotal,
      {
        text: (where) => `select count(*) as count, ${SUMS} from ${counted(where)}`,
        made: ({ count, ...sums }) => ({ count, ...shown(sums) }),
      },
    )
    serveSums<{ products: number; out_of_stock: number; low: number; negative: number; value: number }>(
      app,
      deps,
      stocks,
      {
        path: 'stock/info',
        operationId: 'getStockInfo',
        summary: 'Count what is running out',
        description: 'How many products there are, are out of stock, low or below 0, and what all of it is worth.',
      },
      StockInfo,
      {
        text: (where) => `select count(*) as products,
            cast(coalesce(sum(case when quantity <= 0 then 1 else 0 end), 0) as bigint) as out_of_stock,
            cast(coalesce(sum(case when quantity < low_stock then 1 else 0 end), 0) as bigint) as low,
            cast(coalesce(sum(case when quantity < 0 then 1 else 0 end), 0) as bigint) as negative,
            cast(coalesce(sum(value), 0) as bigint) as value
          from (select product_id, cast(sum(quantity) as bigint) as quantity, cast(sum(value) as bigint) as value,
            max((select low_stock from products
                 where products.brand_id = stocks.brand_id and products.id = stocks.product_id)) as low_stock
            from stocks where ${where} group by product_id) as summed`,
        made: ({ products, out_of_stock, low, negative, value }) => ({
          products,
          out_of_stock,
          low_stock: low,
          negative,
          total_cost: fromScaled(value),
        }),
      },
    )
    serveView<Summed & { product_id: number; name: string; unit_id: number | null; low_stock: number | null }>(
      app,
      deps,
      stocks,
      {
        path: 'stock/product',
        operationId: 'listStockByProduct',
        summary: 'List stock by product',
        description: 'The sums over all storages, for each product; with the filters of the list.',
      },
      ProductStock,
      {
        key: viewColumn('product_id', 'integer'),
        sortable: [viewColumn('name', 'text')],
        filters: [viewColumn('name', 'text', { sql: ofProduct('name'), folded: ofProduct('name_folded') })],
        read(selected) {
          const { from, values } = withProducts(selected)
          return {
            text: `select product_id, name, name_folded, unit_id, low_stock, quantity, reserved, value from ${from}`,
            values,
          }
        },
        made: ({ product_id, name, unit_id, low_stock, ...sums }) => ({
          product_id,
          name,
          ...(unit_id !== null && { unit_id }),
          ...shown(sums),
          cost: costOf(sums),
          ...(low_stock !== null && { low_stock: fromScaled(low_stock) }),
        }),
      },
    )
    serveView<Summed & { category_id: number | null; name: string | null; products: number }>(
      app,
      deps,
      stocks,
      {
        path: 'stock/product-group',
        operationId: 'listStockByCategory',
        summary: 'List stock by category',
        description: 'The sums over all products of each category; those of none come last.',
      },
      CategoryStock,
      {
        key: viewColumn('category_id', 'integer', { sql: 'place', folded: 'place' }),
        sortable: [viewColumn('name', 'text', { nullable: true })],
        filters: [
          viewColumn('category_id', 'integer', { sql: ofProduct('category_id') }),
          viewColumn('name', 'text', { sql: ofCategory('name'), folded: ofCategory('name_folded') }),
        ],
        read(selected) {
          const { from, values } = withProducts(selected)
          return {
            text: `select coalesce(grouped.category_id, ${AFTER_ALL}) as place, grouped.category_id, categories.name,
                categories.name_folded, products, quantity, reserved, value from
                (select category_id, count(*) as products, ${SUMS} from ${from} group by category_id) as grouped
                left join categories on categories.brand_id = ? and categories.id = grouped.category_id`,
            values: [...values, selected.brand_id],
          }
        },
        made: ({ category_id, name, products, ...sums }) => ({
          ...(category_id !== null && { category_id }),
          ...(name !== null && { name }),
          products,
          ...shown(sums),
        }),
      },
    )
  },
}
