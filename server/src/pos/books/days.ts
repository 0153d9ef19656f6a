import {
  type CountedReceipt,
  countedTaxes,
  DAY_AMOUNTS,
  type DaySums,
  dayStep,
} from '../../resources/sales/day-totals.ts'
import type { Terms } from '../../resources/sales/receipt-schema.ts'
import type { Queries } from '../../storage/database.ts'
import { orNull, rowsAsJson } from '../../storage/json-rows.ts'
import { CLOSED } from '../../values/states.ts'
import { fromScaled } from '../../values/values.ts'
import { type Finding, MAX_FINDINGS } from './finding.ts'

// I11: a day is the sum of the receipts that were closed on it, and so are its taxes. The receipts are counted while they are read for
// I1; a day that differs is read again by one statement, which sees one moment, so sales that go on meanwhile are no finding.

const OF_DAY = ['receipts', 'refunds', ...DAY_AMOUNTS] as const
const OF_TAX = ['base', 'amount', 'receipts'] as const

type TaxSums = Record<(typeof OF_TAX)[number], number>

/** A day of a venue; amounts are ×10,000. */
interface Day {
  readonly venue_id: number
  readonly shift_date: string
  readonly sums: DaySums
  /** By id, rate and whether prices held it. */
  readonly taxes: Map<string, TaxSums>
}

export type Days = Map<string, Day>

/** The columns of a receipt that decide in which day it counts, and as what. */
export interface DayColumns {
  readonly venue_id: number
  readonly shift_date: string
  /** ×10,000. */
  readonly total: number
  /** 1, or 0 of a refund. */
  readonly sales: number
}

/** SQL that makes them JSON; null of a receipt that counts in no day. */
export const DAY_COLUMNS = `case when status = ${CLOSED} and rule > 0 and shift_date is not null
  then '{"venue_id":' || venue_id || ',"shift_date":"' || shift_date || '","total":' || coalesce(total, 0)
    || ',"sales":' || case when parent_id is null then 1 else 0 end || '}'
  else 'null' end`

/** Adds a receipt to its day: by its columns where it has them, else by what it shows. */
export function countReceipt(
  days: Days,
  { venue_id, shift_date, total, sales }: DayColumns,
  shown: CountedReceipt,
  terms: Pick<Terms, 'taxes_included'> | null,
): void {
  const day = dayIn(days, venue_id, shift_date)
  addTo(day.sums, { ...dayStep(shown), receipts: sales, refunds: 1 - sales, total })
  for (const tax of countedTaxes(shown, terms))
    addTo(taxIn(day, taxKey(tax)), { base: tax.base, amount: tax.amount, receipts: sales })
}

const taxKey = ({ id, rate, included }: { id: number; rate: number; included: boolean }) =>
  `${id} at ${fromScaled(rate)} %${included ? '' : ', added to prices,'}`

function dayIn(days: Days, venue_id: number, shift_date: string): Day {
  const key = keyOf(venue_id, shift_date)
  const day = days.get(key) ?? { venue_id, shift_date, sums: zeros(OF_DAY), taxes: new Map() }
  days.set(key, day)
  return day
}

const keyOf = (venue_id: number, shift_date: string) => `${venue_id} ${shift_date}`

function taxIn({ taxes }: Day, tax: string): TaxSums {
  const sums = taxes.get(tax) ?? zeros(OF_TAX)
  taxes.set(tax, sums)
  return sums
}

const zeros = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>

function addTo<Name extends string>(sums: Record<Name, number>, more: Record<Name, number>): void {
  for (const name in more) sums[name] += more[name]
}

/** The days that several pieces of the work counted. */
export function addedUp(parts: readonly Days[]): Days {
  const all: Days = new Map()
  for (const { venue_id, shift_date, sums, taxes } of parts.flatMap((part) => [...part.values()])) {
    const day = dayIn(all, venue_id, shift_date)
    addTo(day.sums, sums)
    for (const [tax, own] of taxes) addTo(taxIn(day, tax), own)
  }
  return all
}

/** What is wrong with the days of a brand, whose receipts make `counted`. */
export async function wrongDays(db: Queries, brand_id: number, counted: Days): Promise<Finding[]> {
  const stored = storedDays(
    await db.text(`select ${DAY_ROWS} from venue_days where brand_id = ?`, [brand_id]),
    await db.text(`select ${TAX_ROWS} from tax_days where brand_id = ?`, [brand_id]),
  )
  const findings: Finding[] = []
  for (const day of new Map([...stored, ...counted]).values()) {
    if (findings.length >= MAX_FINDINGS) break
    if (wrongDay(day, stored, counted).length > 0) findings.push(...(await wrongNow(db, brand_id, day)))
  }
  return findings
}

type DayRow = [venue_id: number, shift_date: string, ...sums: number[]]
type TaxRow = [venue_id: number, shift_date: string, tax_id: number, rate: number, included: number, ...sums: number[]]

const SHIFT_DATE = `'"' || shift_date || '"'`
const DAY_ROWS = rowsAsJson('venue_id', SHIFT_DATE, ...OF_DAY)
const TAX_ROWS = rowsAsJson('venue_id', SHIFT_DATE, 'tax_id', 'rate', 'included', ...OF_TAX)

function storedDays(dayRows: string | undefined, taxRows: string | undefined): Days {
  const days: Days = new Map()
  for (const [venue_id, shift_date, ...sums] of JSON.parse(dayRows!) as DayRow[])
    addTo(dayIn(days, venue_id, shift_date).sums, named(OF_DAY, sums))
  for (const [venue_id, shift_date, id, rate, included, ...sums] of JSON.parse(taxRows!) as TaxRow[])
    addTo(taxIn(dayIn(days, venue_id, shift_date), taxKey({ id, rate, included: included === 1 })), named(OF_TAX, sums))
  return days
}

const named = <Name extends string>(names: readonly Name[], values: readonly number[]) =>
  Object.fromEntries(names.map((name, index) => [name, values[index]!])) as Record<Name, number>

type DayReceipt = [DayColumns | null, CountedReceipt, details: object, Terms | null]

/** One day with its receipts, as they are at one moment. */
async function wrongNow(db: Queries, brand_id: number, day: Day): Promise<Finding[]> {
  const key = [brand_id, day.venue_id, day.shift_date]
  const ofDay = 'where brand_id = ? and venue_id = ? and shift_date = ?'
  const [read] = await db.rows<{ days: string; taxes: string; receipts: string }>(
    `select (select ${DAY_ROWS} from venue_days ${ofDay}) as days, (select ${TAX_ROWS} from tax_days ${ofDay}) as taxes,
       (select ${rowsAsJson(DAY_COLUMNS, 'body', 'details', orNull('terms'))} from receipts ${ofDay}) as receipts`,
    [...key, ...key, ...key],
  )
  const counted: Days = new Map()
  for (const [columns, body, details, terms] of JSON.parse(read!.receipts) as DayReceipt[])
    if (columns) countReceipt(counted, columns, { ...body, ...details }, terms)
  return wrongDay(day, storedDays(read!.days, read!.taxes), counted)
}

function wrongDay({ venue_id, shift_date }: Day, stored: Days, counted: Days): Finding[] {
  const [one, other] = [stored, counted].map((days) => days.get(keyOf(venue_id, shift_date)))
  const taxes = new Set([...(one?.taxes.keys() ?? []), ...(other?.taxes.keys() ?? [])])
  return [
    ...differing(`day ${shift_date} of venue ${venue_id}`, OF_DAY, one?.sums, other?.sums),
    ...[...taxes].flatMap((tax) =>
      differing(`tax ${tax} on ${shift_date} in venue ${venue_id}`, OF_TAX, one?.taxes.get(tax), other?.taxes.get(tax)),
    ),
  ]
}

function differing<Name extends string>(
  subject: string,
  names: readonly Name[],
  stored = zeros(names),
  counted = zeros(names),
): Finding[] {
  const wrong = names
    .map((name) => ({ name, difference: stored[name] - counted[name] }))
    .filter(({ difference }) => difference !== 0)
  if (wrong.length === 0) return []
  const isReadable = wrong.every(({ difference }) => Number.isSafeInteger(difference))
  const problem = isReadable
    ? wrong.map(({ name, difference }) => `its ${name} ${said(name, difference)}`).join(', ')
    : 'an amount of it is too large'
  return [{ invariant: 'I11', subject, problem }]
}

const said = (name: string, difference: number) => {
  const isCount = name === 'receipts' || name === 'refunds'
  return `is ${isCount ? Math.abs(difference) : fromScaled(Math.abs(difference))} too ${difference > 0 ? 'high' : 'low'}`
}
