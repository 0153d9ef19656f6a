import { Badge } from '@mantine/core'
import type { Customer } from '../../../server/src/resources/customers.ts'
import type { PriceList } from '../../../server/src/resources/price-lists.ts'
import type { Product } from '../../../server/src/resources/product-schema.ts'
import type { Receipt } from '../../../server/src/resources/receipts.ts'
import type { StockOperation } from '../../../server/src/resources/stock-operations.ts'
import type { Resource } from '../me.ts'
import { LOCALE, texts } from '../texts/texts.ts'
import { type Column, Named } from './rows.tsx'
import { Moment, When } from './when.tsx'

export interface Rows {
  products: Product
  'price-lists': PriceList
  customers: Customer
  receipts: Receipt
  'stock-operations': StockOperation
}

type ColumnName = keyof typeof texts.data.columns

/** What the list language allows on a resource, and what of it a table shows. */
export interface Shape<Row> {
  title: (row: Row) => string
  columns: (Column<Row> & { sort?: string })[]
  /** What can be searched by: `like` finds any part of a text, the others are found by all of it. */
  search: readonly (readonly [column: ColumnName, kind: 'like' | 'exact' | 'number'])[]
  sort: readonly ColumnName[]
  newestFirst?: ColumnName
  /** What only a row that is asked for by itself comes with: a page of them could be too much. */
  include?: string
}

const names = texts.data.columns
const column = <Row,>(name: ColumnName, cell: Column<Row>['cell'], more: { sorted?: true; wide?: true } = {}) => ({
  name: names[name],
  cell,
  ...(more.wide && { wide: true as const }),
  ...(more.sorted && { sort: name }),
})
const sorted = { sorted: true } as const

export const amount = (value: number | null | undefined) =>
  value?.toLocaleString(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const count = (value: number | undefined) => value?.toLocaleString(LOCALE, { maximumFractionDigits: 4 })
const day = (at: string | undefined) => at !== undefined && <When at={at} date />
const moment = (at: string | undefined) => at !== undefined && <Moment at={at} />

const Active = ({ active }: { active: boolean }) => (
  <Badge variant="light" color={active ? 'bottle' : 'gray'}>
    {active ? texts.data.active : texts.data.inactive}
  </Badge>
)

const products: Shape<Product> = {
  title: ({ name }) => name,
  columns: [
    column('name', ({ id, name }) => <Named name={name} id={String(id)} />, { sorted: true, wide: true }),
    column('type', ({ type }) => texts.data.types[type] ?? type),
    column('price', ({ price }) => amount(price), sorted),
    column('cost_price', ({ cost_price }) => amount(cost_price)),
    column('status', ({ status }) => status !== undefined && <Active active={status === 1} />),
    column('updated_at', ({ updated_at }) => day(updated_at), sorted),
  ],
  search: [
    ['name', 'like'],
    ['full_name', 'like'],
    ['id', 'number'],
    ['barcode', 'like'],
  ],
  sort: ['id', 'name', 'price', 'created_at', 'updated_at'],
}

const priceLists: Shape<PriceList> = {
  title: ({ name, id }) => name ?? String(id),
  include: 'prices',
  columns: [
    column('name', ({ id, name }) => <Named name={name ?? ''} id={String(id)} />, { sorted: true, wide: true }),
    column('description', ({ description }) => description),
    column('status', ({ status }) => status !== undefined && <Active active={status} />),
    column('created_at', ({ created_at }) => day(created_at), sorted),
  ],
  search: [
    ['name', 'like'],
    ['id', 'number'],
  ],
  sort: ['id', 'name', 'created_at'],
}

const customers: Shape<Customer> = {
  title: ({ name }) => name,
  columns: [
    column('name', ({ id, name }) => <Named name={name} id={id} />, { sorted: true, wide: true }),
    column('phone', ({ phone }) => phone && <span className="nowrap">{phone}</span>),
    column('email', ({ email }) => email),
    column('group', ({ group }) => group.name),
    column('balance', ({ balance }) => amount(balance.amount)),
    column('created_at', ({ created_at }) => day(created_at), sorted),
  ],
  search: [
    ['name', 'like'],
    ['phone', 'exact'],
    ['email', 'exact'],
    ['id', 'exact'],
    ['code', 'exact'],
    ['cid', 'exact'],
  ],
  sort: ['id', 'name', 'created_at'],
  newestFirst: 'created_at',
}

const receipts: Shape<Receipt> = {
  title: ({ id }) => texts.data.receipt(String(id)),
  columns: [
    column('id', ({ id }) => <span className="strong">{id}</span>, sorted),
    column('total', ({ total }) => amount(total)),
    column('payment_methods', ({ payment_methods = [] }) => payment_methods.map(({ name }) => name).join(', '), {
      wide: true,
    }),
    column('status', ({ status, deleted_at }) => (
      <Badge variant="light" color={deleted_at ? 'red' : status === 1 ? 'bottle' : 'gray'}>
        {deleted_at ? texts.data.deleted : (texts.data.receiptStatus[status ?? 0] ?? status)}
      </Badge>
    )),
    column('venue_id', ({ venue_id }) => venue_id),
    column('customer_id', ({ customer_id }) => customer_id),
    column('created_at', ({ created_at }) => moment(created_at), sorted),
  ],
  search: [
    ['id', 'number'],
    ['venue_id', 'number'],
    ['customer_id', 'exact'],
    ['user_id', 'number'],
  ],
  sort: ['id', 'created_at'],
  newestFirst: 'created_at',
}

const stockOperations: Shape<StockOperation> = {
  title: ({ id }) => texts.data.stockOperation(String(id)),
  columns: [
    column('id', ({ id }) => <span className="strong">{id}</span>, sorted),
    column('product_id', ({ product_id }) => product_id),
    column('receipt_id', ({ receipt_id }) => receipt_id),
    column('quantity', ({ quantity }) => count(quantity)),
    column('after_quantity', ({ after_quantity }) => count(after_quantity)),
    column('total_cost', ({ total_cost }) => amount(total_cost)),
    column('venue_id', ({ venue_id }) => venue_id),
    column('operated_at', ({ operated_at }) => moment(operated_at), sorted),
  ],
  search: [
    ['id', 'number'],
    ['product_id', 'number'],
    ['receipt_id', 'number'],
    ['venue_id', 'number'],
  ],
  sort: ['id', 'operated_at'],
  newestFirst: 'operated_at',
}

export const SHAPES: { [Name in Resource]: Shape<Rows[Name]> } = {
  products,
  'price-lists': priceLists,
  customers,
  receipts,
  'stock-operations': stockOperations,
}
