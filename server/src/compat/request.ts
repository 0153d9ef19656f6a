import { readPairs } from '../lists/query.ts'
import { fromWallClock } from '../values/wall-clock.ts'

// What clients of the hosted service send, in our own spelling. Whatever is not known here stays as it was sent, for the API to refuse.

/** A date-time that names no zone. Other centuries are left to be refused. */
const LOCAL_TIME = /^((?:19|2\d)\d\d-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/
const LOCAL_TIME_IN_QUERY = /\d{4}-\d\d-\d\d(?:[T+]|%20)\d\d(?::|%3A)\d\d/i

/** Whether a query may have a date-time that names no zone. */
export const hasLocalTime = (rawQuery: string): boolean => LOCAL_TIME_IN_QUERY.test(rawQuery)

/** A date-time without a zone as an instant of the venue's; anything else as it is. */
function instantIn(zone: string | undefined, value: unknown): unknown {
  const [, day, minute, second = '00', fraction = ''] = typeof value === 'string' ? (LOCAL_TIME.exec(value) ?? []) : []
  if (day === undefined || zone === undefined) return value
  const wall = `${day}T${minute}:${second}.000Z`
  const wallMs = Date.parse(wall)
  if (Number.isNaN(wallMs) || new Date(wallMs).toISOString() !== wall) return value // 31 February, 24:00
  return new Date(fromWallClock(wallMs, zone) + Number(fraction.padEnd(3, '0').slice(0, 3))).toISOString()
}

interface Pair {
  readonly name: string
  readonly value: string
}

interface Spelling {
  /** Parameters that the API knows as filters. */
  readonly filters?: readonly string[]
  /** Related data that is always there, so that asking for it changes nothing. */
  readonly embedded?: readonly string[]
  /** What comes without being asked for. */
  readonly include?: string
}

const PRODUCT: Spelling = { include: 'details' }
const CUSTOMER: Spelling = { include: 'details', embedded: ['group', 'balance', 'cashback_balance'] }
const ORDER: Spelling = { embedded: ['service_notification_id', 'status'] }

/** Spellings by route, without the base path. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  '/products': { ...PRODUCT, filters: ['type', 'category_id'] },
  '/products/:id': PRODUCT,
  '/customers': CUSTOMER,
  '/customers/:id': CUSTOMER,
  '/orders': ORDER,
  '/orders/:id': ORDER,
  '/stations': { filters: ['can_print'] },
}

/** The query of a list or of one row. A date-time without a zone is read in `zone`; where that is undefined, it is left to be refused. */
export function translateQuery(route: string, rawQuery: string, zone: string | undefined): string {
  const { filters: plain = [], embedded = [], include } = SPELLINGS[route] ?? {}
  const pairs = spread([...readPairs(rawQuery)])
  const isOf = (names: readonly string[]) => {
    const known = new Set(names)
    return ({ name }: Pair) => known.has(name.split('[', 1)[0]!)
  }
  const [isFilter, isInclude] = [isOf(['filters', 'filter']), isOf(['include', 'with', 'with_'])]
  const given = pairs.filter(isFilter)
  const added = pairs.filter(({ name }) => plain.includes(name))
  const filters = readFilters(given)
  const included = new Set([
    ...(include === undefined ? [] : [include]),
    ...pairs.filter(isInclude).flatMap(({ value }) => value.split(',').map((name) => relationOf(name.trim()))),
  ]).difference(new Set(embedded))
  const others = pairs.filter((pair) => !isFilter(pair) && !isInclude(pair) && !added.includes(pair))
  const all = [...(filters ?? []), ...added.map(({ name, value }) => [name, value])].map((filter) =>
    translateFilter(route, filter, zone),
  )
  return [
    ...others.map(({ name, value }) => ({ name, value: isDate(name) ? String(instantIn(zone, value)) : value })),
    ...(filters === undefined ? given : []), // they cannot be read, and are refused
    ...(all.length > 0 ? [{ name: 'filters', value: JSON.stringify(all) }] : []),
    ...(included.size > 0 ? [{ name: 'include', value: [...included].join(',') }] : []),
  ]
    .map(({ name, value }) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
}

/** JSON can name half a character, which no address can. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const isDate = (name: string) => /^date(?:$|_|\[)/.test(name)

/** `receipt:id,status` names columns of the relation, which comes whole here. */
const relationOf = (name: string) => name.replace(/^receipt:.*/, 'receipt')

/** A whole query that was sent as one JSON object, as the name of a parameter without a value. */
function spread(pairs: Pair[]): Pair[] {
  const [only, ...others] = pairs
  if (only === undefined || others.length > 0 || only.value !== '' || !only.name.startsWith('{')) return pairs
  const parsed = parseJson(only.name)
  if (typeof parsed !== 'object' || parsed === null) return pairs
  return Object.entries(parsed).flatMap(([name, value]) => membersOf(name, value))
}

function membersOf(name: string, value: unknown): Pair[] {
  if (value === null) return []
  if (typeof value !== 'object') return [{ name, value: String(value) }]
  const isFilters = name === 'filters' || name === 'filter'
  if (isFilters) return [{ name, value: JSON.stringify(Array.isArray(value) ? value : Object.values(value)) }]
  return Object.entries(value).map(([key, each]) => ({
    name: name.endsWith('[]') ? name : `${name}[${key}]`,
    value: typeof each === 'string' ? each : JSON.stringify(each),
  }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const BRACKETS = /^filters?\[([^[\]]+)\]\[([012])\](?:\[([^[\]]*)\])?$/

/** The filters of a query, in whatever notation; `filters[0][0]` may stand beside `filter[0][1]`. Undefined: they cannot be read. */
function readFilters(pairs: readonly Pair[]): unknown[][] | undefined {
  const [first, ...others] = pairs
  if (first && !first.name.includes('[')) {
    const parsed = others.length === 0 ? parseJson(first.value) : undefined
    if (!Array.isArray(parsed)) return undefined
    const filters: unknown[] = typeof parsed[0] === 'string' ? [parsed] : parsed
    return filters.every((filter) => Array.isArray(filter)) ? filters : undefined
  }
  const filters = new Map<string, unknown[]>()
  for (const { name, value } of pairs) {
    const [, key, place, isListed] = BRACKETS.exec(name) ?? []
    if (key === undefined) return undefined
    const filter = filters.get(key) ?? []
    filters.set(key, filter)
    const before = filter[Number(place)]
    if (isListed === undefined && before === undefined) filter[Number(place)] = value
    else if (isListed !== undefined && before === undefined) filter[Number(place)] = [value]
    else if (isListed !== undefined && Array.isArray(before)) before.push(value)
    else return undefined
  }
  return [...filters.values()]
}

function translateFilter(route: string, filter: readonly unknown[], zone: string | undefined): unknown[] {
  const [field, ...rest] = filter
  const value = rest.at(-1)
  if (rest.length === 0) return [...filter]
  if (route === '/products' && field === 'type')
    return [field, ...rest.slice(0, -1), Array.isArray(value) ? value.map(typeOf) : typeOf(value)]
  if (typeof field !== 'string' || !field.endsWith('_at')) return [...filter]
  return [
    field,
    ...rest.slice(0, -1),
    Array.isArray(value) ? value.map((each) => instantIn(zone, each)) : instantIn(zone, value),
  ]
}

/** D3.6 calls goods PRODUCT. */
const typeOf = (value: unknown) => (value === 'GOODS' ? 'PRODUCT' : value)

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a body has a date-time that names no zone. */
export const hasLocalTimeIn = (body: unknown): boolean =>
  isObject(body) &&
  Object.entries(body).some(
    ([name, value]) => name.endsWith('_at') && typeof value === 'string' && LOCAL_TIME.test(value),
  )

/** A body whose date-times without a zone are the venue's. */
export const withInstants = (body: unknown, zone: string | undefined): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, name.endsWith('_at') ? instantIn(zone, value) : value]),
      )
    : body

/**
 * The body of POST /orders. The older one has who orders what and where in `payload`, and what holds for all of it in `meta`. What is
 * only shown there (names, prices, totals) is left out, because orders are priced here; the ids that an order needs are not made up.
 */
export function translateOrder(body: unknown): unknown {
  const flat = isObject(body) && isObject(body.payload) ? flatOrder(body, body.payload) : body
  if (!isObject(flat) || !Array.isArray(flat.products)) return flat
  return { ...flat, products: flat.products.map(withoutStatus) }
}

/** What a client says of a line's progress means nothing here, and must not make another order of it. */
function withoutStatus(line: unknown): unknown {
  if (!isObject(line)) return line
  const { status: _status, ...known } = line
  return known
}

function flatOrder(body: Members, payload: Members): unknown {
  const { customer_id, payload: _payload, meta, ...more } = body
  const { service, customer, products, meta: payloadMeta, ...unknown } = payload
  if (![service, customer, meta, payloadMeta].every(isObjectOrAbsent)) return body // refused for its payload
  const { venue_name: _venue, sale_type_name: _type, ...ofService } = members(service)
  const {
    customer_discount_type,
    apply_service_charge,
    service_charge_value: _value,
    orderTotal: _total,
    ...ofMeta
  } = { ...members(payloadMeta), ...members(meta) }
  const person = {
    ...(customer_id !== undefined && { id: customer_id }),
    ...(customer_discount_type !== undefined && { customer_discount_type }),
    ...members(customer),
  }
  const made = {
    ...(Object.keys(person).length > 0 && { customer: person }),
    ...(products !== undefined && { products: Array.isArray(products) ? products.map(translateLine) : products }),
    ...serviceCharge(apply_service_charge),
  }
  const parts: Members[] = [unknown, ofService, ofMeta, more, made]
  const names = parts.flatMap((part) => Object.keys(part))
  return new Set(names).size < names.length ? body : Object.assign({}, ...parts) // said twice: which one is meant?
}

/** The service charge, which applies unless an order says otherwise. */
function serviceCharge(apply_service_charge: unknown): Members {
  if (apply_service_charge === false) return { service_charge: { enabled: false } }
  return apply_service_charge === true || isAbsent(apply_service_charge) ? {} : { apply_service_charge }
}

/** D1.4: null is absent. */
const isAbsent = (value: unknown) => value === undefined || value === null
const isObjectOrAbsent = (value: unknown) => isAbsent(value) || isObject(value)

const members = (value: unknown): Members => (isObject(value) ? value : {})

function translateLine(line: unknown): unknown {
  if (!isObject(line)) return line
  const { product_modificators, meta, ...known } = line
  if (!isObjectOrAbsent(meta) || (product_modificators && known.modifiers)) return line // refused for these members
  const { price: _price, order_product: _shown, ...unknown } = members(meta)
  if (product_modificators === undefined) return { ...unknown, ...known }
  const modifiers = Array.isArray(product_modificators)
    ? product_modificators.map(translateModifier)
    : product_modificators
  return { ...unknown, ...known, modifiers }
}

function translateModifier(each: unknown): unknown {
  if (!isObject(each)) return each
  const { modificator_id, ...rest } = each
  return { ...(modificator_id !== undefined && { modifier_id: modificator_id }), ...rest }
}
