import type { NewReceipt, ReceiptChange } from '../../../../server/src/pos/receipts/commands.ts'
import type { LineChange } from '../../../../server/src/pos/receipts/new-line.ts'
import type { ReceiptDetails, ReceiptLine } from '../../../../server/src/resources/sales/receipt-schema.ts'
import type { Receipt as ShownReceipt } from '../../../../server/src/resources/sales/receipts.ts'
import { OPEN, UNDISCOUNTED } from '../../../../server/src/values/states.ts'
import type { Act, Kept } from '../../live/outbox/outbox.ts'
import type { Item } from './menu.ts'
import { minus, rounded, scaled, sum } from './money.ts'

// The receipt at hand: what the server says of it, and on top of that what was done here and is not answered yet.

type WireReceipt = ShownReceipt & ReceiptDetails
type OwnReceipt =
  | 'cid'
  | 'status'
  | 'lock'
  | 'discount_type'
  | 'discount_value'
  | 'subtotal'
  | 'total'
  | 'total_discount'
  | 'service_charge_value'
  | 'delivery_fee'
  | 'e_tax'
  | 'paid'
  | 'remaining'
  | 'version'
  | 'created_at'

/** A receipt with its details. Imported history may lack some of them; one that was made here has them. */
export type Receipt = Readonly<
  Omit<WireReceipt, OwnReceipt | 'venue_id' | 'payment_methods'> & Required<Pick<WireReceipt, OwnReceipt>>
> & {
  readonly payment_methods?: readonly Required<NonNullable<WireReceipt['payment_methods']>[number]>[]
  readonly receipt_products?: readonly Line[]
}

type LineMember =
  | 'id'
  | 'cid'
  | 'product_id'
  | 'name'
  | 'count'
  | 'price'
  | 'subtotal'
  | 'total'
  | 'total_discount'
  | 'discount_type'
  | 'discount_value'
  | 'note'
  | 'state'

/** A line as the till shows it, also before the server has it. */
export type Line = Readonly<
  Pick<ReceiptLine, LineMember> &
    Partial<Pick<ReceiptLine, 'is_gift' | 'seat' | 'course' | 'hold' | 'allergy' | 'user_id' | 'sent_at'>>
> & {
  readonly modifiers: readonly Omit<ReceiptLine['modifiers'][number], 'total'>[]
  /** T24: the price that was named here, without modifiers; the server shows it as `price`. */
  readonly open_price?: number | undefined
}

export type { LineChange, ReceiptChange }

/** What a receipt is opened with, while nobody else knows of it. */
export type Opening = Omit<NewReceipt, 'cid' | 'lines'>

/** What an act of the till does, for the screen. `receipt`: its id, where it was known. */
export type TillAbout = { readonly receipt?: number } & (
  | { readonly kind: 'open'; readonly draft: Opening }
  /** `replaces`: the cid of the line whose place they take. */
  | { readonly kind: 'lines'; readonly lines: readonly Line[]; readonly replaces?: string }
  | { readonly kind: 'line'; readonly line: string; readonly change: LineChange }
  | { readonly kind: 'void'; readonly line: string }
  | { readonly kind: 'receipt'; readonly change: ReceiptChange }
  | { readonly kind: 'send' }
  | { readonly kind: 'fire'; readonly course: number }
  | { readonly kind: 'lock'; readonly lock: boolean }
)
export type TillAct = Act<TillAbout>
export type KeptAct = Kept<TillAbout>

export type KeptRefusal = { readonly key: string } & NonNullable<KeptAct['refused']>

export interface ShownLine extends Line {
  /** Not answered yet. */
  readonly isWaiting?: boolean
  /** Sent from here just now: the server has not told when. */
  readonly isSending?: boolean
  readonly refused?: KeptRefusal
}

export interface Bill extends Omit<Receipt, 'receipt_products'> {
  readonly lines: readonly ShownLine[]
  /** Something is not answered yet: the total is what it will probably be. */
  readonly isWaiting: boolean
  /** Refused acts that belong to no line. */
  readonly refused: readonly KeptRefusal[]
}

const EMPTY = {
  id: 0,
  status: OPEN,
  lock: false,
  discount_type: UNDISCOUNTED,
  discount_value: 0,
  subtotal: 0,
  total: 0,
  total_discount: 0,
  service_charge_value: 0,
  delivery_fee: 0,
  e_tax: 0,
  paid: 0,
  remaining: 0,
  version: 0,
  created_at: '',
} as const

/** Whether a line is on the receipt: not voided, and not one that the server refused to add. A refused change leaves it there. */
export const isThere = ({ id, state, refused }: ShownLine): boolean => state !== 'VOID' && !(refused && id === 0)

/** A receipt with everything that was done to it here. */
export function billOf(
  cid: string,
  receipt: Receipt | undefined,
  draft: Opening | undefined,
  acts: readonly KeptAct[],
  places: number,
): Bill {
  const { receipt_products = [], ...known } = receipt ?? ({ ...EMPTY, cid, ...draft } satisfies Receipt as Receipt)
  let bill: Bill = { ...known, lines: receipt_products, isWaiting: false, refused: [] }
  for (const act of acts.filter((each) => each.chain === cid)) bill = withAct(bill, act, places)
  return bill
}

function withAct(bill: Bill, act: KeptAct, places: number): Bill {
  const { about, key } = act
  const refused = act.refused && { key, ...act.refused }
  const waits = refused ? {} : { isWaiting: true }
  // An answered act is still shown here until the receipt was read again; the server has it.
  const mark = refused ? { refused } : act.answered ? {} : { isWaiting: true }
  if (about.kind === 'lines') {
    // Another reading of the receipt may have brought them before the answer came.
    const added = about.lines.filter(({ cid }) => !bill.lines.some((line) => line.cid === cid))
    const gone = refused ? undefined : bill.lines.find(({ cid }) => cid === about.replaces)
    const kept = bill.lines.map((line): ShownLine => (line === gone ? { ...line, state: 'VOID' } : line))
    const lines = [...kept, ...added.map((line) => ({ ...line, ...mark }))]
    const more = refused ? 0 : minus(sum(...added.map(worthOf)), gone ? worthOf(gone) : 0)
    return { ...bill, ...waits, ...withMore(bill, more), lines }
  }
  if (about.kind === 'line' || about.kind === 'void') {
    const before = bill.lines.find(({ cid }) => cid === about.line)
    if (!before) return { ...bill, ...waits }
    const after: ShownLine = refused
      ? { ...before, refused }
      : about.kind === 'void'
        ? { ...before, state: 'VOID', ...mark }
        : { ...changed(before, about.change, places), ...mark }
    const lines = bill.lines.map((line) => (line === before ? after : line))
    return { ...bill, ...waits, ...withMore(bill, minus(worthOf(after), worthOf(before))), lines }
  }
  if (refused) return { ...bill, refused: [...bill.refused, refused] }
  if (about.kind === 'receipt') {
    const { discount, ...change } = about.change
    return { ...bill, ...waits, ...change, ...discount }
  }
  if (about.kind === 'send' || about.kind === 'fire') {
    const isDue = about.kind === 'fire' ? upTo(about.course) : dueIn(bill)
    const isNew = (line: ShownLine) => line.state === 'NEW' && isThere(line)
    const isRound = bill.lines.some((line) => isNew(line) && isDue(line))
    const lines = bill.lines.map((line): ShownLine => {
      if (!isNew(line)) return isRound && line.isSending ? { ...line, isSending: false } : line // of the round before
      return isDue(line) ? { ...line, state: 'SENT', hold: false, isSending: true } : { ...line, hold: true }
    })
    return { ...bill, ...waits, lines }
  }
  return about.kind === 'lock' ? { ...bill, ...waits, lock: about.lock } : { ...bill, ...waits }
}

const courseOf = ({ course = 0 }: Line) => course
const upTo = (course: number) => (line: Line) => courseOf(line) <= course

/** T6, as the server does it: at a table later courses wait until they are fired. */
export function dueIn({ table_id, lines }: Pick<Bill, 'table_id' | 'lines'>): (line: Line) => boolean {
  if (!table_id) return () => true
  const fired = Math.max(0, ...lines.filter(({ state }) => state !== 'NEW' && state !== 'VOID').map(courseOf))
  const later = lines.filter((line) => line.state === 'NEW' && isThere(line) && courseOf(line) > fired)
  const first = later.some(({ hold }) => hold) ? fired : Math.min(...later.map(courseOf))
  return upTo(Math.max(fired, first))
}

/** The course that is fired next: the first of those that are held. */
export const nextCourse = ({ lines }: Pick<Bill, 'lines'>): number | undefined => {
  const held = lines.filter((line) => line.hold && line.state === 'NEW' && isThere(line)).map(courseOf)
  return held.length === 0 ? undefined : Math.min(...held)
}

/** A receipt of the server alone, as what is printed. */
export const settledBill = ({ receipt_products = [], ...receipt }: Receipt): Bill => ({
  ...receipt,
  lines: receipt_products,
  isWaiting: false,
  refused: [],
})

const MAX_COUNT = 10_000 // P10

/**
 * The new line to which an equal one adds its count. Only lines that were made here (`own`): a count is sent as a whole, so two tills
 * that raise the same line at once would lose one of the two.
 */
export function stackFor(
  lines: readonly ShownLine[],
  line: Line,
  own: ReadonlySet<string>,
  places: number,
): ShownLine | undefined {
  const unit = scaled(line.subtotal) / scaled(line.count)
  return lines.find(
    (each) =>
      own.has(each.cid) &&
      each.state === 'NEW' &&
      !each.refused &&
      !givenOff(each) &&
      each.product_id === line.product_id &&
      (each.note ?? '') === (line.note ?? '') &&
      (each.seat ?? 0) === (line.seat ?? 0) &&
      !each.hold &&
      !each.allergy &&
      !line.allergy &&
      chosenIn(each) === chosenIn(line) &&
      rounded(unit * each.count, places) === each.subtotal &&
      each.count + line.count <= MAX_COUNT,
  )
}

const chosenIn = ({ modifiers }: Line): string =>
  modifiers
    .map(({ id, count }) => `${id}×${count}`)
    .sort()
    .join()

/** Open receipts at the tables where the acts of this till put them, and those that it began and the server does not know yet. */
export function openBills(open: readonly Receipt[], acts: readonly KeptAct[], places: number): Receipt[] {
  const begun = acts.flatMap(({ about, chain, refused }) =>
    about.kind === 'open' && !refused && !open.some(({ cid }) => cid === chain)
      ? [billOf(chain, undefined, about.draft, acts, places)]
      : [],
  )
  const moved = open.map((row) => {
    const { table_id } = billOf(row.cid, row, undefined, acts, places)
    return table_id === row.table_id ? row : { ...row, table_id: table_id ?? 0 }
  })
  return [...moved, ...begun]
}

/** Open receipts by their table, without the one at hand. */
export const takenTables = (open: readonly Receipt[], cid: string): ReadonlyMap<number, readonly Receipt[]> =>
  Map.groupBy(
    open.filter((receipt) => receipt.table_id && receipt.cid !== cid),
    ({ table_id }) => table_id!,
  )

/** What a line adds to the total, before anything that the server alone computes. */
const worthOf = ({ state, is_gift, subtotal }: Line): number => (state === 'VOID' || is_gift ? 0 : subtotal)

const withMore = ({ subtotal, total, remaining }: Bill, more: number) => ({
  subtotal: sum(subtotal, more),
  total: sum(total, more),
  remaining: sum(remaining, more),
})

function changed(line: ShownLine, { count = line.count, ...change }: LineChange, places: number): ShownLine {
  const subtotal = line.count === 0 ? 0 : rounded((scaled(line.subtotal) / scaled(line.count)) * count, places)
  return { ...line, ...change, count, subtotal }
}

/** A line that is not on the server yet. */
export function newLine(
  item: Item,
  {
    variant,
    count,
    modifiers,
    note,
    price,
    open_price,
    places,
  }: {
    variant?: number | undefined
    count: number
    modifiers?: Line['modifiers']
    note?: string
    /** The price of one piece, modifiers included. */
    price: number
    open_price?: number | undefined
    places: number
  },
): Line {
  const chosen = item.variants.find(({ id }) => id === variant)
  const subtotal = rounded(price * count, places)
  return {
    id: 0,
    cid: crypto.randomUUID(),
    product_id: variant ?? item.id,
    name: chosen ? `${item.name}, ${chosen.name}` : item.name,
    count,
    price,
    subtotal,
    total: subtotal,
    total_discount: 0,
    discount_type: UNDISCOUNTED,
    discount_value: 0,
    state: 'NEW',
    modifiers: modifiers ?? [],
    ...(open_price !== undefined && { open_price }),
    ...(note && { note }),
  }
}

/** A line as it is sent; `priced_at` where it costs what it cost then (M10). */
export const askedLine = (line: Line, priced_at?: string) => {
  const { cid, product_id, count, open_price, note, seat, course, allergy, modifiers } = line
  return {
    cid,
    product_id,
    count,
    ...(open_price !== undefined && { price: open_price }),
    ...(note && { note }),
    ...(seat && { seat }),
    ...(course && { course }),
    ...(allergy && { allergy }),
    ...(modifiers.length > 0 && { modifiers: modifiers.map(({ id, count }) => ({ modifier_id: id, count })) }),
    ...(priced_at && { priced_at }),
    ...givenOff(line),
  }
}

/** What was given off a line; undefined where that is nothing. */
export function givenOff({ discount_type, discount_value, is_gift }: Line): LineChange | undefined {
  if (discount_type === UNDISCOUNTED && !is_gift) return undefined
  return {
    ...(discount_type !== UNDISCOUNTED && { discount_type: discount_type, discount_value }),
    ...(is_gift && { is_gift }),
  }
}

/** The receipt at hand: its cid, and what it will be opened with while it is a draft. */
export interface Hand {
  readonly cid: string
  readonly id?: number
  readonly draft?: Opening
  readonly isOpened?: boolean
}

/** The receipt that these acts are about, at hand again. `id`: where the server has opened it. */
export function handOf(cid: string, acts: readonly KeptAct[], id: number | undefined): Hand {
  const abouts = acts.filter(({ chain }) => chain === cid).map(({ about }) => about)
  const known = id ?? abouts.find(({ receipt }) => receipt !== undefined)?.receipt
  if (known !== undefined) return { cid, id: known }
  const opening = abouts.find(({ kind }) => kind === 'open')
  return { cid, isOpened: true, ...(opening?.kind === 'open' && { draft: opening.draft }) }
}

/** Short title of a receipt: its table, else its number. */
export const titleOf = (
  { table_id, order_number, number }: Pick<Receipt, 'table_id' | 'order_number' | 'number'>,
  tables: ReadonlyMap<number, string>,
): string | undefined =>
  (table_id ? tables.get(table_id) : undefined) ?? order_number ?? (number === undefined ? undefined : `#${number}`)

/** Sales among closed receipts, each once: those with the number that is sought come before those whose number begins with it. */
export function closedFound(rows: readonly Receipt[], sought: string): Receipt[] {
  // Pages that were read one after the other may overlap: a receipt was closed meanwhile.
  const sold = [...new Map(rows.map((row) => [row.id, row])).values()].filter(
    ({ parent_id }) => parent_id === undefined,
  )
  const text = sought.trim().replace('#', '').toLowerCase()
  if (text === '') return sold
  const isNumbered = ({ number, order_number }: Receipt) =>
    String(number) === text || order_number?.toLowerCase() === text
  const isLike = ({ number, order_number }: Receipt) =>
    String(number).startsWith(text) || (text.length > 2 && order_number?.toLowerCase().includes(text))
  return [...sold.filter(isNumbered), ...sold.filter((row) => !isNumbered(row) && isLike(row))]
}
