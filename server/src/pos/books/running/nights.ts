import type { Database } from '../../../storage/database.ts'
import { instantOf } from '../../../values/values.ts'
import { askForNight } from './checks.ts'

/** Asks for the check of each brand whose first venue's clock is past the set time, once a day. A brand without receipts has nothing to check. */
export async function askForNights(db: Database, nowMs: number): Promise<void> {
  const brands = await db.rows<{ id: number; books_check: string; time_zone: string; night: string }>(
    `select brands.id, books_check, venues.time_zone, coalesce(book_checks.night, '') as night
     from brands
     join venues on venues.brand_id = brands.id and venues.is_main = 1
     join counters on counters.brand_id = brands.id and counters.name = 'receipts' and counters.value > 0
     left join book_checks on book_checks.brand_id = brands.id
     where books_check <> 'off'`,
    [],
  )
  for (const { id, books_check, time_zone, night } of brands) {
    const { day, time } = localTime(nowMs, time_zone)
    if (time < books_check || night >= day) continue
    await db.transaction((tx) => askForNight(tx, id, day, instantOf(nowMs)))
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The day and the time of a venue, `2026-03-01` and `04:00`. */
function localTime(atMs: number, time_zone: string): { day: string; time: string } {
  let clock = clocks.get(time_zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' })
    clocks.set(time_zone, clock)
  }
  const [day, time] = clock.format(atMs).split(' ') as [string, string]
  return { day, time }
}
