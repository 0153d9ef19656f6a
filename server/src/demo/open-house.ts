import { importer } from '../resource/files/import.ts'
import { CATALOGUE } from '../resources/venue-pointers.ts'
import type { Transaction } from '../storage/database.ts'
import { DAY, firstDay } from './opening-hours.ts'
import { demoRows } from './restaurant.ts'
import type { Row } from './rows.ts'

export const ACTOR = 'demo'

interface HouseOptions {
  readonly now: Date
  readonly scale?: number | undefined
}

/** Writes the house as it was before its first guest. */
export async function openHouse(tx: Transaction, brand_id: number, { now, scale }: HouseOptions): Promise<void> {
  const rows = demoRows({ today: now, scale }).filter((row) => !isOfToday(row))
  // Dated before the first guest: what customers and suppliers brought with them is not younger than what they did here.
  await importRows(tx, brand_id, rows, new Date(firstDay(now) - 2 * DAY))
}

/** Writes what is sold out today, and what is printed where from now on. */
export const openToday = (tx: Transaction, brand_id: number, now: Date): Promise<void> =>
  importRows(tx, brand_id, demoRows({ today: now }).filter(isOfToday), now)

/** Nothing of it is meant for the days before: a stop would refuse their sales, and a route print them. */
const isOfToday = ({ kind }: Row) => kind === 'stop_list_entry' || kind === 'print_route'

async function importRows(tx: Transaction, brand_id: number, rows: readonly Row[], now: Date): Promise<void> {
  const into = importer({ tx, brand_id, actor: ACTOR, now: now.toISOString() }, CATALOGUE)
  for (const [index, row] of rows.entries()) await into.add(row, index + 1)
  await into.finish()
}
