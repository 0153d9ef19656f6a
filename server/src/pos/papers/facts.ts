import type { Letterhead, PrintLanguage, Writing } from '../../printing/documents.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'

// What a paper shows that the receipt only points at: names, the venue, its language.

export type Reading = {
  readonly tx: Pick<Queries, 'rows'>
  readonly caller: Pick<CommandContext['caller'], 'brand_id'>
}

/** What a venue says about its papers. */
export interface VenuePapers {
  readonly head: Letterhead
  readonly guests: Writing
  readonly kitchen: Writing
  readonly print_receipt: 'always' | 'ask' | 'never'
}

interface VenueSettings {
  readonly legal_name?: string
  readonly tax_number?: string
  readonly bill_footer?: string
  readonly print_language?: PrintLanguage
  readonly kitchen_language?: PrintLanguage
  readonly print_receipt?: VenuePapers['print_receipt']
}

export async function readVenuePapers({ tx, caller }: Reading, venue_id: number): Promise<VenuePapers> {
  const [row] = await tx.rows<{
    name: string
    address: string | null
    phone: string | null
    time_zone: string
    settings: string
    brand: string
    currency: string
    money_places: number
  }>(
    `select venues.name, address, phone, time_zone, settings, brands.name as brand, currency, money_places
     from venues join brands on brands.id = venues.brand_id where venues.brand_id = ? and venues.id = ?`,
    [caller.brand_id, venue_id],
  )
  const { name, address, phone, time_zone, brand, currency, money_places } = row!
  const said = JSON.parse(row!.settings) as VenueSettings
  const { legal_name, tax_number, bill_footer: footer, print_language, kitchen_language, print_receipt = 'ask' } = said
  const writing = (language: PrintLanguage = 'en'): Writing => ({ language, time_zone, currency, money_places })
  return {
    head: {
      brand,
      venue: name,
      ...definedOnly({ address: address ?? undefined, phone: phone ?? undefined, legal_name, tax_number, footer }),
    },
    guests: writing(print_language),
    kitchen: writing(kitchen_language ?? print_language),
    print_receipt,
  }
}

/** Names around a receipt, as far as it has them. */
export interface SaleNames {
  readonly table?: string | undefined
  readonly sale_type?: string | undefined
  readonly isDelivery: boolean
  readonly waiter?: string | undefined
  readonly customer?: string | undefined
}

export async function readSaleNames(
  { tx, caller }: Reading,
  { receipt: { table_id, sale_type_id, user_id, customer_id } }: WholeReceipt,
): Promise<SaleNames> {
  const [row] = await tx.rows<Record<'table_name' | 'sale_type' | 'channel' | 'waiter' | 'customer', string | null>>(
    `select (select name from tables where brand_id = ? and id = ?) as table_name,
       (select name from sale_types where brand_id = ? and id = ?) as sale_type,
       (select system_type from sale_types where brand_id = ? and id = ?) as channel,
       (select name from users where brand_id = ? and id = ?) as waiter,
       (select name from customers where brand_id = ? and id = ? and erased_at is null) as customer`,
    [
      table_id,
      sale_type_id,
      sale_type_id,
      user_id,
      customer_id === undefined ? undefined : String(customer_id),
    ].flatMap((id) => [caller.brand_id, id ?? null]),
  )
  const { table_name, sale_type, channel, waiter, customer } = row!
  return {
    table: table_name ?? undefined,
    sale_type: sale_type ?? undefined,
    isDelivery: channel === 'DELIVERY',
    waiter: waiter ?? undefined,
    customer: customer ?? undefined,
  }
}

/** Symbols of the units of products that are sold by weight, by product. */
export async function readUnits({ tx, caller }: Reading, products: readonly number[]): Promise<Map<number, string>> {
  if (products.length === 0) return new Map()
  const wanted = [...new Set(products)]
  const rows = await tx.rows<{ id: number; details: string }>(
    `select id, details from products where brand_id = ? and id in ${places(wanted)}`,
    [caller.brand_id, ...wanted],
  )
  const units = await tx.rows<{ id: number; body: string }>('select id, body from units where brand_id = ?', [
    caller.brand_id,
  ])
  const symbols = new Map(units.map(({ id, body }) => [id, (JSON.parse(body) as { symbol: string }).symbol]))
  return new Map(
    rows.flatMap(({ id, details }) => {
      const symbol = symbols.get((JSON.parse(details) as { unit_id?: number }).unit_id ?? 0)
      return symbol === undefined ? [] : [[id, symbol] as const]
    }),
  )
}

/** Names of stations, courses or reasons, by id. */
export async function readNames(
  { tx, caller }: Reading,
  table: 'stations' | 'courses' | 'reasons',
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: number; name: string }>(
    `select id, name from ${table} where brand_id = ? and id in ${places(ids)}`,
    [caller.brand_id, ...ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
