import type { ColumnType } from '../../../lists/column-values.ts'
import type { Resource } from '../../../resource/resource.ts'
import { TO_COLUMN } from '../../../resource/write/write.ts'
import { RESOURCES } from '../../../resources/catalogue.ts'
import type { Value } from '../../../storage/database.ts'
import type { Dialect } from '../../../storage/dialect.ts'
import { businessDay, type DayRule } from '../../../values/business-day.ts'
import { CLOSED } from '../../../values/states.ts'
import type { RowCheck } from '../finding.ts'

// I15: a stored text says what the columns beside it say. The columns of a resource are members of its wire or of its details, so
// each comparison follows from its definition.

/** Tables without a text of their own, and why. */
const MADE_WHEN_READ: Readonly<Record<string, string>> = {
  stocks: 'they change with every sale',
  stop_list: 'its entries change with every sale',
  roles: 'they are kept as lists of permissions',
  images: 'they are bytes',
}

/** Columns that are not what the text says, and why. */
const NOT_SAID: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  balances: {
    amount: 'it is put in when the text is read',
    updated_at: 'it is put in when the text is read',
  },
  venues: { is_main: 'another venue takes it over' },
}

/** Findings are kept, and name no person: what these tables say is not quoted. */
const NOT_QUOTED: ReadonlySet<string> = new Set(['customers'])

/** Rows that show nothing any more. */
const LIVING: Readonly<Record<string, string>> = { customers: ' and one.deleted_at is null' }

const KINDS = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  text: 'text',
  key: 'text',
  instant: 'text',
} as const satisfies Record<ColumnType, string>

type Columns = Readonly<Record<string, ColumnType>>

interface Said {
  /** Column with the JSON text. */
  readonly json: 'body' | 'details'
  readonly columns: Columns
}

function textsOf({ table, wire, item, columns, added }: Resource): Said[] {
  const within = (names: object, without: object = {}): Columns =>
    Object.fromEntries(
      Object.entries(columns).filter(
        ([name]) => name in names && !(name in without) && !(name in (NOT_SAID[table] ?? {})),
      ),
    )
  const body: Said = { json: 'body', columns: within(wire.properties) }
  if (!added?.details) return [body]
  return [body, { json: 'details', columns: within(item.properties, wire.properties) }]
}

function bodyCheck(resource: Resource): RowCheck {
  const { table, kind } = resource
  const texts = textsOf(resource).filter(({ columns }) => Object.keys(columns).length > 0)
  const columns = Object.assign({}, ...texts.map((text) => text.columns)) as Columns
  const selected = [...new Set(['id', ...Object.keys(columns), ...texts.map(({ json }) => json)])]
  return {
    invariant: 'I15',
    subject: kind.replaceAll('_', ' '),
    query: (dialect) => {
      const said = texts.map((text) => comparison(dialect, text))
      return `select ${selected.map((name) => `one.${name}`).join(', ')} from ${table} as one${said.map(({ from }) => from).join('')}
        where one.brand_id = ?${LIVING[table] ?? ''} and (${said.flatMap(({ differing }) => differing).join(' or ')})`
    },
    problem(row) {
      const shown = Object.assign({}, ...texts.map(({ json }) => JSON.parse(String(row[json])))) as Members
      const wrong = Object.entries(columns).filter(([name, type]) => columnOf(type, shown[name]) !== row[name])
      const [first] = wrong.map(([name]) => name)
      if (first && NOT_QUOTED.has(table)) return `${first} is one thing, and its text says another`
      return first && `${first} is ${said(row[first])}, and its text says ${said(shown[first])}`
    },
  }
}

type Members = Readonly<Record<string, unknown>>

const columnOf = (type: ColumnType, value: unknown): Value =>
  value === undefined || value === null ? null : TO_COLUMN[type](value as never)

const said = (value: unknown) => JSON.stringify(value ?? null)

/** SQL that finds at least what differs: forms of letters are compared afterwards. */
function comparison(dialect: Dialect, { json, columns }: Said): { from: string; differing: string[] } {
  const kinds = Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, KINDS[type]]))
  const { from, member } = dialect.saidBy(`one.${json}`, `said_${json}`, kinds)
  return {
    from,
    differing: Object.entries(columns).map(([name, type]) => {
      const value = type === 'decimal' ? `round(${member(name)} * 10000)` : member(name)
      return `one.${name} is distinct from ${value}`
    }),
  }
}

/** Members of a closed shift's report, each with what the shift says. */
const REPORTED = {
  report: { id: 'id', number: 'number', terminal_id: 'terminal_id', opened_at: 'opened_at', closed_at: 'closed_at' },
  cash: { opening: 'opening_amount', expected: 'expected_amount', counted: 'closing_amount', difference: 'difference' },
} as const

const REPORT = {
  id: 'text',
  number: 'number',
  terminal_id: 'number',
  opened_at: 'text',
  closed_at: 'text',
  cash: 'text',
}
const CASH = { opening: 'number', expected: 'number', counted: 'number', difference: 'number' }
const SHIFT = { closing_amount: 'number', difference: 'number' }

/** A closed shift keeps the report of its close, with its amounts. */
const REPORTS: RowCheck = {
  invariant: 'I15',
  subject: 'cash shift',
  query: ({ saidBy }) => {
    const report = saidBy('one.report', 'report', REPORT as never)
    const cash = saidBy(report.member('cash'), 'cash', CASH as never)
    const shift = saidBy('one.body', 'shift', SHIFT as never)
    const scaled = (member: string) => `round(${member} * 10000)`
    const differing = [
      ...Object.keys(REPORTED.report).map((name) => `one.${name} is distinct from ${report.member(name)}`),
      ...['opening', 'expected'].map((name) => `one.${name}_amount is distinct from ${scaled(cash.member(name))}`),
      `${cash.member('counted')} is distinct from ${shift.member('closing_amount')}`,
      `${cash.member('difference')} is distinct from ${shift.member('difference')}`,
    ]
    return `select one.id, one.report, one.body from cash_shifts as one${report.from}${cash.from}${shift.from}
      where one.brand_id = ? and one.report is not null and (${differing.join(' or ')})`
  },
  problem: ({ report: text, body }) => {
    const report = JSON.parse(String(text)) as Members & { readonly cash?: Members }
    const shift = JSON.parse(String(body)) as Members
    const wrong = [
      ...Object.entries(REPORTED.report).map(([name, own]) => [name, report[name], shift[own]]),
      ...Object.entries(REPORTED.cash).map(([name, own]) => [name, report.cash?.[name], shift[own]]),
    ].find(([, one, other]) => one !== other)
    return wrong ? `its report has ${wrong[0]} ${said(wrong[1])}, not ${said(wrong[2])}` : 'its report is another’s'
  },
}

/** A customer's receipts are at least those that are here: history may have brought more (P22). */
const RECEIPT_COUNTS: RowCheck = {
  invariant: 'I15',
  subject: 'customer',
  query: ({ scaledMember }) => `select id, counted, made from (
      select customers.id, ${scaledMember('customers.details', 'receipt_count')} / 10000 as counted, sold.receipts as made
      from customers join (select customer_id, count(*) as receipts from receipts
        where brand_id = ? and customer_id is not null and status = ${CLOSED} and rule > 0 and parent_id is null
        group by customer_id) as sold on sold.customer_id = customers.id
      where customers.brand_id = ? and customers.deleted_at is null) as counting
    where counted < made`,
  problem: ({ counted, made }) => `receipt_count is ${counted}, and ${made} receipts are there`,
}

/**
 * Numbers of receipts are unique by venue and the business day of opening, which is known of those that were closed on it, or are open:
 * of these every other has another number.
 */
const NUMBERS: RowCheck = {
  invariant: 'I15',
  subject: 'receipt',
  candidates: 10_000, // also those that were opened on another day
  query: ({ saidBy }) => {
    const { from, member } = saidBy('one.details', 'shown', { number: 'number' })
    return `select id, venue_id, other_id, number, created_at, other_at, shift_date, time_zone, settings from (
        select numbered.id, numbered.venue_id, number, numbered.created_at, shift_date, venues.time_zone, venues.settings,
          lag(numbered.id) over day as other_id, lag(numbered.created_at) over day as other_at
        from (select one.brand_id, one.id, one.venue_id, one.shift_date, one.created_at, ${member('number')} as number
            from receipts as one${from} where one.brand_id = ? and one.rule > 0) as numbered
          join venues on venues.brand_id = numbered.brand_id and venues.id = numbered.venue_id
        where number is not null
        window day as (partition by numbered.venue_id, shift_date, number order by numbered.created_at, numbered.id)) as days
      where other_id is not null`
  },
  problem({ other_id, number, shift_date, created_at, other_at, time_zone, settings }) {
    const { day_starts_at } = JSON.parse(String(settings)) as DayRule
    const dayOf = (instant: unknown) => businessDay(String(instant), { time_zone: String(time_zone), day_starts_at })
    const areOfDay = dayOf(created_at) === shift_date && dayOf(other_at) === shift_date
    return areOfDay ? `receipt ${other_id} has number ${number} on ${shift_date} too` : undefined
  },
}

/** I15: of every resource whose text is stored. */
export const BODY_CHECKS: readonly RowCheck[] = [
  ...RESOURCES.filter(({ table }) => !(table in MADE_WHEN_READ)).map(bodyCheck),
  REPORTS,
  RECEIPT_COUNTS,
  NUMBERS,
]
