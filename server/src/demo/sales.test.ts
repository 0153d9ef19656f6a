import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDay } from '../values/business-day.ts'
import { buildCatalogue } from './catalogue.ts'
import { terminalsAt } from './house.ts'
import { DELIVERY, DINE_IN, TAKE_AWAY } from './methods.ts'
import { DAY, dayIndex, firstDay, HOUR, MIN_DAYS, openDay } from './opening-hours.ts'
import { users, venues } from './people.ts'
import { type Sale, salesOf } from './sales.ts'

const SATURDAY_EVENING = new Date('2026-03-14T19:30:00.000Z')

const daysOf = (today: Date, scale = 1) => {
  const catalogue = buildCatalogue(scale === 1 ? undefined : scale)
  const days = Array.from({ length: dayIndex(today) + 1 }, (_, index) => openDay(today, index, scale))
  return days.map((day) => ({ ...day, sales: salesOf(catalogue, day) }))
}
const drawn = (today: Date, scale?: number) => daysOf(today, scale).flatMap((day) => day.sales)
const sales = drawn(SATURDAY_EVENING)
const lines = sales.flatMap((sale) => sale.lines)
const share = (some: readonly unknown[], all: readonly unknown[]) => some.length / all.length
const hourOf = ({ opened }: Sale) => new Date(opened).getUTCHours()

test('drawing them again gives the same sales', () => {
  assert.equal(JSON.stringify(drawn(new Date(SATURDAY_EVENING))), JSON.stringify(sales))
  assert.notEqual(JSON.stringify(drawn(new Date('2026-03-15T19:30:00.000Z'))), JSON.stringify(sales))
})

test('a scale is so many times about 2,000 sales, with keys of their own', () => {
  assert.ok(sales.length > 1_800 && sales.length < 2_350, `${sales.length} sales`)
  const doubled = drawn(SATURDAY_EVENING, 2)
  assert.ok(Math.abs(doubled.length - 2 * sales.length) < 40, `${doubled.length} sales`) // each day is rounded
  assert.equal(new Set(doubled.map(({ cid }) => cid)).size, doubled.length)
  const cids = doubled.flatMap((sale) => sale.lines.map(({ cid }) => cid))
  assert.equal(new Set(cids).size, cids.length)
})

test('the first is at the first venue on the first day, paid as usual: examples show it', () => {
  const [{ venue_id, opened, turn }] = sales as [Sale]
  assert.deepEqual([venue_id, new Date(opened).toISOString().slice(0, 10)], [1, '2026-02-09'])
  assert.equal(turn.isCancelled || turn.hasVoid || turn.isLeftOpen || turn.refund !== undefined, false)
  assert.deepEqual(new Set(sales.map((sale) => sale.venue_id)), new Set([1, 2, 3]))
})

test('a day of the house ends when nobody is there', () => {
  for (const day of daysOf(SATURDAY_EVENING))
    for (const { opened, stay, turn } of day.sales) {
      const gone = opened + stay + (turn.refund?.after ?? 0)
      assert.ok(opened >= day.start && gone < day.start + DAY - HOUR)
    }
})

test('the day of every venue begins in that hour, in summer and in winter', () => {
  for (const { time_zone, day_starts_at } of venues)
    for (const date of ['2026-01-15', '2026-07-15']) {
      const dayAt = (time: string) => businessDay(`${date}T${time}:00.000Z`, { time_zone, day_starts_at })
      assert.deepEqual([dayAt('03:59') < date, dayAt('05:00')], [true, date], `${time_zone} ${date}`)
    }
})

test('weeks begin on the same weekday whenever one looks', () => {
  for (let day = 0; day < 14; day++) {
    const today = new Date(SATURDAY_EVENING.getTime() + day * DAY)
    assert.equal(new Date(firstDay(today)).toISOString().slice(11), '05:00:00.000Z')
    assert.equal(new Date(firstDay(today)).getUTCDay(), 1)
    assert.ok(dayIndex(today) >= MIN_DAYS - 1 && dayIndex(today) < MIN_DAYS + 6)
  }
})

test('lunch and dinner are busy, and weekends busier than weekdays', () => {
  const during = (from: number, to: number) => sales.filter((sale) => hourOf(sale) >= from && hourOf(sale) < to).length
  assert.ok(during(11, 14) > 2 * during(14, 17))
  assert.ok(during(18, 21) > 2 * during(14, 17))
  assert.equal(during(2, 6), 0)
  const perDay = (weekdays: number[]) =>
    sales.filter(({ opened }) => weekdays.includes(new Date(opened).getUTCDay())).length / weekdays.length
  assert.ok(perDay([6, 0]) > 1.3 * perDay([1, 2, 3, 4]))
})

test('staff sell where they may enter, at a terminal of the venue', () => {
  for (const { venue_id, user_id, terminal_id } of sales) {
    assert.ok(terminalsAt(venue_id).includes(terminal_id))
    assert.ok(users.find(({ id }) => id === user_id)!.venue_ids?.includes(venue_id) ?? true)
  }
})

test('guests at tables, a fee and an order for what is delivered, modifiers, discounts and gifts', () => {
  const byType = Map.groupBy(sales, ({ sale_type_id }) => sale_type_id)
  assert.ok(byType.get(DINE_IN.id)!.every(({ guests, table_id }) => guests && table_id))
  assert.ok(byType.get(TAKE_AWAY.id)!.every(({ table_id, ordered }) => table_id === undefined && ordered === undefined))
  for (const { ordered, customer_id } of byType.get(DELIVERY.id)!)
    assert.ok(ordered!.delivery_fee! > 0 && ordered!.source !== 'POS' && ordered!.order_number && customer_id)
  const some = (isSo: (line: (typeof lines)[number]) => boolean) => lines.filter(isSo)
  assert.ok(
    share(
      some(({ extras }) => extras.length > 0),
      lines,
    ) > 0.3,
  )
  assert.ok(some(({ discount }) => discount > 0).length > 0)
  assert.ok(some(({ isGift }) => isGift).length > 0)
  assert.ok(
    share(
      sales.filter(({ customer_id }) => customer_id),
      sales,
    ) > 0.3,
  )
})

for (const time of ['00:00:00.000', '03:12:00.000', '05:00:00.000', '05:00:00.001', '12:45:30.500', '23:59:59.999'])
  test(`at ${time} guests have come every day, in order, and some of today's are still here`, () => {
    const today = new Date(`2026-03-01T${time}Z`)
    const days = daysOf(today)
    assert.ok(days.every(({ guests }) => guests > 0))
    const all = days.flatMap((day) => day.sales)
    const opened = all.map((sale) => sale.opened)
    assert.deepEqual(
      opened,
      opened.toSorted((one, other) => one - other),
    )
    assert.ok(opened.at(-1)! <= today.getTime())
    const here = all.filter((sale) => sale.turn.isLeftOpen || sale.opened + sale.stay > today.getTime())
    assert.ok(here.length >= 5 && here.length < 40, `${here.length} open`)
    assert.ok(here.every((sale) => sale.opened >= days.at(-1)!.start))
  })
