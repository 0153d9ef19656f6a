import type { Transaction } from '../storage/database.ts'
import { buildCatalogue, type Catalogue } from './catalogue.ts'
import { keepDrawers } from './drawers.ts'
import { DAY, openDay } from './opening-hours.ts'
import { salesOf } from './sales.ts'
import { type KnownRows, staffOf } from './staff.ts'
import { keepStock } from './stock.ts'
import { timeline } from './timeline.ts'
import { serve } from './visits.ts'

/** Quoted in examples, so it must not change. */
const FIRST_UUID = 0x0c1a2f6a0001
/** More than one day needs at any scale. */
const UUIDS_A_DAY = 0x1000000

export interface HistoryOptions {
  readonly catalogue: Catalogue
  readonly now: Date
  readonly scale: number
  /** Read on one day, for the next. */
  readonly known: KnownRows
}

export const historyOptions = (now: Date, scale: number | undefined): HistoryOptions => ({
  catalogue: buildCatalogue(scale),
  now,
  scale: scale ?? 1,
  known: new Map(),
})

/**
 * One business day: everything that was sold, bought, counted and paid, by the commands that staff use (P7). It goes on from what the
 * database holds, and no chance of another day has a part in it.
 */
export async function makeDay(
  tx: Transaction,
  brand: { id: number; slug: string },
  index: number,
  { catalogue, now, scale, known }: HistoryOptions,
): Promise<void> {
  const staff = await staffOf(tx, brand, FIRST_UUID + index * UUIDS_A_DAY, known)
  const line = timeline(now.getTime())
  const open = openDay(now, index, scale)
  const day = { ...open, sales: salesOf(catalogue, open) }
  keepDrawers(staff, line, day)
  keepStock(staff, line, catalogue, day)
  for (const sale of day.sales) serve(sale, { staff, timeline: line, today: now.getTime() })
  await line.runUntil(day.start + DAY - 1)
  await staff.finish()
}
