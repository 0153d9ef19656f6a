// P9: the two operations that money is rounded by. Amounts are ×10,000; `unit` is the smallest amount that a guest sees.

/** P8: ×10,000, the smallest amount with this many decimal places. */
export const unitOf = (money_places: number): bigint => 10n ** BigInt(4 - money_places)

/** The multiple of `unit` that is nearest to numerator ÷ denominator (above 0), half away from zero. */
export function roundTo(unit: bigint, numerator: bigint, denominator: bigint): bigint {
  const divisor = denominator * unit
  const magnitude = numerator < 0n ? -numerator : numerator
  const units = (2n * magnitude + divisor) / (2n * divisor)
  return (numerator < 0n ? -units : units) * unit
}

/**
 * Shares an amount, a multiple of `unit` that is not negative, in proportion to the weights, by largest remainder. Of equal remainders
 * the earlier one comes first. The parts add up to the amount; without any weight there is nothing to share.
 */
export function shareOut(unit: bigint, amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return weights.map(() => 0n)
  const units = amount / unit
  const shares = weights.map((weight) => (units * weight) / whole)
  const missing = units - shares.reduce((sum, share) => sum + share, 0n) // less than there are weights
  if (missing > 0n) {
    const remainders = weights.map((weight, index) => ({ index, remainder: (units * weight) % whole }))
    remainders.sort((one, other) =>
      one.remainder === other.remainder ? one.index - other.index : one.remainder > other.remainder ? -1 : 1,
    )
    for (const { index } of remainders.slice(0, Number(missing))) shares[index]! += 1n
  }
  return shares.map((share) => share * unit)
}
