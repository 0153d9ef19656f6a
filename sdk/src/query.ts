// The list language (D2); which list knows which names is generated (resources.ts).

/** An ISO 8601 date or date-time, or a Date. */
export type Instant = string | Date

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

/** Any query, its names no longer checked. */
export interface Asked {
  filters?: readonly unknown[] | undefined
  fields?: readonly string[] | undefined
  include?: string | readonly string[] | undefined
  sort?: readonly (readonly string[])[] | undefined
  date?: readonly (Instant | undefined)[] | undefined
  page?: number | undefined
  after?: string | undefined
  /** What goes over the wire under its own name. */
  [name: string]: unknown
}

/** Parameters of a query string; undefined ones are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** A query as it goes over the wire (D2.1). */
export function listParameters({ filters, fields, include, sort = [], date = [undefined], ...rest }: Asked): Query {
  return {
    filters: filters && JSON.stringify(filters),
    fields: fields && (fields.join() || 'id'), // none are those that come always, and the id is one of these
    include: include && (include.toString() || undefined),
    ...Object.fromEntries(sort.flatMap((key, index) => key.map((part, place) => [`sort[${index}][${place}]`, part]))),
    ...Object.fromEntries(date.map((end, place) => [`date[${place}]`, end === undefined ? end : text(end)])),
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, value === undefined ? value : text(value)]),
    ),
  }
}

/** An array is a comma list. */
const text = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

export function encodeQuery(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return pairs.map((pair) => pair.map((part) => encodeURIComponent(part!)).join('=')).join('&')
}
