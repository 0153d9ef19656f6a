import Type from 'typebox'
import { serveSums, serveView, viewColumn } from '../../resource/read/views.ts'
import type { Extension } from '../../resource/serve.ts'
import { Decimal, Id, Maybe } from '../../resource/values.ts'
import { stockOperations } from '../../resources/stock/stock-operations.ts'
import { fromScaled } from '../../values/values.ts'

const MovementTotal = Type.Object(
  {
    count: Type.Integer(),
    in: Type.Number({ description: 'Quantity that came in' }),
    out: Type.Number({ description: 'Quantity that was taken, above 0' }),
    in_cost: Decimal(),
    out_cost: Decimal(),
  },
  { $id: 'StockOperationTotal' },
)
const ProductMovements = Type.Object(
  {
    product_id: Id(),
    name: Type.String(),
    unit_id: Maybe(Id()),
    opening: Type.Number({ description: 'Quantity before date[0]' }),
    in: Decimal(),
    out: Type.Number({ description: 'Above 0' }),
    closing: Type.Number({ description: 'opening + in − out' }),
    opening_cost: Decimal(),
    in_cost: Decimal(),
    out_cost: Decimal(),
    closing_cost: Decimal(),
  },
  { $id: 'ProductMovements' },
)

interface Summed {
  came: number
  went: number
  came_value: number
  went_value: number
}

const sum = (what: string, condition: string) =>
  `cast(coalesce(sum(case when ${condition} then ${what} else 0 end), 0) as bigint)`

const MOVED = (inside: string) => `${sum('quantity', `quantity > 0${inside}`)} as came,
  ${sum('-quantity', `quantity < 0${inside}`)} as went, ${sum('total_cost', `quantity > 0${inside}`)} as came_value,
  ${sum('-total_cost', `quantity < 0${inside}`)} as went_value`

const shown = ({ came, went, came_value, went_value }: Summed) => ({
  in: fromScaled(came),
  out: fromScaled(went),
  in_cost: fromScaled(came_value),
  out_cost: fromScaled(went_value),
})

const ofProduct = (column: string) => `(select products.${column} from products
  where products.brand_id = stock_operations.brand_id and products.id = stock_operations.product_id)`

/** Adds the sums of movements, with the same filters as their list. */
export const movementExtension: Extension = {
  routes(app, deps) {
    serveSums<Summed & { count: number }>(
      app,
      deps,
      stockOperations,
      {
        path: 'stock-operations/total',
        operationId: 'getStockOperationsTotal',
        summary: 'Sum up stock movements',
        description: 'What came in and what was taken, of all rows that the filters and the date of the list leave.',
      },
      MovementTotal,
      {
        text: (where) => `select count(*) as count, ${MOVED('')} from stock_operations where ${where}`,
        made: ({ count, ...sums }) => ({ count, ...shown(sums) }),
      },
    )
    serveView<
      Summed & { product_id: number; name: string; unit_id: number | null; opening: number; opening_value: number }
    >(
      app,
      deps,
      stockOperations,
      {
        path: 'stock-operations/products',
        operationId: 'listStockOperationsByProduct',
        summary: 'List stock movements by product',
        description:
          'For each product what was there before the date, what came in, what was taken, and what was there at its end. ' +
          'Imported history is left out, since it is in no stock.',
      },
      ProductMovements,
      {
        key: viewColumn('product_id', 'integer'),
        sortable: [viewColumn('name', 'text')],
        filters: [viewColumn('name', 'text', { sql: ofProduct('name'), folded: ofProduct('name_folded') })],
        read({ brand_id, owned, query: { filtered, dates }, checkpoint }) {
          const [from = '', to = '9999'] = dates // before and after every instant
          return {
            text: `select product_id, name, name_folded, products.unit_id, opening, opening_value, came, went, came_value, went_value from
                (select product_id, ${sum('quantity', 'operated_at < ?')} as opening,
                   ${sum('total_cost', 'operated_at < ?')} as opening_value, ${MOVED(' and operated_at >= ?')}
                 from stock_operations where ${owned.text}${filtered.text} and position > 0 and operated_at <= ?${checkpoint}
                 group by product_id) as summed
                join products on products.brand_id = ? and products.id = product_id`,
            values: [...Array<string>(6).fill(from), ...owned.values, ...filtered.values, to, brand_id],
          }
        },
        made: ({ product_id, name, unit_id, opening, opening_value, ...sums }) => ({
          product_id,
          name,
          ...(unit_id !== null && { unit_id }),
          opening: fromScaled(opening),
          in: fromScaled(sums.came),
          out: fromScaled(sums.went),
          closing: fromScaled(opening + sums.came - sums.went),
          opening_cost: fromScaled(opening_value),
          in_cost: fromScaled(sums.came_value),
          out_cost: fromScaled(sums.went_value),
          closing_cost: fromScaled(opening_value + sums.came_value - sums.went_value),
        }),
      },
    )
  },
}
