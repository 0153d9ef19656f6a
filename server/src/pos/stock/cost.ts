import { roundTo } from '../rounding.ts'

// P21: what a movement does to a stock row. All numbers are whole and ×10,000; nothing is clamped, so quantity and value may be below 0.

/** A stock level: the quantity, its total value, and the last cost of one unit. */
export interface StockLevel {
  readonly quantity: number
  readonly value: number
  readonly cost: number
}

export const NOTHING: StockLevel = { quantity: 0, value: 0, cost: 0 }

/**
 * Incoming goods bring a unit cost, or their exact total value: of goods that were taken here and come back, or that were `carried` from
 * another storage. By default the last cost.
 */
export type Incoming = { readonly cost: number } | { readonly value: number; readonly carried?: boolean }

export interface Moved {
  readonly after: StockLevel
  /** Cost of one unit of what moved. */
  readonly cost: number
}

/** `quantity` is signed: negative if goods are taken. */
export function moved(level: StockLevel, quantity: number, incoming: Incoming = { cost: level.cost }): Moved {
  if (quantity === 0) return { after: level, cost: level.cost } // a count that found what was expected
  return quantity < 0 ? takenOut(level, -quantity) : broughtIn(level, quantity, incoming)
}

/** Takes a share of the value by quantity, all of it when nothing is left. Goods beyond that go at the same cost, or at the last one. */
function takenOut(level: StockLevel, taken: number): Moved {
  const worth = level.quantity > 0 ? product(level.value, taken, level.quantity) : product(level.cost, taken, UNIT)
  const quantity = level.quantity - taken
  const value = level.value - worth
  return { after: { quantity, value, cost: costOf(quantity, value, level.cost) }, cost: product(worth, UNIT, taken) }
}

function broughtIn(level: StockLevel, added: number, incoming: Incoming): Moved {
  const quantity = level.quantity + added
  const cost = 'cost' in incoming ? incoming.cost : product(incoming.value, UNIT, added)
  const value = valueWith(level, added, incoming)
  return { after: { quantity, value, cost: costOf(quantity, value, cost) }, cost }
}

/**
 * Over negative stock everything is worth what the new goods cost: the cost of what was taken before them was only a guess. A total value
 * is added exactly, so that returned goods restore the former value; unless they were carried here, or that made a value without goods,
 * or goods and a value of different signs.
 */
function valueWith(level: StockLevel, added: number, incoming: Incoming): number {
  const quantity = level.quantity + added
  const brought = 'cost' in incoming ? product(incoming.cost, added, UNIT) : incoming.value
  const sum = level.value + brought
  if (level.quantity >= 0) return sum
  if ('cost' in incoming) return product(incoming.cost, quantity, UNIT)
  const comesBack = !incoming.carried && sum !== 0 && Math.sign(sum) === Math.sign(quantity)
  return comesBack ? sum : product(incoming.value, quantity, added)
}

/** Unit cost; without goods to divide by, the last one stays. */
const costOf = (quantity: number, value: number, last: number) => (quantity > 0 ? product(value, UNIT, quantity) : last)

const UNIT = 10_000

/** One × other ÷ divisor, rounded to four places (P9). */
const product = (one: number, other: number, divisor: number) =>
  Number(roundTo(1n, BigInt(one) * BigInt(other), BigInt(divisor)))
