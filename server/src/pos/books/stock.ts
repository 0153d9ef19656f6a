import type { RowCheck } from './finding.ts'

/** I4 and I12: stock is the sum of its movements, and documents have theirs. */
export const STOCK_CHECKS: readonly RowCheck[] = []
