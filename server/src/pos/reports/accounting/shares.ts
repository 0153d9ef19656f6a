import { roundTo } from '../../rounding.ts'

/**
 * Divides amounts among payments by their size, in units of money: `cells[part][payment]`. What a part is divided into adds up to it,
 * and what a payment gets of all parts adds up to the payment; payments and parts have the same sum.
 */
export function divided(parts: readonly number[], payments: readonly number[], unit: number): number[][] {
  const total = BigInt(payments.reduce((sum, amount) => sum + amount, 0))
  // Nothing was paid: there are no shares, and the first payment has it all.
  if (total === 0n) return parts.map((part) => payments.map((_amount, index) => (index === 0 ? part : 0)))
  const [sign, whole] = total < 0n ? [-1n, -total] : [1n, total]
  const share = (part: number, paid: number) => Number(roundTo(BigInt(unit), sign * BigInt(part) * BigInt(paid), whole))
  const [partSums, paidSums] = [sums(parts), sums(payments)]
  const corner = (i: number, j: number) => share(partSums[i]!, paidSums[j]!)
  return parts.map((_part, i) =>
    payments.map((_amount, j) => corner(i + 1, j + 1) - corner(i, j + 1) - corner(i + 1, j) + corner(i, j)),
  )
}

/** The sums of the first 0, 1, 2, … of them. */
function sums(amounts: readonly number[]): number[] {
  const all = [0]
  for (const amount of amounts) all.push(all.at(-1)! + amount)
  return all
}
