import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, fromWallClock, wallClock, weekdayOf } from '../../values/wall-clock.ts'
import { isWithinWindow, type PriceWindow, priceAt } from './price-windows.ts'
import { checkScopes, rankScopes, type Scope, timesOf } from './scopes.ts'

const PARIS = 'Europe/Paris'
const at = (instant: string, price_windows: (PriceWindow & { price: number })[], zone = PARIS) =>
  priceAt({ price: 8, price_windows }, wallClock(Date.parse(instant), zone))

test('M10, the table', () => {
  const friday = [{ days: ['fri'], from: '17:00', to: '19:00', price: 5 }]
  assert.equal(at('2026-11-20T15:59:59Z', friday), 8)
  assert.equal(at('2026-11-20T16:00:00Z', friday), 5)
  assert.equal(at('2026-11-20T18:00:00Z', friday), 8)
  assert.equal(at('2026-11-22T00:30:00Z', [{ days: ['sat'], from: '22:00', to: '02:00', price: 6 }]), 6)
  const skipped = [{ days: ['sun'], from: '02:00', to: '03:00', price: 5 }]
  for (let ms = Date.parse('2026-03-28T23:00:00Z'); ms < Date.parse('2026-03-29T22:00:00Z'); ms += 60_000)
    assert.equal(at(new Date(ms).toISOString(), skipped), 8)
  for (let ms = Date.parse('2026-10-24T22:00:00Z'); ms < Date.parse('2026-10-25T23:00:00Z'); ms += 60_000) {
    const instant = new Date(ms).toISOString()
    const isTwice = instant >= '2026-10-25T00:00:00.000Z' && instant < '2026-10-25T02:00:00.000Z'
    assert.equal(at(instant, skipped), isTwice ? 5 : 8, instant)
  }
  assert.equal(at('2026-03-29T01:00:00Z', [{ days: ['sun'], from: '02:30', to: '04:00', price: 5 }]), 5)
})

test('dates and days are those on which a window begins, and the first that holds wins', () => {
  const night = { days: ['sat'], from: '22:00', to: '02:00', starts_on: '2026-11-21', ends_on: '2026-11-21', price: 6 }
  assert.equal(at('2026-11-22T00:30:00Z', [night]), 6, 'it began on the last day')
  assert.equal(at('2026-11-15T00:30:00Z', [night]), 8, 'a week before the first')
  assert.equal(at('2026-11-28T22:30:00Z', [night]), 8, 'a week after the last')
  const whole = { starts_on: '2026-11-21', ends_on: '2026-11-22', price: 7 }
  assert.deepEqual(
    ['2026-11-20T22:59:59Z', '2026-11-20T23:00:00Z', '2026-11-22T22:59:59Z', '2026-11-22T23:00:00Z'].map((instant) =>
      at(instant, [whole]),
    ),
    [8, 7, 7, 8],
  )
  assert.equal(at('2026-11-22T00:30:00Z', [whole, night]), 7)
  assert.equal(at('2026-11-22T00:30:00Z', [night, whole]), 6)
})

test('the last instant that can be written has a price in every zone', () => {
  const dated = { starts_on: '2026-11-21', ends_on: '2026-11-22', price: 7 }
  for (const zone of [PARIS, 'Pacific/Kiritimati', 'America/New_York'])
    assert.equal(at('9999-12-31T23:59:59Z', [dated], zone), 8, zone)
})

test('in every zone a window holds exactly while the wall shows it, also when clocks change', () => {
  const window = { days: ['sun', 'tue'], from: '01:30', to: '03:15' }
  const zones = Intl.supportedValuesOf('timeZone')
  assert.ok(zones.length > 300)
  for (const zone of zones) {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    const edges = changesOf(zone).flatMap((ms) =>
      [-5_400_000, -60_000, -1000, 0, 1000, 60_000, 5_400_000].map((by) => ms + by),
    )
    for (const ms of [...edges, Date.parse('2026-07-05T12:00:00Z')]) {
      const shown = format.format(ms) // Sun 01:30
      const [day, time] = [shown.slice(0, 3), shown.slice(-5)]
      const expected = (day === 'Sun' || day === 'Tue') && time >= '01:30' && time < '03:15'
      assert.equal(isWithinWindow(wallClock(ms, zone), window), expected, `${zone} ${new Date(ms).toISOString()}`)
    }
  }
})

/** When a zone changed its clocks in 2026, to the minute. */
function changesOf(zone: string): number[] {
  const found: number[] = []
  const offset = (ms: number) => wallClock(ms, zone) - ms
  for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += 7 * DAY_MS) {
    if (offset(day) === offset(day + 7 * DAY_MS)) continue
    let [before, after] = [day, day + 7 * DAY_MS]
    while (after - before > 60_000) {
      const middle = before + Math.floor((after - before) / 120_000) * 60_000
      if (offset(middle) === offset(day)) before = middle
      else after = middle
    }
    found.push(after)
  }
  return found
}

test('the wall clock reads back: the first moment at which it shows a time', () => {
  for (const zone of ['Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca'])
    for (const change of changesOf(zone))
      for (const by of [-7_200_000, -1_800_000, 0, 1_800_000, 7_200_000]) {
        const wall = wallClock(change + by, zone)
        const first = fromWallClock(wall, zone)
        assert.equal(wallClock(first, zone), wall)
        assert.ok(first <= change + by)
      }
  assert.equal(weekdayOf(wallClock(Date.parse('2026-11-21T23:30:00Z'), PARIS)), 'sun')
})

test('priority, then times before none, then the lower list', () => {
  const list = (id: number, ...scopes: Scope[]) => ({ id, scopes: JSON.stringify(scopes) })
  const ranked = rankScopes([
    list(4, { priority: 1 }),
    list(3, { priority: 1, windows: [{ days: ['mon'] }] }),
    list(2, { priority: 2 }, { priority: 1, starts_on: '2026-01-01' }),
    list(1, {}),
  ])
  assert.deepEqual(
    ranked.map(({ list, scope }) => `${list.id}:${scope.priority ?? 0}${timesOf(scope) ? 't' : ''}`),
    ['2:2', '2:1t', '3:1t', '4:1', '1:0'],
  )
})

test('from and to come together and differ', () => {
  checkScopes([{ windows: [{ from: '10:00', to: '09:00' }, { days: ['mon'] }] }])
  assert.throws(
    () => checkScopes([{ windows: [{ from: '10:00' }] }]),
    /scopes\[0\]\.windows\[0\] must have from and to/,
  )
  assert.throws(() => checkScopes([{ windows: [{ from: '10:00', to: '10:00' }] }]), /must not end when it begins/)
})
