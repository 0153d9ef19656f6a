import type { DataTable } from '../../../../server/src/back-office/schema.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { LOCALE } from '../../texts/texts.ts'

// Values of any resource in words, by what the server says of them.

/** `stock_operation` and `stock-operation` as people write it; of `product_id` only the product is said. */
export function worded(name: string): string {
  const plain = name.replace(/(?<=.)_id$/, '').replaceAll(/[-_]/g, ' ')
  const words = dataTexts.word(plain.toLowerCase()) ?? plain
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const amount = (value: number | null | undefined) =>
  value?.toLocaleString(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** A value in a word, by what its table says of the member: a status is a name and no amount. */
export function wordFor(table: Pick<DataTable, 'columns'> | undefined, member: string, value: unknown): string {
  const column = table?.columns.find(({ name }) => name === member)
  if (column?.kind === 'active') return value === true || value === 1 ? dataTexts.active : dataTexts.inactive
  const label = column?.labels[String(value)]
  if (label !== undefined) return dataTexts.values[String(value)] ?? worded(label)
  if (typeof value === 'boolean') return value ? dataTexts.yes : dataTexts.no
  if (typeof value === 'number') return column?.kind === 'number' ? value.toLocaleString(LOCALE) : amount(value)!
  return worded(String(value ?? '–').toLowerCase())
}

const SOLD = ['PRODUCT', 'DISH', 'TIMER']

/** A product that is sold without any tax: mostly somebody forgot. */
export const isUntaxed = (
  { resource }: Pick<DataTable, 'resource'>,
  { type, taxes }: Readonly<Record<string, unknown>>,
): boolean => resource === 'products' && SOLD.includes(String(type)) && !(Array.isArray(taxes) && taxes.length > 0)

const FAR = 10

/** A price far above the one before it: mostly a decimal point is missing. */
export const isFarAbove = (before: unknown, price: unknown): boolean =>
  typeof before === 'number' && typeof price === 'number' && before > 0 && price > FAR * before
