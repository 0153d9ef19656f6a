import type { Data, MergeRules } from '../storage/feed/new-event.ts'

// E2: what a transaction does to one object is one event of a type. The database merges by these rules when it appends.

const MAX_PRODUCT_IDS = 200 // E1: price_list.prices_changed

/** M5: whatever is written of these can change every menu of the brand. */
const ON_EVERY_MENU = ['product', 'category', 'price_list', 'menu_entry', 'tax', 'sale_type', 'unit', 'venue']
const WRITTEN = ['created', 'updated', 'deleted']

/** The rules of the types whose data are more than an id, what changed and a state, or that change menus. */
export const MERGE_RULES: MergeRules = {
  ...Object.fromEntries(
    ON_EVERY_MENU.flatMap((kind) => WRITTEN.map((happened) => [`${kind}.${happened}`, { menu: 'brand' }])),
  ),
  'brand.updated': { menu: 'brand' },
  'feed.resync': { menu: 'brand' },
  'stop_list.changed': { menu: 'venue' },
  'customer.balance_changed': {
    part: ({ balance }) => (balance as Balance).type, // each balance of a customer moves by itself
    merge: (one, other) => ({ balance: { ...(other.balance as Balance), from: (one.balance as Balance).from } }),
  },
  'price_list.prices_changed': { menu: 'brand', merge: productIds },
  'stock.moved': { merge: (one, other) => movements(one as unknown as Moved, other as unknown as Moved) },
}

interface Balance {
  readonly type: string
  readonly from: number
}

function productIds(one: Data, other: Data): Data {
  const ids = new Set([...idsIn(one), ...idsIn(other)])
  return one.all || other.all || ids.size > MAX_PRODUCT_IDS
    ? { product_ids: undefined, all: true }
    : { product_ids: [...ids] }
}

const idsIn = ({ product_ids }: Data) => (product_ids ?? []) as readonly number[]

interface Moved {
  readonly first_id: number
  readonly last_id: number
  readonly count: number
  readonly receipt_id?: number | undefined
  readonly operation_id?: number | undefined
}

/** A receipt or a document is named when all movements are its own. */
const movements = (one: Moved, other: Moved): Data => ({
  first_id: Math.min(one.first_id, other.first_id),
  last_id: Math.max(one.last_id, other.last_id),
  count: one.count + other.count,
  receipt_id: one.receipt_id === other.receipt_id ? one.receipt_id : undefined,
  operation_id: one.operation_id === other.operation_id ? one.operation_id : undefined,
})
