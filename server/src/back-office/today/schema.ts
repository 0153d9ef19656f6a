import Type, { type Static } from 'typebox'
import { Instant } from '../schema.ts'

// What the page Today shows. A part is absent for those who may not read it.

const Sum = {
  total: Type.Number(),
  receipts: Type.Integer({ description: 'Without refunds, which count in the total' }),
}

const Sales = Type.Object({
  day: Type.String({ format: 'date', description: 'The business day' }),
  ...Sum,
  before: Type.Object(
    { day: Type.String({ format: 'date' }), ...Sum },
    { description: 'The same weekday of last week, up to this minute' },
  ),
  hours: Type.Array(
    Type.Object({
      hour: Type.Integer({ description: 'Of the clock on the wall, 0 to 23' }),
      total: Type.Number(),
      before: Type.Number({ description: 'In the whole hour, last week' }),
    }),
    { description: 'All 24, from the hour at which the day begins' },
  ),
})

const OpenReceipts = Type.Object({
  count: Type.Integer(),
  total: Type.Number(),
  oldest: Type.Optional(Instant),
})

const OrdersWaiting = Type.Object({ waiting: Type.Integer(), oldest: Type.Optional(Instant) })

const Kitchen = Type.Object({
  waiting: Type.Integer({ description: 'Tickets that are sent or cooking' }),
  late: Type.Integer({ description: 'Those of the oldest 500 that take longer than their dishes should' }),
})

const OpenShift = Type.Object({
  id: Type.String(),
  venue: Type.String(),
  terminal: Type.String(),
  opened_at: Instant,
  opened_by: Type.Optional(Type.String()),
})

const Short = Type.Object({
  venue: Type.String(),
  name: Type.String(),
  left: Type.Number({ description: 'Portions, or what the stock has' }),
  unit: Type.Optional(Type.String()),
})

const RunningOut = Type.Object({
  sold_out: Type.Integer({ description: 'On the stop list, with nothing left' }),
  few_left: Type.Integer({ description: 'On the stop list, with portions left' }),
  low: Type.Optional(Type.Integer({ description: 'Below their low stock' })),
  items: Type.Array(Short, { description: 'The first of them' }),
})

/** Something that needs somebody; pages have a sentence for each kind. */
export const Notice = Type.Object({
  kind: Type.String(),
  level: Type.Enum(['error', 'warning']),
  about: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
})
export type Notice = Static<typeof Notice>

export const Checklist = Type.Object({
  product: Type.Boolean({ description: 'Something is sold' }),
  taxes: Type.Boolean({ description: 'All that is sold has a tax' }),
  hours: Type.Boolean({ description: 'Every venue has its opening hours' }),
  staff: Type.Boolean({ description: 'Somebody works here besides the one who opened it' }),
  pins: Type.Boolean({ description: 'Somebody has a PIN, with which staff take turns at a till' }),
  printer: Type.Boolean(),
  sale: Type.Boolean({ description: 'A receipt was closed or cancelled' }),
})
export type Checklist = Static<typeof Checklist>

export const Today = Type.Object({
  now: Instant,
  sales: Type.Optional(Sales),
  open: Type.Optional(OpenReceipts),
  orders: Type.Optional(OrdersWaiting),
  kitchen: Type.Optional(Kitchen),
  shifts: Type.Optional(Type.Array(OpenShift)),
  short: Type.Optional(RunningOut),
  notices: Type.Array(Notice),
})
export type Today = Static<typeof Today>
