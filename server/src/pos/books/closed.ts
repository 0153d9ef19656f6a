import { isDeepStrictEqual } from 'node:util'
import { isPersonal } from '../../resources/money/balance-rows.ts'
import type { BookedPayment } from '../../resources/sales/receipt-schema.ts'
import { CLOSED } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { paidByMethod } from '../closing/payments.ts'
import { isVoid, type Line, takenByLine } from '../receipts/line.ts'
import { billOf, HISTORY, type WholeReceipt } from '../receipts/whole-receipt.ts'
import { type GivenBack, refundAmounts } from '../refunds/given-back.ts'
import { givenBackBefore, givenBackBy, shownAmounts, shownLineAmounts, together } from '../refunds/refunded.ts'
import { quantityBack } from '../refunds/stock-back.ts'

// I1 of refunds, I2 and I14, as problems of one receipt.

/** The receipt that a refund belongs to, and all of its refunds. */
export interface Sold {
  readonly receipt: WholeReceipt
  readonly refunds: readonly WholeReceipt[]
}

/** I1: a refund is the part of its receipt that P19 says, after what earlier refunds gave back. */
export function wrongRefund(refund: WholeReceipt, sold: Sold | undefined): string[] {
  if (!sold) return [`it refunds receipt ${refund.receipt.parent_id}, which is not there`]
  const [before, own] = [givenBackBefore(refund), givenBackBy([refund])]
  const amounts = refundAmounts(billOf(sold.receipt), before, together(before, own))
  const expected = shownAmounts(amounts)
  const names = Object.keys(expected) as (keyof typeof expected)[]
  const soldLines = new Map(sold.receipt.lines.map((line) => [line.shown.id, line]))
  const made = new Map(amounts.lines.map((line) => [line.id, shownLineAmounts(soldLines.get(line.id)!, line)]))
  return [
    ...names.flatMap((name) => differing(name, refund.receipt[name], expected[name])),
    ...refund.lines.flatMap(({ shown, copied }) => {
      const line = made.get(copied.refunds!)
      if (!line) return [`line ${shown.id} refunds line ${copied.refunds}, which was not sold`]
      const members = Object.keys(line) as (keyof typeof line)[]
      return members.flatMap((name) => differing(`line ${shown.id}: ${name}`, shown[name], line[name]))
    }),
    ...wrongChain(refund, before, sold),
  ]
}

const differing = (name: string, is: unknown, made: unknown): string[] =>
  isDeepStrictEqual(is, made) ? [] : [`${name} is ${JSON.stringify(is)}, P19 makes ${JSON.stringify(made)}`]

/** Refunds of one receipt follow each other: each gave back more, and what it found is what those before it gave. */
function wrongChain(refund: WholeReceipt, before: GivenBack, { receipt, refunds }: Sold): string[] {
  const amountOf = ({ counts, delivery_fee }: GivenBack) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0) + (delivery_fee ? 0.5 : 0)
  const earlier = refunds.filter((each) => amountOf(givenBackBefore(each)) < amountOf(before))
  const found = givenBackBy(earlier)
  const all = together(before, givenBackBy([refund]))
  const sold = new Map(receipt.lines.filter((line) => !isVoid(line)).map(({ shown }) => [shown.id, shown.count]))
  const isSame =
    found.delivery_fee === before.delivery_fee &&
    isDeepStrictEqual(new Map([...found.counts].sort()), new Map([...before.counts].sort()))
  const left = paidByMethod([receipt, ...refunds].map((whole) => whole.receipt))
  return [
    ...(isSame ? [] : ['it follows other refunds than there are before it']),
    ...[...all.counts].flatMap(([id, count]) =>
      fromScaled(count) > (sold.get(id) ?? 0) ? [`line ${id} was refunded more often than it was sold`] : [],
    ),
    ...[...left].flatMap(([id, amount]) =>
      amount < 0 ? [`method ${id} paid back ${fromScaled(-amount)} more than it was paid`] : [],
    ),
  ]
}

/** A movement as it is stored, quantity ×10,000. */
export interface StoredMovement {
  readonly receipt_product_id: number | null
  readonly product_id: number
  readonly modificator_id: number | null
  readonly quantity: number
}

/** I2: what holds of a closed receipt. `movements` are those of the receipt. */
export function wrongClosing(
  whole: WholeReceipt,
  movements: readonly StoredMovement[],
  sold: Sold | undefined,
): string[] {
  const { receipt, rule, lines } = whole
  if (receipt.status !== CLOSED || rule === HISTORY) return []
  const { total = 0, created_at = '', closed_at = '' } = receipt
  const paid = fromScaled([...paidByMethod([receipt]).values()].reduce((sum, amount) => sum + amount, 0))
  const ofLine = Map.groupBy(movements, ({ receipt_product_id }) => receipt_product_id)
  const known = new Set<number | null>(lines.map(({ shown }) => shown.id))
  const stray = movements.find(({ receipt_product_id }) => !known.has(receipt_product_id))
  return [
    ...(paid === total ? [] : [`it is closed, and its payments add up to ${paid}, not to ${total}`]),
    ...(closed_at >= created_at ? [] : [`it was closed at ${closed_at}, before it was made at ${created_at}`]),
    ...(stray ? [`it moved product ${stray.product_id} for a line that it does not have`] : []),
    ...lines.flatMap((line) => {
      const expected = movementsExpected(line, whole, sold)
      const there = ofLine.get(line.shown.id) ?? []
      if (areSame(expected, there)) return []
      const said = (moved: readonly Expected[]) => JSON.stringify(moved.map(keyOf).sort())
      return [`line ${line.shown.id} moved ${said(there)} and should move ${said(expected)}`]
    }),
  ]
}

type Expected = Omit<StoredMovement, 'receipt_product_id'>

/** In whatever order. A line takes each product once for itself and once for each modificator (P20). */
const areSame = (expected: readonly Expected[], there: readonly Expected[]) =>
  expected.length === there.length &&
  expected.every(({ product_id, modificator_id, quantity }) =>
    there.some(
      (each) => each.product_id === product_id && each.modificator_id === modificator_id && each.quantity === quantity,
    ),
  )

/** A void line moved what was made of it and is lost; a refunded one brought back its part, unless that is lost. */
function movementsExpected(line: Line, whole: WholeReceipt, sold: Sold | undefined): Expected[] {
  const { copied, shown } = line
  const isOut = isVoid(line) ? copied.waste === true : true
  if (copied.refunds === undefined)
    return isOut ? takenByLine(line).map((taken) => movement(taken, -taken.quantity)) : []
  const origin = sold?.receipt.lines.find((each) => each.shown.id === copied.refunds)
  if (!origin || copied.waste) return []
  const before = givenBackBefore(whole).counts.get(copied.refunds) ?? 0
  const span = { before, after: before - toScaled(shown.count)!, sold: toScaled(origin.shown.count)! }
  return takenByLine(origin)
    .map((taken) => movement(taken, quantityBack(taken.quantity, span)))
    .filter(({ quantity }) => quantity !== 0)
}

const movement = (
  { product_id, modificator_id }: { product_id: number; modificator_id?: number },
  quantity: number,
): Expected => ({ product_id, modificator_id: modificator_id ?? null, quantity })

const keyOf = ({ product_id, modificator_id, quantity }: Expected) =>
  `${fromScaled(quantity)} of ${product_id}${modificator_id === null ? '' : ` for modificator ${modificator_id}`}`

/** A transaction of a receipt with its category and the type of its balance, amount ×10,000. */
export interface StoredTransaction {
  readonly balance_id: number
  readonly category: string
  readonly type: string
  readonly amount: number
}

/**
 * I14: by account and category, what a receipt's payments say is what was booked of it. History (P22) books what is paid here alone.
 */
export function wrongBookings(
  { receipt, rule, terms }: WholeReceipt,
  transactions: readonly StoredTransaction[],
): string[] {
  const booked = transactions.filter(({ category }) => category === 'SALE' || category === 'REFUND')
  const { payment_methods: shown = [] } = receipt
  const { payments } = terms
  if (!payments && rule === HISTORY) return []
  const kept = payments ?? []
  const there = sumsOf(booked.map((each) => [accountOf(each), each.amount]))
  const expected = sumsOf(
    kept.map(({ balance_id, kind, amount }) => [
      accountOf({ balance_id, category: amount < 0 ? 'REFUND' : 'SALE' }),
      isPersonal(kind) ? -amount : amount,
    ]),
  )
  const types = new Map(booked.map(({ balance_id, type }) => [balance_id, type]))
  return [
    ...(rule === HISTORY ? [] : wrongKept(shown, kept)),
    ...[...new Set([...expected.keys(), ...there.keys()])].flatMap((account) => {
      const [due, is] = [expected.get(account) ?? 0, there.get(account) ?? 0]
      return due === is ? [] : [`${account} booked ${is / 10_000}, and its payments make ${due / 10_000}`]
    }),
    ...kept.flatMap(({ id, kind, balance_id }) => {
      const type = types.get(balance_id)
      if (type === undefined || accepts(type, kind)) return []
      return [`by method ${id} it was paid as ${kind}, on balance ${balance_id} of type ${type}`]
    }),
  ]
}

const accountOf = ({ balance_id, category }: Pick<StoredTransaction, 'balance_id' | 'category'>) =>
  `balance ${balance_id}: ${category}`

function sumsOf(entries: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [key, amount] of entries) sums.set(key, (sums.get(key) ?? 0) + amount)
  return sums
}

/** CARD and OTHER may share an account; every other kind has its own. */
const accepts = (type: string, kind: string) =>
  kind === 'CARD' || kind === 'OTHER' ? type === 'CARD' || type === 'OTHER' : type === kind

type Shown = NonNullable<WholeReceipt['receipt']['payment_methods']>

/** What a receipt shows of its payments is what it keeps of them. */
function wrongKept(shown: Shown, kept: readonly BookedPayment[]): string[] {
  const isSame =
    shown.length === kept.length &&
    shown.every(({ id, amount = 0 }, index) => {
      return id === kept[index]!.id && toScaled(amount) === kept[index]!.amount
    })
  if (isSame) return []
  const said = kept.map(({ id, amount }) => ({ id, amount: amount / 10_000 }))
  return [`its payments are ${JSON.stringify(shown)}, and it keeps ${JSON.stringify(said)}`]
}

/** I17: what a receipt shows of tips is on accounts of the house, and on those of the people who got them. */
export function wrongTips(
  { receipt, rule, terms }: WholeReceipt,
  transactions: readonly StoredTransaction[],
): string[] {
  if (rule === HISTORY && !terms.tips) return []
  const booked = transactions.filter(({ category }) => category === 'TIP')
  const shown = toScaled(receipt.tip ?? 0)!
  const sumOf = (rows: readonly { amount: number }[]) => rows.reduce((sum, { amount }) => sum + amount, 0)
  const house = sumOf(booked.filter(({ type }) => type !== 'STAFF'))
  const staff = sumOf(booked.filter(({ type }) => type === 'STAFF'))
  if (house === shown && staff === shown && sumOf(terms.tips ?? []) === shown) return []
  return [`its tip is ${fromScaled(shown)}; the house has ${fromScaled(house)} of it, its people ${fromScaled(staff)}`]
}
