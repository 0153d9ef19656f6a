import assert from 'node:assert/strict'
import test from 'node:test'
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
