import type { Movement } from '../stock/move.ts'
import { partOf } from './given-back.ts'

/** How much of a sold line was given back before a refund and with it, of all that was sold; counts ×10,000. */
export interface Span {
  readonly before: number
  readonly after: number
  readonly sold: number
}

/** The part of a quantity that goes back, such that all parts add up to it. */
export const quantityBack = (taken: number, { before, after, sold }: Span): number =>
  partOf(1n, taken, after, sold) - partOf(1n, taken, before, sold)

/** A movement that the sale made, ×10,000. */
export interface MovedOut {
  readonly id: number
  readonly receipt_product_id: number
  readonly storage_id: number | null
  readonly product_id: number
  readonly modificator_id: number | null
  readonly quantity: number
  readonly total_cost: number
}

/** P19: brings back what the sale took, to where it was, by quantity and, to the digit, by value. */
export function movementsBack(
  taken: readonly MovedOut[],
  line: { readonly receipt_id: number; readonly receipt_product_id: number },
  { before, after, sold }: Span,
): Movement[] {
  return taken.flatMap(({ id, storage_id, product_id, modificator_id, quantity, total_cost }): Movement[] => {
    const [from, to] = [before, after].map((count) => partOf(1n, -quantity, count, sold)) as [number, number]
    if (from === to) return []
    return [
      {
        ...line,
        product_id,
        ...(storage_id !== null && { storage_id }),
        quantity: to - from,
        value: partOf(1n, -total_cost, to, -quantity) - partOf(1n, -total_cost, from, -quantity),
        ...(modificator_id !== null && { modificator_id }),
        parent_id: id,
      },
    ]
  })
}
