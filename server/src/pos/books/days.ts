import { DAY_AMOUNTS } from '../../resources/day-totals.ts'
import type { ReceiptDetails } from '../../resources/receipt-schema.ts'
import type { Receipt } from '../../resources/receipts.ts'
import type { Queries } from '../../storage/database.ts'
import { rowsAsJson } from '../../storage/json-rows.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { type Finding, MAX_FINDINGS } from './finding.ts'

// I11: a day is the sum of the receipts that were closed on it, and so are its taxes. The receipts are counted while they are read for
// I1; a day that differs is read again by one statement, which sees one moment, so sales that go on meanwhile are no finding.

const OF_DAY = ['receipts', 'refunds', ...DAY_AMOUNTS] as const
const OF_TAX = ['base', 'amount', 'receipts'] as const

/** A day of a venue; amounts are ×10,000, in the order of `OF_DAY` and `OF_TAX`. */
interface Day {
  readonly venue_id: number
  readonly shift_date: string
  readonly amounts: number[]
  /** By id and rate. */
  readonly taxes: Map<string, number[]>
}

export type Days = Map<string, Day>

/** How a receipt is counted, by its columns, in the order of `COUNTED`. */
export type Counted = [venue_id: number, shift_date: string, total: number, isSale: number]

/** SQL that makes it of a row of receipts; null of one that counts in no day. A refund counts too, with negative amounts. */
export const COUNTED = `case when status = 2 and rule > 0 and shift_date is not null
  then '[' || venue_id || ',"' || shift_date || '",' || coalesce(total, 0) || case when parent_id is null then ',1]' else ',0]' end
  else 'null' end`

/** Adds a receipt to its day. */
export function countReceipt(days: Days, [venue_id, shift_date, total, isSale]: Counted, shown: Shown): void {
  const amounts = DAY_AMOUNTS.map((name) => (name === 'total' ? total : scaled(shown[name] ?? 0)))
  const { taxes } = addToDay(days, venue_id, shift_date, [isSale, 1 - isSale, ...amounts])
  for (const { id, rate, base, amount } of shown.taxes ?? [])
    add(taxes, `${id} at ${rate} %`, [scaled(base), scaled(amount), isSale])
}

type Shown = Receipt & Partial<ReceiptDetails>

const scaled = (amount: number) => toScaled(amount) ?? Math.round(amount * 10_000) // too large or too fine, and wrong anyway

function addToDay(days: Days, venue_id: number, shift_date: string, amounts: readonly number[]): Day {
  const key = keyOf(venue_id, shift_date)
  const day = days.get(key) ?? { venue_id, shift_date, amounts: OF_DAY.map(() => 0), taxes: new Map() }
  days.set(key, day)
  for (const [index, amount] of amounts.entries()) day.amounts[index]! += amount
  return day
}

const keyOf = (venue_id: number, shift_date: string) => `${venue_id} ${shift_date}`

function add(taxes: Map<string, number[]>, tax: string, amounts: readonly number[]): void {
  const sums = taxes.get(tax)
  if (sums) for (const [index, amount] of amounts.entries()) sums[index]! += amount
  else taxes.set(tax, [...amounts])
}

/** The days that several pieces of the work counted. */
export function addedUp(parts: readonly Days[]): Days {
  const all: Days = new Map()
  for (const { venue_id, shift_date, amounts, taxes } of parts.flatMap((part) => [...part.values()])) {
    const day = addToDay(all, venue_id, shift_date, amounts)
    for (const [tax, sums] of taxes) add(day.taxes, tax, sums)
  }
  return all
}

/** What is wrong with the days of a brand, whose receipts make `counted`. */
export async function wrongDays(db: Queries, brand_id: number, counted: Days): Promise<Finding[]> {
  const stored = storedDays(
    await rowsOf(db, 'venue_days', DAY_ROW, brand_id),
    await rowsOf(db, 'tax_days', TAX_ROW, brand_id),
  )
  const findings: Finding[] = []
  for (const day of new Map([...stored, ...counted]).values()) {
    if (findings.length >= MAX_FINDINGS) break
    if (wrongDay(day, stored, counted).length > 0) findings.push(...(await wrongNow(db, brand_id, day)))
  }
  return findings
}

type DayRow = [venue_id: number, shift_date: string, ...amounts: number[]]
type TaxRow = [venue_id: number, shift_date: string, tax_id: number, rate: number, ...amounts: number[]]

const DAY_ROW = rowsAsJson('venue_id', `'"' || shift_date || '"'`, ...OF_DAY)
const TAX_ROW = rowsAsJson('venue_id', `'"' || shift_date || '"'`, 'tax_id', 'rate', ...OF_TAX)

const rowsOf = (db: Queries, table: string, rows: string, brand_id: number) =>
  db.text(`select ${rows} from ${table} where brand_id = ?`, [brand_id])

function storedDays(dayRows: string | undefined, taxRows: string | undefined): Days {
  const days: Days = new Map()
  for (const [venue_id, shift_date, ...amounts] of JSON.parse(dayRows!) as DayRow[])
    addToDay(days, venue_id, shift_date, amounts)
  for (const [venue_id, shift_date, id, rate, ...amounts] of JSON.parse(taxRows!) as TaxRow[])
    add(addToDay(days, venue_id, shift_date, []).taxes, `${id} at ${fromScaled(rate)} %`, amounts)
  return days
}

/** One day with its receipts, as they are at one moment. */
async function wrongNow(db: Queries, brand_id: number, day: Day): Promise<Finding[]> {
  const { venue_id, shift_date } = day
  const ofDay = 'where brand_id = ? and venue_id = ? and shift_date = ?'
  const [read] = await db.rows<{ days: string; taxes: string; receipts: string }>(
    `select (select ${DAY_ROW} from venue_days ${ofDay}) as days, (select ${TAX_ROW} from tax_days ${ofDay}) as taxes,
       (select ${rowsAsJson(COUNTED, 'body', 'details')} from receipts ${ofDay}) as receipts`,
    Array.from({ length: 3 }, () => [brand_id, venue_id, shift_date]).flat(),
  )
  const counted: Days = new Map()
  for (const [row, body, details] of JSON.parse(read!.receipts) as [Counted | null, Receipt, ReceiptDetails][])
    if (row) countReceipt(counted, row, { ...body, ...details })
  return wrongDay(day, storedDays(read!.days, read!.taxes), counted)
}

function wrongDay({ venue_id, shift_date }: Day, stored: Days, counted: Days): Finding[] {
  const [one, other] = [stored, counted].map((days) => days.get(keyOf(venue_id, shift_date)))
  const taxes = new Set([...(one?.taxes.keys() ?? []), ...(other?.taxes.keys() ?? [])])
  return [
    ...differing(`day ${shift_date} of venue ${venue_id}`, OF_DAY, one?.amounts, other?.amounts),
    ...[...taxes].flatMap((tax) =>
      differing(`tax ${tax} on ${shift_date} in venue ${venue_id}`, OF_TAX, one?.taxes.get(tax), other?.taxes.get(tax)),
    ),
  ]
}

function differing(
  subject: string,
  names: readonly string[],
  stored: readonly number[] = [],
  counted: readonly number[] = [],
): Finding[] {
  const by = names.map((_, index) => (stored[index] ?? 0) - (counted[index] ?? 0))
  if (by.every((difference) => difference === 0)) return []
  const problem = by.every(Number.isSafeInteger)
    ? names.flatMap((name, index) => (by[index] === 0 ? [] : `its ${name} ${said(name, by[index]!)}`)).join(', ')
    : 'an amount of it is too large'
  return [{ invariant: 'I11', subject, problem }]
}

const said = (name: string, by: number) => {
  const isCount = name === 'receipts' || name === 'refunds'
  return `is ${isCount ? Math.abs(by) : fromScaled(Math.abs(by))} too ${by > 0 ? 'high' : 'low'}`
}
