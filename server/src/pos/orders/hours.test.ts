import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closedAt, type OpeningRule } from './hours.ts'

const PARIS = 'Europe/Paris'
/** Open, or when it opens next; never: undefined. */
const openingAt = (instant: string, rule: OpeningRule) => {
  const closed = closedAt(instant, rule)
  return closed ? closed.opens_at : 'open'
}

test('a venue without hours is always open, and one whose hours are empty never', () => {
  assert.equal(openingAt('2026-07-01T03:00:00.000Z', { time_zone: PARIS }), 'open')
  assert.deepEqual(closedAt('2026-07-01T03:00:00.000Z', { time_zone: PARIS, hours: {} }), { opens_at: undefined })
})

test('hours are those of the clock at the venue', () => {
  const hours = { wed: [{ from: '12:00', to: '14:30' }] } // 2026-07-01 is a Wednesday
  const paris = { time_zone: PARIS, hours }
  assert.equal(openingAt('2026-07-01T09:59:59.999Z', paris), '2026-07-01T10:00:00.000Z')
  assert.equal(openingAt('2026-07-01T10:00:00.000Z', paris), 'open')
  assert.equal(openingAt('2026-07-01T12:29:59.999Z', paris), 'open')
  assert.equal(openingAt('2026-07-01T12:30:00.000Z', paris), '2026-07-08T10:00:00.000Z')
  const toronto = { time_zone: 'America/Toronto', hours }
  assert.equal(openingAt('2026-07-01T10:00:00.000Z', toronto), '2026-07-01T16:00:00.000Z')
  assert.equal(openingAt('2026-07-01T16:00:00.000Z', toronto), 'open')
  assert.equal(openingAt('2026-07-01T06:30:00.000Z', { time_zone: 'Asia/Kathmandu', hours }), 'open') // 12:15 there
})

test('of several openings in a day the next one counts', () => {
  const hours = {
    wed: [
      { from: '18:00', to: '22:00' },
      { from: '12:00', to: '14:00' },
    ],
  }
  const rule = { time_zone: 'UTC', hours }
  assert.equal(openingAt('2026-07-01T08:00:00.000Z', rule), '2026-07-01T12:00:00.000Z')
  assert.equal(openingAt('2026-07-01T14:00:00.000Z', rule), '2026-07-01T18:00:00.000Z')
  assert.equal(openingAt('2026-07-01T19:00:00.000Z', rule), 'open')
})

test('an opening that ends before it begins ends on the next day', () => {
  const rule = { time_zone: PARIS, hours: { fri: [{ from: '18:00', to: '02:00' }] } }
  assert.equal(openingAt('2026-07-03T22:30:00.000Z', rule), 'open') // Saturday, 00:30
  assert.equal(openingAt('2026-07-03T23:59:59.999Z', rule), 'open')
  assert.equal(openingAt('2026-07-04T00:00:00.000Z', rule), '2026-07-10T16:00:00.000Z')
  assert.equal(openingAt('2026-07-02T23:00:00.000Z', rule), '2026-07-03T16:00:00.000Z') // Friday, 01:00: Thursday was closed
})

test('the clocks change: an opening begins at the hour that they show', () => {
  const hours = { sat: [{ from: '09:00', to: '10:00' }], sun: [{ from: '09:00', to: '10:00' }] }
  const rule = { time_zone: PARIS, hours }
  // Summer time begins on Sunday, 2026-03-29, and ends on 2026-10-25.
  assert.equal(openingAt('2026-03-28T12:00:00.000Z', rule), '2026-03-29T07:00:00.000Z')
  assert.equal(openingAt('2026-03-28T08:30:00.000Z', rule), 'open')
  assert.equal(openingAt('2026-03-29T07:30:00.000Z', rule), 'open')
  assert.equal(openingAt('2026-10-24T12:00:00.000Z', rule), '2026-10-25T08:00:00.000Z')
})

test('a time that the clocks skip or show twice opens once, and the venue is open from then on', () => {
  const night = { time_zone: PARIS, hours: { sun: [{ from: '02:30', to: '05:00' }] } }
  const skipped = openingAt('2026-03-28T22:00:00.000Z', night) // 02:00 is followed by 03:00
  assert.equal(skipped, '2026-03-29T01:00:00.000Z')
  assert.equal(openingAt(skipped!, night), 'open')
  const twice = openingAt('2026-10-24T22:00:00.000Z', night)
  assert.equal(twice, '2026-10-25T00:30:00.000Z')
  assert.equal(openingAt(twice!, night), 'open')
})

test('a pause closes an open venue until it ends, and a closed one until the first opening after', () => {
  const rule = { time_zone: 'UTC', hours: { wed: [{ from: '12:00', to: '14:00' }] } }
  const paused = (paused_until: string) => ({ ...rule, paused_until })
  assert.equal(openingAt('2026-07-01T12:30:00.000Z', paused('2026-07-01T13:00:00.000Z')), '2026-07-01T13:00:00.000Z')
  assert.equal(openingAt('2026-07-01T12:30:00.000Z', paused('2026-07-01T15:00:00.000Z')), '2026-07-08T12:00:00.000Z')
  assert.equal(openingAt('2026-07-01T12:30:00.000Z', paused('2026-07-01T12:30:00.000Z')), 'open')
  const always = { time_zone: 'UTC', paused_until: '2026-07-01T13:00:00.000Z' }
  assert.equal(openingAt('2026-07-01T12:30:00.000Z', always), '2026-07-01T13:00:00.000Z')
  assert.equal(openingAt('2026-07-01T13:00:00.000Z', always), 'open')
})
