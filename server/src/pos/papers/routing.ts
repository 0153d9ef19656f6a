import type { ROUTED_DOCUMENTS } from '../../resources/places/print-routes.ts'
import type { Printer } from '../../resources/places/printers.ts'
import type { Reading } from './facts.ts'

// R2: which printers get what of a venue. Printers that are off, and the till's own browser, get nothing from here.

export interface Target {
  readonly route_id?: number
  readonly printer_id: number
  readonly copies: number
}

export interface PrintRoutes {
  readonly isEmpty: boolean
  /** Where the tickets of a station go; nowhere where it does not print. */
  station(station_id: number): readonly Target[]
  /** Where bills or reports go: the terminal's printer, else the venue's route. */
  desk(document: (typeof ROUTED_DOCUMENTS)[number]): Target | undefined
  /** The printer that the cash drawer is connected to: that of bills. */
  readonly drawer: Target | undefined
}

interface Row {
  readonly id: number | null
  readonly station_id: number | null
  readonly document: string | null
  readonly sale_type_id: number | null
  readonly printer_id: number
  readonly copies: number
  readonly printer: string
  readonly station: string | null
}

interface At {
  readonly venue_id: number
  readonly terminal_id?: number | undefined
  readonly sale_type_id?: number | undefined
}

/** The routes of a venue, for a sale of this type at this terminal. */
export async function readPrintRoutes(
  { tx, caller }: Reading,
  { venue_id, terminal_id, sale_type_id }: At,
): Promise<PrintRoutes> {
  const { brand_id } = caller
  const prints = `printers.status = 1 and printers.printer_kind <> 'browser'`
  const rows = await tx.rows<Row>(
    `select print_routes.id, print_routes.station_id, print_routes.document, print_routes.sale_type_id,
       print_routes.printer_id, print_routes.copies, printers.body as printer,
       (select body from stations where stations.brand_id = print_routes.brand_id and stations.id = station_id) as station
     from print_routes join printers on printers.brand_id = print_routes.brand_id and printers.id = print_routes.printer_id
     where print_routes.brand_id = ? and print_routes.venue_id = ? and ${prints}
     union all
     select null, null, null, null, printers.id, 1, printers.body, null
     from terminals join printers on printers.brand_id = terminals.brand_id and printers.id = terminals.printer_id
     where terminals.brand_id = ? and terminals.venue_id = ? and terminals.id = ? and ${prints}
     order by 1`,
    [brand_id, venue_id, brand_id, venue_id, terminal_id ?? null],
  )
  const target = ({ id, printer_id, copies }: Row): Target => ({
    ...(id !== null && { route_id: id }),
    printer_id,
    copies,
  })
  const fits = (row: Row) => row.sale_type_id === null || row.sale_type_id === sale_type_id
  const own = rows.find(({ id }) => id === null)
  const routes = rows.filter((row) => row.id !== null && fits(row))
  const desk = (document: string) => {
    if (own) return own
    const its = routes.filter((row) => row.document === document)
    return its.find((row) => row.sale_type_id !== null) ?? its[0] // one for the sale type goes first
  }
  const bills = desk('bill')
  return {
    isEmpty: rows.length === 0,
    station: (station_id) => routes.filter((row) => row.station_id === station_id && isPrintable(row)).map(target),
    desk(document) {
      const found = desk(document)
      return found && target(found)
    },
    drawer: hasDrawer(bills) ? target(bills) : undefined,
  }
}

const hasDrawer = (row: Row | undefined): row is Row =>
  row !== undefined && (JSON.parse(row.printer) as Printer).drawer === 1

const isPrintable = ({ station }: Row) =>
  station !== null && (JSON.parse(station) as { printable?: number }).printable === 1
