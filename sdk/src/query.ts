import type { PriceList, Product, ProductType } from './types.ts'

/** An ISO 8601 date or date-time, or a Date. */
export type Instant = string | Date

/** What products may be filtered by (D2.4), with the values each takes. */
export interface ProductColumns {
  id: number
  name: string
  full_name: string
  type: ProductType
  status: number
  price: number
  cost_price: number
  has_modifications: boolean
  parent_id: number
  barcode: string
  created_at: Instant
  updated_at: Instant
}

/** What price lists may be filtered by (D2.4). */
export interface PriceListColumns {
  id: number
  name: string
  status: boolean
  created_at: Instant
  updated_at: Instant
}

/** `['type', 'PRODUCT']` or `['price', '>=', 10]` (D2.3). All filters of a list must hold. */
export type Filter<Columns> = { [Name in keyof Columns]: FilterOn<Name, Columns[Name]> }[keyof Columns]

type FilterOn<Name, Value> =
  | readonly [Name, Value | readonly Value[] | null]
  | readonly [Name, '=' | '!=', Value | null]
  | readonly [Name, '>' | '>=' | '<' | '<=', Value]
  | readonly [Name, 'in' | 'not in', readonly Value[]]
  | readonly [Name, 'is null' | 'is not null', null]
  | ([Value] extends [string] ? readonly [Name, 'like', string] : never)

export type Sort<Name> = readonly [Name, 'asc' | 'desc']

/** What is common to the queries of all lists (D2). */
export interface ListQuery<Columns, Sortable, Field> {
  filters?: readonly Filter<Columns>[] | undefined
  /** Members to return; some come always. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<Sortable>[] | undefined
  /** Bounds created_at, both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Where to begin; pages count from 1. */
  page?: number | undefined
  /** Page size; the server's default is 50. */
  limit?: number | undefined
}

/** A page holds up to 100 products. */
export type ProductQuery<Field extends keyof Product = keyof Product> = ListQuery<
  ProductColumns,
  'id' | 'name' | 'price' | 'created_at' | 'updated_at',
  Field
>

/** A product narrowed to the fields asked for; id, name and type come always (§2.3). */
export type ProductOf<Field extends keyof Product> = Pick<Product, 'id' | 'name' | 'type' | Field>

/** Related data of price lists. */
export type PriceListRelated = 'prices'

/** What `fields` may name on price lists: prices only when they are included (D2.6). */
export type PriceListField<Related extends PriceListRelated> = Exclude<keyof PriceList, PriceListRelated> | Related

/** A page holds up to 999 price lists. */
export interface PriceListQuery<Related extends PriceListRelated, Field extends PriceListField<Related>>
  extends ListQuery<PriceListColumns, 'id' | 'name' | 'created_at', Field> {
  include?: readonly Related[] | undefined
}

/** A price list narrowed to the fields asked for; the id comes always, prices when included and, if fields are named, among them. */
export type PriceListOf<Related extends PriceListRelated, Field extends PriceListField<Related>> = Pick<
  PriceList,
  'id' | Exclude<Field, PriceListRelated>
> &
  Required<Pick<PriceList, Extract<Field, Related>>>

/** Any list's query, its names no longer checked. */
export interface Asked extends Omit<ListQuery<unknown, string, string>, 'filters'> {
  filters?: readonly unknown[] | undefined
  include?: readonly string[] | undefined
}

/** Parameters of a query string; undefined ones are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** A list's query as it goes over the wire (D2.1). */
export function listParameters({ filters, fields, include, sort = [], date = [undefined], page, limit }: Asked): Query {
  return {
    filters: filters && JSON.stringify(filters),
    fields: fields && (fields.join() || 'id'), // none are those that come always, and the id is one of these
    include: include?.join() || undefined,
    ...Object.fromEntries(sort.flatMap((key, index) => key.map((part, place) => [`sort[${index}][${place}]`, part]))),
    ...Object.fromEntries(date.map((end, place) => [`date[${place}]`, end instanceof Date ? end.toISOString() : end])),
    page,
    limit,
  }
}

export function encodeQuery(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return pairs.map((pair) => pair.map((part) => encodeURIComponent(part!)).join('=')).join('&')
}
