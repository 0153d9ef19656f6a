import Type from 'typebox'
import type { ColumnType, SqlValue } from './column-values.ts'
import { type Column, OPERATORS } from './filters.ts'
import { DEFAULT_LIMIT, type List } from './list.ts'
import { NOTATIONS, type ParameterName, type Spelling } from './query.ts'
import { MAX_SORT_KEYS } from './sort.ts'
import { walkSorts } from './walk.ts'

// The list language as the API's description has it.

/** One query parameter, as an OpenAPI document describes it. */
interface ListParameter {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: string | number | boolean
  /** For programs that are made from the document, such as the SDK: what `filters` may name, and the type of each. */
  readonly 'x-columns'?: Readonly<Record<string, ColumnType>>
  /** What `fields` cannot leave out. */
  readonly 'x-always'?: readonly string[]
  /** What `include` may name, and the members that each adds. */
  readonly 'x-include'?: Readonly<Record<string, readonly string[]>>
  /** Added to lists after they were published, so it is described after the parameters that they had. */
  readonly 'x-later'?: true
}

/** The query parameters of a list, for its documentation. */
export function listParameters(list: List): ListParameter[] {
  const names = (known: { keys(): Iterable<string> }) => [...known.keys()].join(', ')
  const parameters: ListParameter[] = [
    {
      name: 'page',
      description: 'Page number. A page past the last one is empty.',
      schema: { type: 'integer', minimum: 1, default: 1 },
      example: 1,
    },
    {
      name: 'limit',
      description: `Page size. ${alsoWritten('limit')}`,
      schema: { type: 'integer', minimum: 1, maximum: list.maxLimit, default: DEFAULT_LIMIT },
      example: DEFAULT_LIMIT,
    },
    {
      name: 'filters',
      description:
        `A JSON array of filters, each [field, value] or [field, operator, value]; all of them must hold. ` +
        `Fields: ${names(list.columns)}. Operators: ${OPERATORS.join(', ')}. ` +
        `Also written filters[0][0]=field&filters[0][1]=value. ${alsoWritten('filters')}`,
      schema: { type: 'string' },
      example: '[["id",">",10]]',
      'x-columns': Object.fromEntries([...list.columns].map(([name, { type }]) => [name, type])),
    },
    {
      name: 'fields',
      description:
        `Members to return, separated by commas; ${list.always.join(', ')} always come. ` +
        `Members: ${names(list.members)}. ${alsoWritten('fields')}`,
      schema: { type: 'string' },
      example: [...list.members].slice(0, 2).join(','),
      'x-always': list.always,
    },
    {
      name: 'sort[0][0]',
      description:
        `First field to sort by; further ones at sort[1][0] to sort[${MAX_SORT_KEYS - 1}][0]. The ${list.key.name} is always the last key. ` +
        'One field can also be named by sort_by, its direction by sort_order.',
      schema: { type: 'string', enum: [...list.sortable.keys()] },
      example: list.key.name,
    },
    {
      name: 'sort[0][1]',
      // No default: a client that sent it without sort[0][0] would be refused.
      description: 'Direction of sort[0][0], and sent only with it; asc when it is left out. 1 and -1 are read too.',
      schema: { type: 'string', enum: ['asc', 'desc'] },
      example: 'desc',
    },
  ]
  const include: ListParameter[] =
    list.include.size + list.embedded.size === 0
      ? []
      : [
          {
            name: 'include',
            description: [
              list.include.size > 0 && `Related data to add, separated by commas: ${names(list.include)}.`,
              list.embedded.size > 0 && `May name, but does not change, what is always there: ${names(list.embedded)}.`,
              alsoWritten('include'),
            ]
              .filter(Boolean)
              .join(' '),
            schema: { type: 'string' },
            example: [...list.include.union(list.embedded)].slice(0, 1).join(','),
            'x-include': Object.fromEntries([...list.include].map((name) => [name, addedBy(list, name)])),
            ...(list.includeIsLater && { 'x-later': true as const }),
          },
        ]
  if (!list.includeIsLater) parameters.push(...include)
  if (list.ofVenues)
    parameters.push({
      name: 'venue',
      description: 'all: the rows of every venue that the staff user may enter, not only of the active one.',
      schema: { type: 'string', enum: ['all'] },
      example: 'all',
    })
  if (list.date !== undefined)
    parameters.push(
      {
        name: 'date[0]',
        description: `Earliest ${list.date.name}: a date, or an ISO 8601 date-time. Also named date_from.`,
        schema: { type: 'string' },
      },
      {
        name: 'date[1]',
        description: `Latest ${list.date.name}, itself included: a date, which is that whole day in UTC, or an ISO 8601 date-time. Also named date_to.`,
        schema: { type: 'string' },
      },
    )
  const own = Object.entries(list.parameters).map(([name, { description, type, preset, isLater = false }]) => ({
    isLast: isLater === 'last',
    parameter: {
      name,
      description,
      ...ownSchema(type ?? list.columns.get(name)!.type, preset),
      ...(isLater && { 'x-later': true as const }),
    },
  }))
  parameters.push(...own.flatMap(({ isLast, parameter }) => (isLast ? [] : [parameter])))
  parameters.push({
    name: 'after',
    description:
      'Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is ' +
      'null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; ' +
      `no page. Sorts that a walk knows: ${walkSorts(list)}.`,
    schema: { type: 'string' },
    example: '',
    'x-later': true,
  })
  parameters.push(...own.flatMap(({ isLast, parameter }) => (isLast ? [parameter] : [])))
  if (list.includeIsLater) parameters.push(...include)
  const known = (name: string) => list.spellings.has(name.split('[')[0]!)
  return parameters.filter(({ name }) => known(name))
}

/** The members that an include adds. */
const addedBy = ({ includedBy }: List, include: string) =>
  [...includedBy].flatMap(([member, parameter]) => (parameter === include ? [member] : []))

/** How a parameter of one list alone is described, by what it holds. */
function ownSchema(type: ColumnType, preset: SqlValue | undefined): Pick<ListParameter, 'schema' | 'example'> {
  if (type === 'boolean')
    return { schema: { type: 'boolean', ...(preset !== undefined && { default: preset === 1 }) }, example: true }
  if (type === 'integer') return { schema: { type: 'integer' }, example: 1 }
  if (type === 'instant') return { schema: { type: 'string' }, example: '2026-01-01' }
  return { schema: { type: 'string' } }
}

/** A list's language without some of its parameters. */
const restricted = (list: List, known: (spelling: Spelling) => boolean): List => ({
  ...list,
  parameters: Object.fromEntries(Object.entries(list.parameters).filter(([parameter]) => known({ parameter }))),
  spellings: new Map([...list.spellings].filter(([, spelling]) => known(spelling))),
})

/** A view's own part of the list language. Its columns are those of the query that makes its rows. */
export interface ViewLanguage {
  readonly name: string
  readonly members: readonly string[]
  /** What tells its rows apart, and orders them where no sort is given. */
  readonly key: Column
  readonly sortable?: readonly Column[]
  /** What filters may name besides the fields of the list; they choose among the list's rows. */
  readonly filters?: readonly Column[]
}

/** The list language of a view that sums up the rows of a list (P2): the list's filters, the view's own members and sorts. */
export function viewOf(list: List, { name, members, key, sortable = [], filters = [] }: ViewLanguage): List {
  const none: ReadonlySet<string> = new Set()
  return {
    ...restricted(list, ({ parameter }) => parameter !== 'include'),
    name,
    members: new Set(members),
    always: [key.name],
    columns: new Map([...list.columns, ...filters.map((column) => [column.name, column] as const)]),
    sortable: new Map([key, ...sortable].map((column) => [column.name, column])),
    key,
    order: [{ column: key, descending: false }],
    time: undefined,
    include: none,
    includedBy: new Map(),
    embedded: none,
  }
}

/** What a read by id knows of it: what is included, and the parameters that say so; undefined where there is nothing. */
export function forOne(list: List): List | undefined {
  const one = restricted(
    { ...list, unlessFiltered: {} },
    ({ parameter }) => parameter === 'include' || list.parameters[parameter]?.onOne === true,
  )
  return one.spellings.size === 0 ? undefined : one
}

/** A list's language with these parameters alone. */
export const withOnly = (list: List, names: readonly string[]): List =>
  restricted(list, ({ parameter }) => names.includes(parameter))

/** What belongs to one row of a venue. No other venue has any of it, so there is no `venue` parameter. */
export const ofOneVenue = (list: List): List => restricted(list, ({ parameter }) => parameter !== 'venue')

/** What sums over a list know of it: which rows count. */
export const forTotals = (list: List): List =>
  restricted(list, ({ parameter }) => ['filters', 'date', 'venue'].includes(parameter) || parameter in list.parameters)

/** The same as the schema of a query string, only for the documentation: `parseList` reads what is sent. */
export function listQuery(list: List) {
  const made = queries.get(list) ?? queryOf(list)
  queries.set(list, made)
  return made
}

const queries = new WeakMap<List, ReturnType<typeof queryOf>>() // a list is served at several addresses

const queryOf = (list: List) =>
  Type.Object(
    Object.fromEntries(
      listParameters(list).map(({ name, schema, ...words }) => [
        name,
        Type.Optional(Type.Unsafe({ ...schema, ...words })),
      ]),
    ),
  )

function alsoWritten(parameter: ParameterName): string {
  const { spellings, depths } = NOTATIONS[parameter]
  const others = spellings.slice(1)
  return `Also named ${(depths.includes(1) ? others.flatMap((name) => [name, `${name}[]`]) : others).join(', ')}.`
}
