import Type, { type Static } from 'typebox'
import { Decimal } from '../../../resource/values.ts'

// What was closed, by something, beside the days before that are as many. Refunds count against totals.

const Sold = {
  receipts: Type.Integer({ description: 'Without refunds' }),
  total: Decimal(),
  before_receipts: Type.Integer(),
  before_total: Decimal(),
}

export const HourRow = Type.Object({
  hour: Type.Integer({ description: '0 to 23, by the clock of the venue' }),
  ...Sold,
})
export const WeekdayRow = Type.Object({
  weekday: Type.Integer({ description: 'Of the business day: 1 Monday to 7 Sunday' }),
  ...Sold,
})
const Name = { id: Type.Union([Type.Integer(), Type.Null()]), name: Type.Union([Type.String(), Type.Null()]) }
/** A receipt that several methods paid counts with each of them. */
export const NamedRow = Type.Object({ ...Name, ...Sold })
/** The sale type and where receipts come from. */
export const ChannelRow = Type.Object({ ...Name, source: Type.Union([Type.String(), Type.Null()]), ...Sold })

export type HourRow = Static<typeof HourRow>
export type WeekdayRow = Static<typeof WeekdayRow>
export type NamedRow = Static<typeof NamedRow>
export type ChannelRow = Static<typeof ChannelRow>
