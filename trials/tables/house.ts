import type { Row } from '../../server/test/database/store.ts'
import { openShift, paymentMethod } from '../venue/drawer.ts'

// A restaurant with two halls, two stations and three courses, whose prices are whole: what was sold can be counted by hand.

export const DISHES = [1, 2, 3, 4, 5, 6]
export const COURSES = [1, 2, 3]
export const SEATS = [1, 2, 3, 4]
export const TABLES = [1, 2, 3, 4, 5, 6, 7, 8]
export const [CASH, CARD] = [1, 2]
/** The users that tips are for. */
export const PEOPLE = [1, 2]
export const TERMINAL = 1
const SHIFT = '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0002'

export const priceOf = (dish: number) => dish + 2
export const ingredientOf = (dish: number) => dish + 50
/** Quantity of its ingredient in one dish. */
export const GRAMS = 0.15
/** The dish of which portions are counted, and how many there are. */
export const [COUNTED, PORTIONS] = [1, 1_000_000]

export const HOUSE: Row[] = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true, cash_shift: 1 },
  { kind: 'user', id: 2, username: 'waiter', role_id: 1 },
  { kind: 'sale_type', id: 1, name: 'In', system_type: 'IN', channel: 'IN', status: {}, position: 1 },
  { kind: 'terminal', id: TERMINAL, venue_id: 1, name: 'Till', status: 1 },
  { kind: 'storage', id: 1, venue_id: 1, name: 'Store room', is_main: 1, status: 1 },
  ...[1, 2].map((id) => ({ kind: 'station', id, name: `Station ${id}`, status: 1, type: 1, printable: 1 })),
  ...COURSES.map((id) => ({ kind: 'course', id, name: `Course ${id}`, status: 1 })),
  ...[1, 2].map((id) => ({ kind: 'hall', id, venue_id: 1, name: `Hall ${id}`, position: id, status: 1 })),
  ...TABLES.map((id) => ({ kind: 'table', id, venue_id: 1, name: `T${id}`, hall_id: (id % 2) + 1, status: 1 })),
  ...DISHES.map((id) => ({
    kind: 'product',
    id: ingredientOf(id),
    name: `Ingredient ${id}`,
    type: 'INGREDIENT',
    status: 1,
  })),
  ...DISHES.map((id) => ({
    kind: 'product',
    id,
    name: `Dish ${id}`,
    type: 'DISH',
    price: priceOf(id),
    status: 1,
    station_id: (id % 2) + 1,
    takes: [{ product_id: ingredientOf(id), gross: GRAMS }],
  })),
  paymentMethod(CASH, 'CASH'),
  paymentMethod(CARD, 'CARD'),
  openShift(SHIFT),
]

/** Money that a guest gave, in whole units. */
export interface Given {
  receipt: number
  method: number
  amount: number
  tip: number
  user: number
}

/** What those who work there were told, once each is done: it must be all that there is. */
export interface Told {
  /** Dishes that were ordered, by product. */
  ordered: Map<number, number>
  /** Receipts that were opened, those that splits made included. */
  opened: Set<number>
  closed: Set<number>
  cancelled: Set<number>
  merged: Set<number>
  given: Given[]
  /** Receipts that were refunded with their tips. */
  refunds: { receipt: number; refund: number; waste: boolean }[]
  /** Acts that were done, by name, and how many were refused. */
  done: Record<string, number>
  refused: number
  /** Answers that did not come, after which the same was asked again. */
  lost: number
}

export const nothingYet = (): Told => ({
  ordered: new Map(),
  opened: new Set(),
  closed: new Set(),
  cancelled: new Set(),
  merged: new Set(),
  given: [],
  refunds: [],
  done: {},
  refused: 0,
  lost: 0,
})
