import { type CommandContext, NO_IDS, runCommand } from '../../resource/write/commands.ts'
import { orderWithoutContact, withoutAddress, withoutNote } from '../../resources/sales/contact.ts'
import { orders } from '../../resources/sales/orders.ts'
import { receipts } from '../../resources/sales/receipts.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { isSameJson } from '../../values/same-json.ts'
import { OPEN } from '../../values/states.ts'
import { systemCaller } from '../context.ts'
import { ORDER_COLUMNS, orderOf, type StoredOrder, saveOrder } from '../orders/store.ts'
import { receiptsWith, saveReceipt } from '../receipts/store.ts'

// Orders and receipts lose what they say of a person, and nothing else. Sums, lines and taxes stay.

const IDS_A_STATEMENT = 500

/** SQL: true of receipts that say something of a person, or whose lines have notes. */
const SAYS_SOMETHING = `(receipts.contact = 1 or exists (select 1 from receipt_lines
  where receipt_lines.brand_id = receipts.brand_id and receipt_lines.receipt_id = receipts.id
    and instr(receipt_lines.body, '"note":') > 0))`

/** Sales by their ids, none twice. */
export interface Sales {
  readonly orders: readonly number[]
  readonly receipts: readonly number[]
}

/** Takes the person off these orders and receipts. Locks in the order of P16: receipts, then orders. */
export async function forgetContacts(context: CommandContext, sales: Sales): Promise<void> {
  const { tx, brand_id } = context
  for (const id of sales.receipts.toSorted(ascending)) {
    await receipts.lock(context, id, 'id')
    const [before] = await receiptsWith(tx, brand_id, 'id', [id])
    if (!before) continue
    await saveReceipt(context, before, {
      ...before,
      receipt: withoutAddress(before.receipt),
      lines: before.lines.map((line) => ({ ...line, shown: withoutNote(line.shown) })),
    })
  }
  for (const id of sales.orders.toSorted(ascending)) {
    const row = await orders.lock<StoredOrder>(context, id, ORDER_COLUMNS)
    if (!row) continue
    const before = orderOf(row)
    const after = orderWithoutContact(before)
    if (!isSameJson(before, after)) await saveOrder(context, after)
  }
}

const ascending = (one: number, other: number) => one - other

/** The same in a transaction of its own: nobody asked for it just now. */
export const forgetByItself = (db: Database, brand_id: number, sales: Sales, now: string): Promise<void> =>
  db.transaction((tx) => {
    const given = { tx, caller: systemCaller(brand_id, 0), now, ids: NO_IDS }
    return runCommand(given, (context) => forgetContacts(context, sales))
  }, 'system')

export interface FoundOrder {
  readonly id: number
  readonly status: string
  readonly customer_id: string | null
  readonly receipt_id: number | null
  readonly contact: number
}

export interface FoundReceipt {
  readonly id: number
  readonly status: number | null
  readonly says: number
}

interface FoundSales {
  readonly orders: readonly FoundOrder[]
  readonly receipts: readonly FoundReceipt[]
}

const ORDER = 'id, status, customer_id, receipt_id, contact'

/** What a customer bought, and orders that guests placed with the same phone, or with these ids. */
export async function salesOf(
  tx: Pick<Queries, 'rows'>,
  brand_id: number,
  { customer_id, phone_key = null, guests = [] }: Buyer,
): Promise<FoundSales> {
  const own = await tx.rows<FoundOrder>(
    `select ${ORDER} from orders where brand_id = ? and (customer_id = ?${phone_key === null ? '' : ' or phone_key = ?'})`,
    [brand_id, customer_id, ...(phone_key === null ? [] : [phone_key])],
  )
  const others = await inSteps(guests, (ids) =>
    tx.rows<FoundOrder>(`select ${ORDER} from orders where brand_id = ? and id in ${places(ids)}`, [brand_id, ...ids]),
  )
  const orders = [...new Map([...own, ...others].map((order) => [order.id, order])).values()]
  return { orders, receipts: await receiptsOf(tx, brand_id, orders, customer_id) }
}

interface Buyer {
  readonly customer_id: string
  readonly phone_key?: string | null
  readonly guests?: readonly number[]
}

/** The receipts of orders, with their refunds, and those of a customer. */
export async function receiptsOf(
  tx: Pick<Queries, 'rows'>,
  brand_id: number,
  orders: readonly Pick<FoundOrder, 'receipt_id'>[],
  customer_id?: string,
): Promise<FoundReceipt[]> {
  const RECEIPT = `select id, status, case when ${SAYS_SOMETHING} then 1 else 0 end as says from receipts where brand_id = ?`
  const own =
    customer_id === undefined
      ? []
      : await tx.rows<FoundReceipt>(`${RECEIPT} and customer_id = ?`, [brand_id, customer_id])
  const ofOrders = await inSteps(
    orders.flatMap(({ receipt_id }) => receipt_id ?? []),
    (ids) =>
      tx.rows<FoundReceipt>(`${RECEIPT} and (id in ${places(ids)} or parent_id in ${places(ids)})`, [
        brand_id,
        ...ids,
        ...ids,
      ]),
  )
  return [...new Map([...own, ...ofOrders].map((receipt) => [receipt.id, receipt])).values()]
}

async function inSteps<Row>(ids: readonly number[], read: (some: readonly number[]) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[] = []
  for (let start = 0; start < ids.length; start += IDS_A_STATEMENT)
    found.push(...(await read(ids.slice(start, start + IDS_A_STATEMENT))))
  return found
}

/** What is under way needs its address and its notes. */
export function underWay({ orders, receipts }: FoundSales): Sales {
  const open = receipts.filter(({ status }) => status === OPEN).map(({ id }) => id)
  return { orders: orders.filter(({ status }) => status === 'PENDING').map(({ id }) => id), receipts: open }
}

/** What is over and still says something of a person. */
export function forgettable(sales: FoundSales): Sales {
  const { orders: waiting, receipts: open } = underWay(sales)
  const isOver = ({ id, receipt_id }: FoundOrder) =>
    !waiting.includes(id) && (receipt_id === null || !open.includes(receipt_id))
  return {
    orders: sales.orders.filter((order) => order.contact === 1 && isOver(order)).map(({ id }) => id),
    receipts: sales.receipts.filter(({ id, says }) => says === 1 && !open.includes(id)).map(({ id }) => id),
  }
}
