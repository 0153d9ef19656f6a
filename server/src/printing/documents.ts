// What is printed, as plain values (R3): amounts as they go over the wire, instants as ISO texts. A document holds a copy
// of all that the paper shows, so that a paper printed later says what was true when it was asked for.

/** The venue that prints, as its papers show it (H14). */
export interface Letterhead {
  readonly brand: string
  readonly venue: string
  readonly address?: string
  readonly phone?: string
  readonly legal_name?: string
  readonly tax_number?: string
  readonly footer?: string
}

/** A line of a ticket: what the kitchen reads. */
export interface TicketLine {
  readonly count: number
  readonly name: string
  readonly modifiers?: readonly { readonly name: string; readonly count: number }[]
  readonly note?: string
  /** T5: the note warns of an allergy. */
  readonly allergy?: boolean
  readonly seat?: number
}

/** What is common to the papers of a station. */
interface OfStation {
  readonly station: string
  /** The table, else the number that people call. */
  readonly place: string
  readonly number?: string
  readonly sale_type?: string
  readonly course?: string
  readonly waiter?: string
  readonly guests?: number
  readonly at: string
  readonly lines: readonly TicketLine[]
  /** The address of a delivery; no other ticket names a guest (R20). */
  readonly deliver_to?: string
}

export interface Ticket extends OfStation {
  readonly kind: 'ticket'
}

/** What a station must not make any more. */
export interface VoidTicket extends OfStation {
  readonly kind: 'void'
  readonly reason?: string
}

export interface BillLine {
  readonly count: number
  readonly name: string
  /** Symbol of the unit of a product sold by weight. */
  readonly unit?: string
  readonly price: number
  readonly subtotal: number
  readonly discount?: number
  readonly is_gift?: boolean
  readonly modifiers?: readonly { readonly name: string; readonly count: number; readonly total: number }[]
}

export interface BillTax {
  readonly name: string
  readonly rate: number
  readonly included: boolean
  readonly base: number
  readonly amount: number
}

/** The sale that a bill or a receipt is about: all of P11. */
export interface Sale {
  readonly number: number
  readonly table?: string
  readonly sale_type?: string
  readonly order_number?: string
  readonly waiter?: string
  readonly guests?: number
  readonly customer?: string
  readonly at: string
  readonly lines: readonly BillLine[]
  readonly subtotal: number
  readonly discount: number
  readonly service_charge: number
  readonly service_rate?: number
  readonly delivery_fee: number
  readonly excluded_tax: number
  readonly total: number
  readonly taxes: readonly BillTax[]
  /** What was paid so far, by method. */
  readonly payments: readonly { readonly name: string; readonly amount: number }[]
  readonly remaining: number
}

export interface BillDocument {
  readonly kind: 'bill'
  readonly head: Letterhead
  readonly sale: Sale
}

/** One payer's part of a bill (T8). */
export interface ShareDocument {
  readonly kind: 'share'
  readonly head: Letterhead
  readonly sale: Sale
  readonly label: string
  readonly amount: number
  readonly taxes: readonly BillTax[]
}

export interface ReceiptDocument {
  readonly kind: 'receipt'
  readonly head: Letterhead
  readonly sale: Sale
  /** What the guest got back of the cash they gave. */
  readonly change?: number
  readonly tip?: number
  readonly fiscal_id?: string
  readonly closed_at: string
}

/** Amounts are negative, as on the wire (P19). */
export interface RefundDocument {
  readonly kind: 'refund'
  readonly head: Letterhead
  readonly sale: Sale
  /** The number of the receipt that is given back. */
  readonly original: number
  readonly tip?: number
  readonly fiscal_id?: string
  readonly closed_at: string
}

interface Counted {
  readonly name: string
  readonly receipts: number
  readonly amount: number
}

/** A shift: X while it is open and without the cash, since the count is blind; Z with its number once it is closed. */
export interface ReportDocument {
  readonly kind: 'report'
  readonly form: 'X' | 'Z'
  readonly head: Letterhead
  readonly number: number
  readonly terminal: string
  readonly opened_at: string
  readonly at: string
  readonly sales: { readonly receipts: number; readonly amount: number }
  readonly by_payment_method: readonly Counted[]
  readonly by_sale_type: readonly Counted[]
  readonly taxes: readonly BillTax[]
  readonly discounts: { readonly receipts: number; readonly amount: number }
  readonly gifts: { readonly count: number; readonly amount: number }
  readonly refunds: { readonly receipts: number; readonly amount: number }
  readonly cancelled: { readonly receipts: number; readonly amount: number }
  readonly service_charge: number
  readonly delivery_fee: number
  /** Only in a Z. */
  readonly cash?: {
    readonly opening: number
    readonly sales: number
    readonly refunds: number
    readonly in: number
    readonly out: number
    readonly expected: number
    readonly counted?: number
    readonly difference?: number
  }
}

/** What a new printer prints, so that a person can say which of its lines are readable. */
export interface TestDocument {
  readonly kind: 'test'
  readonly printer: string
  readonly at: string
  readonly has_drawer: boolean
}

export type PrintDocument =
  | Ticket
  | VoidTicket
  | BillDocument
  | ShareDocument
  | ReceiptDocument
  | RefundDocument
  | ReportDocument
  | TestDocument
export type DocumentKind = PrintDocument['kind']

/** How a venue writes: its language (R4), its zone and its money. */
export interface Writing {
  readonly language: PrintLanguage
  readonly time_zone: string
  readonly currency: string
  readonly money_places: number
}

export const PRINT_LANGUAGES = ['en', 'fr'] as const
export type PrintLanguage = (typeof PRINT_LANGUAGES)[number]

/** Marks in the first line of a document that is printed again (R9). */
export interface Marks {
  /** The instant of an attempt that may have been printed. */
  readonly duplicate_of?: string
  /** Counted per receipt: what a person asked for again. */
  readonly copy?: number
}
