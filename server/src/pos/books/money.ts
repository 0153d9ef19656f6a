import type { RowCheck } from './finding.ts'

/** I5, I6, I10 and I11: balances, people, shifts and days are the sums of what was booked. */
export const MONEY_CHECKS: readonly RowCheck[] = []
