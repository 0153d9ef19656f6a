import type { Database } from '../../../storage/database.ts'
import { fromScaled } from '../../../values/values.ts'
import { DAY_MS, wallClock } from '../../../values/wall-clock.ts'
import { closedOn, type Days, onDays, sumOf } from '../closed.ts'
import { type Heard, inParts } from '../parts.ts'
import { paidOn } from '../payments.ts'
import type { ChannelRow, HourRow, NamedRow, WeekdayRow } from './schema.ts'

/** Sums of one group; the total is ×10,000. */
interface Group {
  readonly key: string
  readonly receipts: number
  readonly total: number
}
type Read = (db: Database, days: Days) => Promise<Group[]>

const SALES = sumOf('case when parent_id is null then 1 else 0 end')
const NONE = ''

const byText = (one: Group, other: Group) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)

export async function hourReport(db: Database, days: Days, heard?: Heard): Promise<HourRow[]> {
  const zones = await zonesOf(db, days)
  const groups = await compared(db, days, (_db, part) => byHour(db, part, zones), heard)
  return groups.map(({ key, ...sums }) => ({ hour: Number(key), ...sums })).sort((one, other) => one.hour - other.hour)
}

/** By the kept totals of days, which need no long read. */
export async function weekdayReport(db: Database, days: Days): Promise<WeekdayRow[]> {
  const read = async (part: Days) => added((await byDay(db, part)).map((day) => ({ ...day, key: weekdayOf(day.key) })))
  const groups = beside(await read(days), await read(before(days)))
  return groups
    .map(({ key, ...sums }) => ({ weekday: Number(key), ...sums }))
    .sort((one, other) => one.weekday - other.weekday)
}

export const personReport = async (db: Database, days: Days, heard?: Heard): Promise<NamedRow[]> =>
  withNames(db, days, 'users', await compared(db, days, byColumns(`coalesce(cast(user_id as text), '')`), heard))

export const methodReport = async (db: Database, days: Days, heard?: Heard): Promise<NamedRow[]> =>
  withNames(db, days, 'payment_methods', await compared(db, days, byMethod, heard))

export async function channelReport(db: Database, days: Days, heard?: Heard): Promise<ChannelRow[]> {
  const key = `coalesce(cast(sale_type_id as text), '') || ' ' || coalesce(source, '')`
  const groups = await compared(db, days, byColumns(key), heard)
  const parts = groups.map(({ key: both, ...sums }) => {
    const at = both.indexOf(' ')
    return { key: both.slice(0, at), source: both.slice(at + 1) || null, ...sums }
  })
  const rows = await withNames(db, days, 'sale_types', parts)
  return rows.map(({ id, name, source, ...sums }) => ({ id, name, source, ...sums }))
}

/** As many days, right before. */
function before({ from, to, ...where }: Days): Days {
  const length = Date.parse(to) - Date.parse(from) + DAY_MS
  const earlier = (day: string) => new Date(Date.parse(day) - length).toISOString().slice(0, 10)
  return { ...where, from: earlier(from), to: earlier(to) }
}

/** Both periods by one key; progress counts both. */
async function compared(db: Database, days: Days, read: Read, heard: Heard = () => {}) {
  const how = { key: 'key', sums: ['receipts', 'total'], order: byText } as const
  const now = await inParts(
    db,
    days,
    how,
    (done, total) => heard(done, 2 * total),
    (part) => read(db, part),
  )
  const then = await inParts(
    db,
    before(days),
    how,
    (done, total) => heard(total + done, 2 * total),
    (part) => read(db, part),
  )
  return beside(now, then).sort((one, other) => other.total - one.total || (one.key < other.key ? -1 : 1))
}

function beside(now: readonly Group[], then: readonly Group[]) {
  const [own, earlier] = [new Map(now.map((row) => [row.key, row])), new Map(then.map((row) => [row.key, row]))]
  return [...new Set([...own.keys(), ...earlier.keys()])].map((key) => ({
    key,
    receipts: own.get(key)?.receipts ?? 0,
    total: fromScaled(own.get(key)?.total ?? 0),
    before_receipts: earlier.get(key)?.receipts ?? 0,
    before_total: fromScaled(earlier.get(key)?.total ?? 0),
  }))
}

/** Groups with equal keys become one. */
function added(groups: readonly Group[]): Group[] {
  const sums = new Map<string, Group>()
  for (const { key, receipts, total } of groups) {
    const known = sums.get(key)
    sums.set(key, { key, receipts: receipts + (known?.receipts ?? 0), total: total + (known?.total ?? 0) })
  }
  return [...sums.values()].sort(byText)
}

const byColumns =
  (key: string): Read =>
  (db, days) => {
    const { text, values } = closedOn(db, days, `${key} as key, parent_id, total`)
    return db.scan<Group>(
      days.brand_id,
      'receipts',
      `select key, ${SALES} as receipts, ${sumOf('total')} as total from (${text}) as closed group by key order by key`,
      values,
    )
  }

type Zones = ReadonlyMap<number, string>

async function zonesOf(db: Database, { brand_id }: Days): Promise<Zones> {
  const venues = await db.rows<{ id: number; time_zone: string }>(
    'select id, time_zone from venues where brand_id = ?',
    [brand_id],
  )
  return new Map(venues.map(({ id, time_zone }) => [id, time_zone]))
}

/** Minutes of UTC become hours of each venue's clock. */
async function byHour(db: Database, days: Days, zones: Zones): Promise<Group[]> {
  const { text, values } = closedOn(db, days, 'venue_id, substr(closed_at, 1, 16) as minute, parent_id, total')
  const rows = await db.scan<{ venue_id: number; minute: string; receipts: number; total: number }>(
    days.brand_id,
    'receipts',
    `select venue_id, minute, ${SALES} as receipts, ${sumOf('total')} as total from (${text}) as closed
     group by venue_id, minute`,
    values,
  )
  const hourOf = (minute: string, zone: string) => new Date(wallClock(Date.parse(`${minute}Z`), zone)).getUTCHours()
  return added(
    rows.map(({ venue_id, minute, ...sums }) => ({ key: String(hourOf(minute, zones.get(venue_id)!)), ...sums })),
  )
}

function byDay(db: Database, days: Days): Promise<Group[]> {
  const { text, values } = onDays(days)
  return db.rows<Group>(
    `select shift_date as key, ${sumOf('receipts')} as receipts, ${sumOf('total')} as total
     from venue_days where ${text} and (receipts > 0 or refunds > 0) group by shift_date`,
    values,
  )
}

const weekdayOf = (day: string) => String(new Date(day).getUTCDay() || 7)

/** A receipt that two methods paid counts with each. */
const byMethod: Read = async (db, days) =>
  added(
    (await paidOn(db, days)).flatMap(({ parent_id, payments }) =>
      [...new Map(payments.map((payment) => [payment.id, payment])).values()].map(({ id }) => ({
        key: id === null ? NONE : String(id),
        receipts: parent_id === null ? 1 : 0,
        total: payments.reduce((sum, payment) => (payment.id === id ? sum + payment.amount : sum), 0),
      })),
    ),
  )

type Named = 'users' | 'payment_methods' | 'sale_types'

/** Keys are ids, and become the names that these have now. */
async function withNames<Row extends { key: string }>(
  db: Database,
  { brand_id }: Days,
  table: Named,
  rows: readonly Row[],
) {
  const named = await db.rows<{ id: number; name: string }>(`select id, name from ${table} where brand_id = ?`, [
    brand_id,
  ])
  const names = new Map(named.map(({ id, name }) => [String(id), name]))
  return rows.map(({ key, ...sums }) => ({
    id: key === NONE ? null : Number(key),
    name: names.get(key) ?? null,
    ...sums,
  }))
}
