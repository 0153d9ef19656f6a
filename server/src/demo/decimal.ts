/** An amount, a quantity or a rate as a whole number of ten-thousandths (D3.4): sums are exact, only the wire sees a fraction. */
export type Scaled = number

export const ONE = 10_000
const CENT = 100

/** Reads a number as a person wrote it: 9.8 is 98,000 ten-thousandths. */
export const scaled = (written: number): Scaled => Math.round(written * ONE)

export const toWire = (value: Scaled): number => value / ONE

/** A cost times a quantity. The menu keeps every such product within four decimals, so that nothing is ever rounded. */
export function times(cost: Scaled, quantity: Scaled): Scaled {
  const product = cost * quantity
  if (product % ONE !== 0) throw new RangeError(`${toWire(cost)} × ${toWire(quantity)} has more than four decimals`)
  return product / ONE
}

/** A share of an amount of money, to the cent. */
export const percentOf = (amount: Scaled, percent: number): Scaled =>
  Math.round((amount * percent) / (100 * CENT)) * CENT
