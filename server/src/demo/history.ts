import type { Transaction } from '../storage/database.ts'
import { buildCatalogue } from './catalogue.ts'
import { drawers } from './drawers.ts'
import { DAY } from './opening-hours.ts'
import { salesByDay } from './sales.ts'
import { staffOf } from './staff.ts'
import { stockKeeping } from './stock.ts'
import { timeline } from './timeline.ts'
import { serve } from './visits.ts'

interface HistoryOptions {
  today: Date
  scale: number | undefined
  receipts: number
  /** How many receipts were opened since the last time. */
  progress(receipts: number): void
}

/** The thirty days up to today: everything that was sold, bought, counted and paid, by the commands that staff use (P7). */
export async function makeHistory(
  tx: Transaction,
  brand: { id: number; slug: string },
  { today, scale, receipts, progress }: HistoryOptions,
): Promise<void> {
  const catalogue = buildCatalogue(scale)
  const staff = await staffOf(tx, brand)
  const line = timeline(today.getTime())
  const stock = stockKeeping(staff, line, catalogue)
  const cash = drawers(staff, line)
  let isFirst = true
  for (const day of salesByDay({ catalogue, today, receipts })) {
    if (isFirst) stock.open(day)
    isFirst = false
    cash.keep(day)
    stock.keep(day)
    for (const sale of day.sales) serve(sale, { staff, timeline: line, today: today.getTime() })
    await line.runUntil(day.start + DAY - 1)
    progress(day.sales.length)
  }
  await staff.finish()
}
