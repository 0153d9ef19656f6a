import Type, { type Static } from 'typebox'
import { DateTime, Decimal, Id, Maybe } from '../../resource/values.ts'
import type { CashShift } from '../../resources/money/cash-shifts.ts'
import { countedTaxes } from '../../resources/sales/day-totals.ts'
import type { ReceiptDetails, Terms } from '../../resources/sales/receipt-schema.ts'
import type { Receipt } from '../../resources/sales/receipts.ts'
import type { Queries } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { CANCELLED, CLOSED, OPEN } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { byMethod, tipsOfReceipts } from '../tips/tips-report.ts'

// What a shift sold, and what its drawer should hold. A closed shift keeps the report of its close.

const Summed = () => Type.Object({ receipts: Type.Integer(), amount: Decimal() })

export const CashShiftReport = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    number: Type.Integer(),
    terminal_id: Id(),
    opened_at: DateTime(),
    closed_at: Maybe(DateTime()),
    sales: Type.Object(
      {
        receipts: Type.Integer(),
        amount: Decimal(),
        by_payment_method: Type.Array(
          Type.Object({ id: Maybe(Id()), name: Type.String(), receipts: Type.Integer(), amount: Decimal() }),
        ),
        by_sale_type: Type.Array(
          Type.Object({ id: Maybe(Id()), name: Type.String(), receipts: Type.Integer(), amount: Decimal() }),
        ),
      },
      { description: 'Receipts closed in the shift; refunds are not in it' },
    ),
    discounts: Summed(),
    gifts: Type.Object({ count: Decimal(), amount: Decimal() }),
    charges: Type.Object({ service_charge: Decimal(), delivery_fee: Decimal() }),
    taxes: Type.Array(
      Type.Object({
        id: Id(),
        name: Type.String(),
        rate: Decimal(),
        included: Maybe(Type.Boolean({ description: 'Whether prices held it; an imported report may not say' })),
        base: Decimal(),
        amount: Decimal(),
      }),
      { description: 'Taxes on sales, less those on refunds' },
    ),
    refunds: Summed(),
    cancelled: Type.Object(
      { receipts: Type.Integer(), amount: Decimal() },
      { description: 'Receipts cancelled in the shift, with their totals before' },
    ),
    tips: Maybe(
      Type.Object(
        {
          amount: Decimal(),
          by_payment_method: Type.Array(Type.Object({ id: Id(), name: Type.String(), amount: Decimal() })),
          by_user: Type.Array(
            Type.Object({
              user_id: Maybe(Type.Integer({ minimum: 1, description: 'Absent: the pool' })),
              name: Type.String(),
              amount: Decimal(),
            }),
          ),
          paid_out: Type.Number({ description: 'Above 0' }),
        },
        { description: 'In no other figure than the cash; reports of older shifts have none' },
      ),
    ),
    cash: Type.Object({
      opening: Decimal(),
      sales: Decimal(),
      refunds: Type.Number({ description: 'Paid back, above 0' }),
      tips: Maybe(Decimal()),
      tips_paid_out: Maybe(Type.Number({ description: 'Above 0' })),
      in: Type.Number({ description: 'Put in, and what customers paid to their balances' }),
      out: Type.Number({ description: 'Taken out, above 0' }),
      expected: Type.Number({ description: 'opening + sales − refunds + tips − tips_paid_out + in − out' }),
      counted: Maybe(Decimal()),
      difference: Maybe(Decimal()),
    }),
    open_receipts: Type.Object(
      { receipts: Type.Integer(), amount: Decimal() },
      { description: 'Receipts whose cash would belong to the shift now, with what remains to be paid' },
    ),
  },
  { $id: 'CashShiftReport' },
)
export type CashShiftReport = Static<typeof CashShiftReport>

/** `worth`: the total; of a cancelled one what it was before. */
type Sale = Receipt & ReceiptDetails & { readonly worth: number; readonly terms: Partial<Terms> }

/** The report of a shift as it is at this moment. */
export async function reportOf(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  shift: CashShift,
): Promise<CashShiftReport> {
  const { id, number, terminal_id, opened_at, closed_at } = shift
  const closed = await receiptsOf(db, brand_id, `cash_shift_id = ? and status = ${CLOSED}`, [id])
  const sales = closed.filter(({ parent_id }) => parent_id === undefined)
  const refunds = closed.filter(({ parent_id }) => parent_id !== undefined)
  const cancelled = await receiptsOf(db, brand_id, `cash_shift_id = ? and status = ${CANCELLED}`, [id])
  const open = await openReceipts(db, brand_id, shift)
  const discounted = sales.filter(({ total_discount = 0 }) => total_discount !== 0)
  return {
    id,
    number,
    terminal_id,
    opened_at,
    ...definedOnly({ closed_at }),
    sales: {
      receipts: sales.length,
      amount: sumOf(sales, ({ total }) => total),
      by_payment_method: byPaymentMethod(sales),
      by_sale_type: await bySaleType(db, brand_id, sales),
    },
    discounts: { receipts: discounted.length, amount: sumOf(sales, ({ total_discount }) => total_discount) },
    gifts: await giftsOf(db, brand_id, id),
    charges: {
      service_charge: sumOf(sales, ({ service_charge_value }) => service_charge_value),
      delivery_fee: sumOf(sales, ({ delivery_fee }) => delivery_fee),
    },
    taxes: taxesOf(closed),
    refunds: { receipts: refunds.length, amount: -sumOf(refunds, ({ total }) => total) || 0 },
    cancelled: { receipts: cancelled.length, amount: sumOf(cancelled, ({ worth }) => worth) },
    tips: await tipsOf(db, brand_id, id),
    cash: await cashOf(db, brand_id, shift),
    open_receipts: { receipts: open.length, amount: sumOf(open, ({ remaining }) => remaining) },
  }
}

async function receiptsOf(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  condition: string,
  values: readonly (number | string)[],
): Promise<Sale[]> {
  const rows = await db.rows<{ body: string; details: string; terms: string | null }>(
    `select body, details, terms from receipts where brand_id = ? and ${condition} order by id`,
    [brand_id, ...values],
  )
  const sales = rows.map(({ body, details, terms }) => {
    const receipt = JSON.parse(body) as Receipt
    const kept = JSON.parse(terms ?? '{}') as Partial<Terms>
    const { cancelled_total } = kept
    const worth = cancelled_total === undefined ? (receipt.total ?? 0) : fromScaled(cancelled_total)
    return { ...receipt, ...(JSON.parse(details) as ReceiptDetails), worth, terms: kept }
  })
  return sales.sort(byTime) // not by SQL, which would walk the index of all receipts by their time
}

/** Names are those of the newest: ids do not say which that is (P16). */
const byTime = ({ created_at: one = '' }: Sale, { created_at: other = '' }: Sale) =>
  one < other ? -1 : one > other ? 1 : 0

/**
 * Reads the open receipts of a report (P15): those of its terminal, or of the whole venue where no other shift is open there. So no receipt
 * is in two reports.
 */
async function openReceipts(db: Pick<Queries, 'rows'>, brand_id: number, shift: CashShift): Promise<Sale[]> {
  const { id, venue_id, terminal_id } = shift
  const [other] = await db.rows(
    // `order by` makes SQLite use the index of open shifts, as in openShiftAt.
    `select 1 as one from cash_shifts where brand_id = ? and venue_id = ? and status = 'OPEN' and id <> ?
     order by terminal_id limit 1`,
    [brand_id, venue_id, id],
  )
  const ofVenue = `venue_id = ? and status = ${OPEN}`
  return other
    ? receiptsOf(db, brand_id, `${ofVenue} and terminal_id = ?`, [venue_id, terminal_id])
    : receiptsOf(db, brand_id, ofVenue, [venue_id])
}

const sumOf = <Row>(rows: readonly Row[], amount: (row: Row) => number | undefined): number =>
  fromScaled(rows.reduce((sum, row) => sum + toScaled(amount(row) ?? 0)!, 0))

interface Part {
  readonly id?: number
  readonly name: string
  readonly receipt: number
  readonly amount: number
}

/** Added up by id, in the order of the ids. */
function grouped(parts: readonly Part[]) {
  return [...Map.groupBy(parts, ({ id }) => id ?? 0)]
    .sort(([one], [other]) => one - other)
    .map(([id, own]) => ({
      ...(id !== 0 && { id }),
      name: own.at(-1)!.name,
      receipts: new Set(own.map(({ receipt }) => receipt)).size,
      amount: sumOf(own, ({ amount }) => amount),
    }))
}

const byPaymentMethod = (sales: readonly Sale[]) =>
  grouped(
    sales.flatMap(({ id: receipt, payment_methods = [] }) =>
      payment_methods.map(({ id, name = '', amount = 0 }) => ({ ...(id && { id }), name, receipt, amount })),
    ),
  )

async function bySaleType(db: Pick<Queries, 'rows'>, brand_id: number, sales: readonly Sale[]) {
  const types = await db.rows<{ id: number; name: string }>('select id, name from sale_types where brand_id = ?', [
    brand_id,
  ])
  const names = new Map(types.map(({ id, name }) => [id, name]))
  return grouped(
    sales.map(({ id: receipt, sale_type_id, total = 0 }) => ({
      ...(sale_type_id && { id: sale_type_id }),
      name: names.get(sale_type_id ?? 0) ?? '',
      receipt,
      amount: total,
    })),
  )
}

async function giftsOf(db: Pick<Queries, 'rows'>, brand_id: number, cash_shift_id: string) {
  const rows = await db.rows<{ body: string }>(
    `select lines.body from receipts join receipt_lines as lines on lines.brand_id = receipts.brand_id
       and lines.receipt_id = receipts.id
     where receipts.brand_id = ? and receipts.cash_shift_id = ? and receipts.status = ${CLOSED} and receipts.parent_id is null
       and lines.state <> 'VOID'`,
    [brand_id, cash_shift_id],
  )
  const gifts = rows
    .map(({ body }) => JSON.parse(body) as { is_gift: boolean; count: number; subtotal: number })
    .filter(({ is_gift }) => is_gift)
  return { count: sumOf(gifts, ({ count }) => count), amount: sumOf(gifts, ({ subtotal }) => subtotal) }
}

function taxesOf(closed: readonly Sale[]) {
  const taxes = Map.groupBy(
    closed.flatMap((sale) => countedTaxes(sale, sale.terms)),
    ({ id, rate, included }) => `${id} ${rate} ${included}`,
  )
  return [...taxes.values()]
    .map((own) => ({
      ...own.at(-1)!,
      rate: fromScaled(own[0]!.rate),
      base: fromScaled(own.reduce((sum, { base }) => sum + base, 0)),
      amount: fromScaled(own.reduce((sum, { amount }) => sum + amount, 0)),
    }))
    .sort((one, other) => one.id - other.id || one.rate - other.rate || Number(other.included) - Number(one.included))
}

/** T15: tips that came in the shift, by whatever method, and what was paid out. */
async function tipsOf(db: Pick<Queries, 'rows'>, brand_id: number, cash_shift_id: string) {
  const moves = await db.rows<{
    system_type: string | null
    balance_id: number
    user_id: number | null
    name: string
    amount: number
    receipt_id: number | null
  }>(
    `select categories.system_type, moves.balance_id, balances.user_id, coalesce(users.name, balances.name) as name, moves.amount,
       moves.receipt_id
     from transactions as moves
       join balances on balances.brand_id = moves.brand_id and balances.id = moves.balance_id and balances.type = 'STAFF'
       join finance_categories as categories on categories.brand_id = moves.brand_id and categories.id = moves.category_id
       left join users on users.brand_id = balances.brand_id and users.id = balances.user_id
     where moves.brand_id = ? and moves.cash_shift_id = ? order by coalesce(balances.user_id, 0), moves.balance_id, moves.step`,
    [brand_id, cash_shift_id],
  )
  const given = moves.filter(({ system_type }) => system_type === 'TIP')
  const paid = moves.filter(({ system_type }) => system_type === 'TIP_PAYOUT')
  const booked = await tipsOfReceipts(db, brand_id, given)
  const scaledSum = (rows: readonly { amount: number }[]) =>
    fromScaled(rows.reduce((sum, { amount }) => sum + amount, 0))
  return {
    amount: scaledSum(given),
    by_payment_method: byMethod(booked.filter((tip) => tip.cash_shift_id === cash_shift_id)),
    by_user: [...Map.groupBy(given, ({ balance_id }) => balance_id).values()].map((own) => ({
      ...definedOnly({ user_id: own[0]!.user_id ?? undefined }),
      name: own[0]!.name,
      amount: scaledSum(own),
    })),
    paid_out: -scaledSum(paid) || 0,
  }
}

/** Sums the transactions of the drawer, with the closing difference apart (I10). */
async function cashOf(db: Pick<Queries, 'rows'>, brand_id: number, shift: CashShift) {
  const rows = await db.rows<{ system_type: string | null; came: number; went: number }>(
    `select categories.system_type, cast(sum(case when moves.amount > 0 then moves.amount else 0 end) as bigint) as came,
       cast(sum(case when moves.amount < 0 then -moves.amount else 0 end) as bigint) as went
     from transactions as moves
       join balances on balances.brand_id = moves.brand_id and balances.id = moves.balance_id and balances.type = 'CASH'
       join finance_categories as categories on categories.brand_id = moves.brand_id and categories.id = moves.category_id
     where moves.brand_id = ? and moves.cash_shift_id = ? group by categories.system_type`,
    [brand_id, shift.id],
  )
  const rowsOf = (...types: string[]) => rows.filter(({ system_type }) => types.includes(system_type ?? ''))
  const named = ['SALE', 'REFUND', 'TIP', 'TIP_PAYOUT', 'CASH_DIFFERENCE']
  const others = rows.filter(({ system_type }) => !named.includes(system_type ?? ''))
  const sum = (some: typeof rows, value: (row: (typeof rows)[number]) => number) =>
    fromScaled(some.reduce((total, row) => total + value(row), 0))
  return {
    opening: shift.opening_amount,
    sales: sum(rowsOf('SALE'), ({ came, went }) => came - went),
    refunds: sum(rowsOf('REFUND'), ({ came, went }) => went - came),
    tips: sum(rowsOf('TIP'), ({ came, went }) => came - went),
    tips_paid_out: sum(rowsOf('TIP_PAYOUT'), ({ came, went }) => went - came),
    in: sum(others, ({ came }) => came),
    out: sum(others, ({ went }) => went),
    expected: shift.expected_amount,
    ...definedOnly({ counted: shift.closing_amount, difference: shift.difference }),
  }
}
