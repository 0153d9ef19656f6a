import type { Queries } from '../../storage/database.ts'
import { type Finding, rowFindings } from './finding.ts'
import { MONEY_CHECKS } from './money.ts'
import { auditReceipts, RECEIPT_CHECKS } from './receipts.ts'
import { STOCK_CHECKS } from './stock.ts'
import { VENUE_CHECKS } from './venues.ts'

export interface Audited {
  readonly receipts: number
  readonly findings: readonly Finding[]
}

const CHECKS = [...RECEIPT_CHECKS, ...STOCK_CHECKS, ...MONEY_CHECKS, ...VENUE_CHECKS]

/** Checks everything of a brand, also while it sells. */
export async function auditBooks(db: Queries, brand_id: number): Promise<Audited> {
  const { receipts, findings } = await auditReceipts(db, brand_id)
  const others: Finding[] = []
  for (const check of CHECKS) others.push(...(await rowFindings(db, brand_id, check)))
  return { receipts, findings: [...findings, ...others] }
}
