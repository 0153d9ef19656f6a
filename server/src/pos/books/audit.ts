import type { Config } from '../../config.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { ACT_CHECKS } from './acts.ts'
import { addedUp, type Days, wrongDays } from './days.ts'
import { type Finding, type Invariant, MAX_FINDINGS, rowFindings } from './finding.ts'
import { MONEY_CHECKS } from './money.ts'
import { ORDER_CHECKS } from './orders.ts'
import { PRINTING_CHECKS } from './printing.ts'
import { auditReceipts, OF_RECEIPTS, type Range, RECEIPT_CHECKS } from './receipts.ts'
import { STOCK_CHECKS } from './stock.ts'
import { BODY_CHECKS } from './stored/bodies.ts'
import { COUNTER_CHECKS } from './stored/counters.ts'
import { VENUE_CHECKS } from './venues.ts'

export interface Audited {
  readonly receipts: number
  readonly findings: readonly Finding[]
}

/** What a piece of the work found; the days that receipts add up to are compared at the end. */
export interface Part extends Audited {
  readonly days?: Days
}

/** A piece of the work: some receipts, or one of the queries. */
export type Job = Range | { readonly check: number }

/** What a thread that does some of it is started with. */
export interface ThreadData {
  readonly config: Config
  readonly brand_id: number
  /** Set beside the service, which goes first. */
  readonly priority?: number
}

const CHECKS = [
  ...RECEIPT_CHECKS,
  ...STOCK_CHECKS,
  ...MONEY_CHECKS,
  ...ORDER_CHECKS,
  ...VENUE_CHECKS,
  ...PRINTING_CHECKS,
  ...ACT_CHECKS,
  ...BODY_CHECKS,
  ...COUNTER_CHECKS,
]

const numberOf = (invariant: Invariant) => Number(invariant.slice(1))

/** The invariants that are checked, in the order of their numbers. */
export const CHECKED: readonly Invariant[] = [
  ...new Set<Invariant>([...OF_RECEIPTS, ...CHECKS.map(({ invariant }) => invariant), 'I11']),
].sort((one, other) => numberOf(one) - numberOf(other))

const RECEIPTS_A_JOB = 5_000

/** Checks everything of a brand, also while it sells. */
export async function auditBooks(db: Database, brand_id: number): Promise<Audited> {
  const parts: Part[] = []
  for (const job of await jobsOf(db, brand_id)) parts.push(await auditJob(db, brand_id, job))
  return together(db, brand_id, parts)
}

/** Queries first: one of them may take as long as several pieces of receipts. */
export async function jobsOf(db: Queries, brand_id: number): Promise<Job[]> {
  const ranges: Range[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const [last]: { id: number }[] = await db.rows<{ id: number }>(
      `select id from receipts where brand_id = ? and id > ? order by id limit 1 offset ${RECEIPTS_A_JOB - 1}`,
      [brand_id, after],
    )
    ranges.push({ after, to: last?.id ?? Number.MAX_SAFE_INTEGER })
    after = last?.id
  }
  return [...CHECKS.map((_, check) => ({ check })), ...ranges]
}

export async function auditJob(db: Database, brand_id: number, job: Job): Promise<Part> {
  if ('check' in job) return { receipts: 0, findings: await rowFindings(db, brand_id, CHECKS[job.check]!) }
  return auditReceipts(db, brand_id, job)
}

/** What the pieces found and what their days make, by invariant, and of each only so many. */
export async function together(db: Queries, brand_id: number, parts: readonly Part[]): Promise<Audited> {
  const ofDays = await wrongDays(db, brand_id, addedUp(parts.flatMap(({ days }) => days ?? [])))
  const found = Map.groupBy([...parts.flatMap(({ findings }) => findings), ...ofDays], ({ invariant }) => invariant)
  return {
    receipts: parts.reduce((sum, { receipts }) => sum + receipts, 0),
    findings: CHECKED.flatMap((invariant) => found.get(invariant)?.slice(0, MAX_FINDINGS) ?? []),
  }
}
