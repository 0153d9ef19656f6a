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

/** What is known of one list (resources.ts): its items, and the names that its query takes. */
export interface Listing {
  item: object
  /** Members that come in any case. */
  always: PropertyKey
  /** Columns that filters name, with the type of each. */
  filters: object
  sort: string
  /** What may be included, with the members that each adds. */
  include?: object
  /** Further parameters. */
  more?: object
}

type Included<Of extends Listing> = Of extends { include: infer Members } ? Members : unknown
type More<Of extends Listing> = Of extends { more: infer Parameters } ? Parameters : unknown

/** What `include` may name. */
export type RelatedOf<Of extends Listing> = keyof Included<Of>
type RelatedMember<Of extends Listing> = Included<Of>[RelatedOf<Of>]

/** What `fields` may name; what is related only when it is included (D2.6). */
export type FieldOf<Of extends Listing, Related extends RelatedOf<Of> = never> =
  | Exclude<keyof Of['item'], RelatedMember<Of>>
  | Extract<keyof Of['item'], Included<Of>[Related]>

/** An item, narrowed to the requested fields. An included array is there; another included member may have no value. */
export type ItemOf<Of extends Listing, Related extends RelatedOf<Of> = never, Field = FieldOf<Of, Related>> = Pick<
  Of['item'],
  Extract<keyof Of['item'], Of['always'] | Exclude<Field, IncludedArray<Of>>>
> &
  Required<Pick<Of['item'], Extract<IncludedArray<Of>, Field>>>

type IncludedArray<Of extends Listing> = {
  [Member in keyof Of['item']]-?: Member extends RelatedMember<Of>
    ? NonNullable<Of['item'][Member]> extends readonly unknown[]
      ? Member
      : never
    : never
}[keyof Of['item']]

/** The query of a list: `ListQuery<ProductListing>`. */
export type ListQuery<
  Of extends Listing,
  Related extends RelatedOf<Of> = never,
  Field extends FieldOf<Of, Related> = FieldOf<Of, Related>,
> = {
  filters?: readonly Filter<Of['filters']>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** Related objects to add. */
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<Of['sort']>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. */
  limit?: number | undefined
  /**
   * Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null.
   * Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page.
   */
  after?: string | undefined
} & More<Of>

/** A list that can be cut to a span of time. */
export interface Dated {
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
}

/** Any query, its names no longer checked. */
export interface UncheckedQuery {
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
export function listParameters({
  filters,
  fields,
  include,
  sort = [],
  date = [undefined],
  ...rest
}: UncheckedQuery): Query {
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
