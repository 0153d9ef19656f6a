import { MARKED } from '../../../resource/read/page.ts'
import type { Resource } from '../../../resource/resource.ts'
import { idCounter, NO_VENUE } from '../../../resource/write/counters.ts'
import { RESOURCES } from '../../../resources/catalogue.ts'
import { shiftCounter } from '../../../resources/money/cash-shifts.ts'
import { numberCounter } from '../../../resources/stock/operations.ts'
import { CLOSED } from '../../../values/states.ts'
import type { RowCheck } from '../finding.ts'

// I16: every counter equals its rows. One statement sees one moment, so rows that are added meanwhile are no finding.

/** Finds rows that differ between `counted` and `there`, by name. */
const compared = (parts: readonly string[]) => `select name as id, counted, there from (
    select name, cast(sum(counted) as bigint) as counted, cast(sum(there) as bigint) as there from (
      ${parts.join(' union all ')}) as sides group by name) as compared where counted <> there`

const differs = ({ counted, there }: Readonly<Record<string, unknown>>) => `it says ${counted}, and there are ${there}`

/** The totals of a list: of the brand, of each venue, and of each day. */
function totals({ table, scope, countedBy }: Resource): RowCheck[] {
  const venue = `coalesce(venue_id, ${NO_VENUE})`
  const ofBrand = [
    `select name, value as counted, 0 as there from counters where brand_id = ? and name = '${table}'`,
    `select '${table}' as name, 0, count(*) from ${table} where brand_id = ?`,
  ]
  const ofVenues = [
    `select name, value, 0 from counters where brand_id = ? and name like '${table}:%'`,
    `select '${table}:' || ${venue}, 0, count(*) from ${table} where brand_id = ? group by ${venue}`,
  ]
  const day = `substr(${countedBy}, 1, 10)`
  const ofDays = [
    `select venue_id || ' ' || day as name, value as counted, 0 as there from day_totals
       where brand_id = ? and name = '${table}'`,
    `select ${venue} || ' ' || ${day}, 0, count(*) from ${table} where brand_id = ? group by ${venue}, ${day}`,
  ]
  const parts = scope === 'brand' ? ofBrand : [...ofBrand, ...ofVenues]
  return [
    { invariant: 'I16', subject: 'counter', query: compared(parts), problem: differs },
    ...(countedBy === undefined
      ? []
      : [
          {
            invariant: 'I16',
            subject: `total of ${table.replaceAll('_', ' ')} of venue and day`,
            query: compared(ofDays),
            problem: differs,
          } as const,
        ]),
  ]
}

/** Where pages begin. */
const marks = ({ table }: Resource): RowCheck => ({
  invariant: 'I16',
  subject: `page mark of ${table.replaceAll('_', ' ')}`,
  query: `select position as id, row_id from (
      select position, id as row_id, 1 as found from page_marks where brand_id = ? and name = '${table}'
      union all select position, id, -1 from
        (select id, row_number() over (order by id) as position from ${table} where brand_id = ?) as numbered
        where position % ${MARKED} = 0) as sides
    group by position, row_id having sum(found) <> 0`,
  problem: ({ row_id }) => `row ${row_id} has no such place, or no mark`,
})

/** The counters that blocks of ids come from, by their tables. */
const IDS: Readonly<Record<string, string>> = {
  receipts: 'receipt_id',
  receipt_lines: 'receipt_line_id',
  tickets: 'receipt_line_id', // each has the id of a line, or one that no line gets
  orders: 'order_id',
  waiter_calls: 'waiter_call_id',
  operations: 'operation_id',
  operation_items: 'operation_item_id',
  stocks: 'stock_operation_id', // each has the id of its first movement
  stock_operations: 'stock_operation_id',
  balances: 'balance_id',
  transactions: 'transaction_id',
}

/** A number that is given out next is above all that there are. */
const last = (name: string, table: string, column: string, venues = ''): RowCheck => ({
  invariant: 'I16',
  subject: 'counter',
  query: `select name as id, highest, given from (
      select ${name} as name, max(${column}) as highest, coalesce((select value from counters
        where counters.brand_id = one.brand_id and counters.name = ${name}), 0) as given
      from ${table} as one where one.brand_id = ? group by one.brand_id${venues}) as numbered where highest > given`,
  problem: ({ highest, given }) => `it says ${given}, and ${highest} is there`,
})

const perVenue = (counter: (venue_id: number) => string, table: string) =>
  last(`'${counter(0).slice(0, -1)}' || one.venue_id`, table, 'number', ', one.venue_id')

/** How many receipts a shift closed. */
const SHIFTS: RowCheck = {
  invariant: 'I16',
  subject: 'cash shift',
  query: `select one.id, one.receipts as counted, coalesce(made.receipts, 0) as there from cash_shifts as one
      left join (select cash_shift_id, count(*) as receipts from receipts
        where brand_id = ? and cash_shift_id is not null and status = ${CLOSED} group by cash_shift_id) as made
        on made.cash_shift_id = one.id
    where one.brand_id = ? and one.receipts <> coalesce(made.receipts, 0)`,
  problem: differs,
}

/** How many items a document has; history may come without them (P22). */
const ITEMS: RowCheck = {
  invariant: 'I16',
  subject: 'operation',
  query: ({ scaledMember }) => `select id, counted, there from (
      select one.id, ${scaledMember('one.body', 'items_count')} / 10000 as counted, coalesce(made.items, 0) as there
      from operations as one left join (select operation_id, count(*) as items from operation_items
        where brand_id = ? group by operation_id) as made on made.operation_id = one.id
      where one.brand_id = ? and one.booked = 1) as documents where counted <> there`,
  problem: differs,
}

export const COUNTER_CHECKS: readonly RowCheck[] = [
  ...RESOURCES.filter(({ list }) => list !== undefined).flatMap(totals), // what has no list has no total
  ...RESOURCES.filter(({ marked }) => marked).map(marks),
  ...Object.entries(IDS).map(([table, counter]) => last(`'${counter}'`, table, 'id')),
  ...RESOURCES.filter(({ edit, columns }) => edit && columns.id === 'integer').map(({ kind, table }) =>
    last(`'${idCounter(kind)}'`, table, 'id'),
  ),
  perVenue(numberCounter, 'operations'),
  perVenue(shiftCounter, 'cash_shifts'),
  SHIFTS,
  ITEMS,
]
