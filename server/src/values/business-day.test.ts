import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { businessDay } from './business-day.ts'

const paris = { time_zone: 'Europe/Paris', day_starts_at: '04:00' }

test('a business day begins at the venue’s hour, in the venue’s zone', () => {
  assert.equal(businessDay('2026-11-16T02:59:59.999Z', paris), '2026-11-15') // 03:59 in Paris
  assert.equal(businessDay('2026-11-16T03:00:00.000Z', paris), '2026-11-16')
  assert.equal(businessDay('2026-11-16T23:30:00.000Z', paris), '2026-11-16')
  assert.equal(businessDay('2026-11-16T23:30:00.000Z', { time_zone: 'UTC', day_starts_at: '00:00' }), '2026-11-16')
  assert.equal(
    businessDay('2026-11-16T23:30:00.000Z', { time_zone: 'Asia/Baku', day_starts_at: '00:00' }),
    '2026-11-17',
  )
})

test('the nights in which clocks change have one business day before and one after the hour', () => {
  assert.equal(businessDay('2026-03-29T01:59:00.000Z', paris), '2026-03-28') // 03:59, an hour earlier than in winter
  assert.equal(businessDay('2026-03-29T02:00:00.000Z', paris), '2026-03-29')
  assert.equal(businessDay('2026-10-25T02:59:00.000Z', paris), '2026-10-24')
  assert.equal(businessDay('2026-10-25T03:00:00.000Z', paris), '2026-10-25')
})

test('the day before the first of a month or year is the last of the one before', () => {
  assert.equal(businessDay('2026-01-01T01:00:00.000Z', paris), '2025-12-31')
  assert.equal(businessDay('2024-03-01T01:00:00.000Z', paris), '2024-02-29')
})

test('where the hour comes twice in autumn, the day begins with the first and goes on', () => {
  const half = { ...paris, day_starts_at: '02:30' }
  assert.equal(businessDay('2026-10-25T00:29:00.000Z', half), '2026-10-24') // 02:29, summer time
  assert.equal(businessDay('2026-10-25T00:30:00.000Z', half), '2026-10-25')
  assert.equal(businessDay('2026-10-25T01:00:00.000Z', half), '2026-10-25') // 02:00 again
  assert.equal(businessDay('2026-10-25T01:30:59.999Z', half), '2026-10-25')
  assert.equal(businessDay('2026-10-26T01:29:00.000Z', half), '2026-10-25')
  assert.equal(businessDay('2026-10-26T01:30:00.000Z', half), '2026-10-26')
  const beirut = { time_zone: 'Asia/Beirut', day_starts_at: '23:30' } // at midnight it is 23:00 again
  assert.equal(businessDay('2026-10-24T20:30:00.000Z', beirut), '2026-10-24')
  assert.equal(businessDay('2026-10-24T21:10:00.000Z', beirut), '2026-10-24')
  const newfoundland = { time_zone: 'America/St_Johns', day_starts_at: '00:00' } // until 2011 from 00:01 to 23:01 of the day before
  assert.equal(businessDay('2010-11-07T02:30:00.000Z', newfoundland), '2010-11-07')
  assert.equal(businessDay('2010-11-07T02:31:00.000Z', newfoundland), '2010-11-07')
})

const CHANGES = [
  { time_zone: 'Europe/Paris', day_starts_at: '02:30', instant: '2026-10-25T01:00:00.000Z' },
  { time_zone: 'Europe/Paris', day_starts_at: '02:30', instant: '2026-03-29T01:00:00.000Z' },
  { time_zone: 'America/St_Johns', day_starts_at: '01:30', instant: '2026-11-01T04:30:00.000Z' },
  { time_zone: 'America/St_Johns', day_starts_at: '02:30', instant: '2026-03-08T05:30:00.000Z' },
  { time_zone: 'Australia/Lord_Howe', day_starts_at: '01:45', instant: '2026-04-04T15:00:00.000Z' },
  { time_zone: 'Australia/Lord_Howe', day_starts_at: '02:15', instant: '2026-10-03T15:30:00.000Z' },
  { time_zone: 'America/Havana', day_starts_at: '00:30', instant: '2026-11-01T05:00:00.000Z' },
  { time_zone: 'Asia/Beirut', day_starts_at: '23:30', instant: '2026-10-24T21:00:00.000Z' },
  { time_zone: 'Pacific/Apia', day_starts_at: '04:00', instant: '2011-12-30T10:00:00.000Z' },
]
const MINUTE_MS = 60_000
const hours = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16))

test('business days go forward only over every change of clocks', () => {
  const daysOver = (instant: string, time_zone: string, day_starts_at: string) => {
    const days: string[] = []
    for (let minute = -26 * 60; minute <= 26 * 60; minute++)
      days.push(
        businessDay(new Date(Date.parse(instant) + minute * MINUTE_MS).toISOString(), { time_zone, day_starts_at }),
      )
    return days
  }
  const check = (days: readonly string[], said: string) => {
    for (const [index, day] of days.entries())
      assert.ok(index === 0 || day >= days[index - 1]!, `${said}: ${day} after ${days[index - 1]}`)
  }
  for (const { time_zone, day_starts_at, instant } of CHANGES)
    check(daysOver(instant, time_zone, day_starts_at), `${time_zone} ${day_starts_at}`)
  fc.assert(
    fc.property(fc.constantFrom(...CHANGES), hours, ({ time_zone, instant }, day_starts_at) =>
      check(daysOver(instant, time_zone, day_starts_at), `${time_zone} ${day_starts_at}`),
    ),
    { numRuns: 10 },
  )
})
