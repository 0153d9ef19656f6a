import { roundTo, unitOf } from '../pos/rounding.ts'
import { fromScaled, instantOf, toScaled } from '../values/values.ts'

// What the API answers, as clients of the hosted service read it. Rows are changed in place: they were parsed for this.

/** One object of an answer. */
export type Row = Record<string, unknown>

export interface Answered {
  /** The server's working time in milliseconds. */
  readonly elapsedMs: number
  readonly nowMs: number
}

/** The members around the data of a success, in order; `data` itself comes first. */
export function around(body: Row, isList: boolean, { elapsedMs, nowMs }: Answered): Row {
  const { success: _, data: __, message, total, pagination, ...more } = body
  const {
    page,
    total: matches,
    total_pages,
  } = (pagination ?? {}) as { page?: number; total?: number; total_pages?: number }
  const count = total ?? matches
  const pages = pagination === undefined ? { page: 1, total_pages: 1 } : { page, total_pages }
  return {
    ...more,
    ...(message !== undefined && { message }),
    ...(isList && {
      ...(count !== undefined && {
        total: count,
        meta: { current_page: pages.page, last_page: Math.max(1, pages.total_pages ?? 1) },
      }),
      sorts: [],
      ...(pagination !== undefined && { pagination }),
    }),
    time: Math.round(elapsedMs),
    timestamp: instantOf(nowMs).slice(0, 19).replace('T', ' '),
    unix: Math.floor(nowMs / 1000),
  }
}

/** A refusal; `error` is our name of it. */
export function refusal({ error, message, details }: Row, status: number): Row {
  return {
    success: false,
    error: [{ message, type: 'server_side', exception: error, http_code: status }],
    message,
    ...(details !== undefined && { details }),
  }
}

/** Values that an answer takes from other rows than its own. hooks.ts reads them. */
export interface Known {
  readonly venue_id: number
  /** Whether the request chose members, so that none are added. */
  readonly isNarrowed: boolean
  /** Prices of ingredients, by id. */
  readonly prices?: Pick<ReadonlyMap<number, number | string>, 'get'>
  /** Whole balances, by id. */
  readonly balances?: ReadonlyMap<number, Row>
  /** The place of each category in the brand's tree, by id. */
  readonly bounds?: ReadonlyMap<number, Bounds>
  /** Storages of stock operations, by the id of the operation. */
  readonly storages?: ReadonlyMap<number, number>
  readonly money_places?: number
}

const listOf = (value: unknown) => (value ?? []) as Row[]

export function product(row: Row, { prices, isNarrowed }: Known): void {
  if (row.type === 'PRODUCT') row.type = 'GOODS'
  delete row.open_price // the hosted service has none
  for (const variant of listOf(row.modifications)) {
    variant.parent_id ??= row.id
    variant.type ??= 'MODIFICATION'
  }
  for (const ingredient of listOf(row.recipe)) ingredient.price = prices?.get(ingredient.id as number) ?? 0
  for (const group of listOf(row.modificator_groups)) {
    group.adjust_to_portion = false
    group.created_at = row.created_at
    group.updated_at = row.updated_at
    group.modifiers = group.modificators
  }
  if (!isNarrowed) row.media = []
}

/** The text of a translated product, in parts between which the prices of its ingredients stand. */
export interface ProductText {
  readonly parts: readonly Buffer[]
  /** The ingredient whose price comes after each part but the last. */
  readonly ingredients: readonly number[]
}

/** Translates the text of a product. It depends on nothing else, so that it can be kept. */
export function productText(text: string): ProductText {
  const row = JSON.parse(text) as Row
  product(row, { venue_id: 0, isNarrowed: false, prices: { get: (id) => `\0${id}` } }) // no text of ours has a NUL (D1.5)
  const pieces = JSON.stringify(row).split(/"\\u0000(\d+)"/)
  return {
    parts: pieces.filter((_, index) => index % 2 === 0).map((part) => Buffer.from(part)),
    ingredients: pieces.filter((_, index) => index % 2 === 1).map(Number),
  }
}

/** Remembers translated products by the bytes they had, until these take too much memory: then all is forgotten. */
export function productTexts(maxBytes: number): (page: Buffer, from: number, to: number) => ProductText {
  const known = new Map<string, ProductText>()
  let bytes = 0
  return (page, from, to) => {
    const key = page.toString('latin1', from, to) // the cheapest string that tells bytes apart
    const before = known.get(key)
    if (before !== undefined) return before
    bytes += to - from
    if (bytes > maxBytes) {
      known.clear()
      bytes = to - from
    }
    const made = productText(page.toString('utf8', from, to))
    known.set(key, made)
    return made
  }
}

/** The ids of the ingredients of some products. */
export const ingredientsOf = (rows: readonly Row[]): number[] => [
  ...new Set(rows.flatMap(({ recipe }) => listOf(recipe).map(({ id }) => id as number))),
]

const DISCOUNT_TYPES: Readonly<Record<string, number>> = { percent: 1, amount: 2 }

export function customerGroup(row: Row): void {
  row.discount_type = DISCOUNT_TYPES[String(row.discount_type)] ?? row.discount_type
}

export function customer(row: Row, { venue_id, balances, isNarrowed }: Known): void {
  row.id = numberOf(row.id)
  if (!isNarrowed) {
    row.venue_id = venue_id
    row.cid ??= ''
  }
  if (row.group) customerGroup(row.group as Row)
  for (const name of ['balance', 'cashback_balance']) {
    const own = row[name] as Row | undefined
    if (own) row[name] = { ...balances?.get(own.id as number), ...own }
  }
}

/** The ids of the balances of some customers. */
export const balancesOfCustomers = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ balance, cashback_balance }) => [balance, cashback_balance].flatMap((each) => idOf(each as Row)))

const idOf = (row: Row | undefined): number[] => (typeof row?.id === 'number' ? [row.id] : [])

/** A customer's id is a text here (§2.2), and mostly digits. */
const numberOf = (id: unknown) => (typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id)

export function user(row: Row, { isNarrowed }: Known): void {
  if (!isNarrowed) Object.assign(row, { pin: '', hide: 0 })
}

/** First and last number of a walk around a category, as nested sets have it. */
export type Bounds = readonly [left: number, right: number]

export function category(row: Row, known: Known): void {
  const [left, right] = known.bounds?.get(row.id as number) ?? []
  if (!known.isNarrowed) Object.assign(row, { _lft: left, _rgt: right, media: [] })
  for (const child of listOf(row.children)) category(child, known)
}

interface Node {
  readonly id: number
  readonly parent_id: number | null
}

/** Numbers a tree: nodes come in the order of the menu, whatever their depth. */
export function boundsOf(nodes: readonly Node[]): Map<number, Bounds> {
  const below = Map.groupBy(nodes, ({ parent_id }) => parent_id)
  const bounds = new Map<number, Bounds>()
  let next = 1
  const visit = ({ id }: Node) => {
    const left = next++
    for (const child of below.get(id) ?? []) visit(child)
    bounds.set(id, [left, next++])
  }
  for (const top of below.get(null) ?? []) visit(top)
  return bounds
}

/** Translates a payment method. Its balance shows an amount of money, for callers who may read balances only. */
export function paymentMethod(row: Row, { balances, isNarrowed }: Known): void {
  if (isNarrowed) return
  const { balance } = row as { balance?: { id: number } }
  row.is_system = row.kind === 'OTHER' ? 0 : 1
  if (balance === undefined) return
  row.balance_id = balance.id
  row.balance = balances?.get(balance.id)
}

/** The ids of the balances of some payment methods. */
export const balancesOfMethods = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ balance }) => idOf(balance as Row | undefined))

export function stockOperation(row: Row, { storages, isNarrowed }: Known): void {
  const storage_id = storages?.get(row.id as number)
  if (!isNarrowed && storage_id !== undefined) row.storage_id = storage_id
}

interface OrderLine {
  product_id: number
  product_name: string
  count: number
  price: number
  portion_size: number
  note?: string
  modifiers: { modifier_id: number; modifier_name: string; count: number; price: number }[]
}

export function order(row: Row, { isNarrowed, money_places = 2 }: Known): void {
  if (isNarrowed) return
  const { id, venue_id, sale_type_id, order_number } = row
  const person = row.customer as Row | undefined
  const lines = row.products as OrderLine[]
  row.payload = {
    id,
    service: { sale_type_id, venue_id },
    ...(person && { customer: { name: '', ...person, ...(person.id !== undefined && { id: numberOf(person.id) }) } }),
    products: lines.map(({ modifiers, portion_size: _, ...line }) => ({
      ...line,
      product_modificators: modifiers.map(({ modifier_id, modifier_name, count, price }) => ({
        modificator_id: modifier_id,
        name: modifier_name,
        count,
        price,
      })),
    })),
    ...(order_number !== undefined && { order_number }),
    sale_type_id,
  }
  const items = lines.map((line, index) => lineItem(line, index, money_places))
  const sum = items.reduce((all, { total_price }) => all + toScaled(total_price)!, 0)
  // A line sold by time is not its price times its count: rather no items than wrong ones.
  if (sum === toScaled(row.subtotal as number)) row.line_items = items
  row.total_amount = row.total
}

/** P11, steps 1 and 2. An order's lines have no ids of their own: they are numbered. */
function lineItem(
  { product_id, count, price, portion_size, modifiers }: OrderLine,
  index: number,
  money_places: number,
) {
  const scaled = (amount: number) => BigInt(toScaled(amount) ?? 0)
  const unit = modifiers.reduce((sum, each) => sum + scaled(each.price) * BigInt(each.count), scaled(price))
  const total = roundTo(unitOf(money_places), unit * scaled(count) * scaled(portion_size), 100_000_000n)
  return {
    id: index + 1,
    product_id,
    quantity: count,
    unit_price: fromScaled(Number(unit)),
    total_price: fromScaled(Number(total)),
  }
}

/** Splits the text of a list that comes in pieces: gives each row as soon as it is whole, and at the end what follows the rows. */
export function rowSplitter() {
  let text = ''
  let [at, start, depth] = [0, -1, 0]
  let isInText = false

  return {
    push(piece: string): string[] {
      text += piece
      const rows: string[] = []
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (isInText) {
          if (code === BACKSLASH) at++
          else if (code === QUOTE) isInText = false
        } else if (code === QUOTE) isInText = true
        else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
          if (++depth === ROW_DEPTH) start = at
        } else if ((code === CLOSE_OBJECT || code === CLOSE_ARRAY) && --depth === ROW_DEPTH - 1 && start !== -1) {
          rows.push(text.slice(start, at + 1))
          text = text.slice(at + 1)
          ;[at, start] = [-1, -1]
        }
      }
      return rows
    },
    end: () => text,
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]
const ROW_DEPTH = 3 // {"data":[{
