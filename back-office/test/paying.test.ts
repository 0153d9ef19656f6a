import './english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PaymentMethod } from '../../server/src/resources/money/payment-methods.ts'
import { CLOSED, OPEN, UNDISCOUNTED } from '../../server/src/values/states.ts'
import { minus, sum } from '../src/pages/till/money.ts'
import {
  amountsOf,
  beginPaying,
  type PayEvent,
  type Paying,
  pay,
  paymentRequest,
  versionFor,
} from '../src/pages/till/overlays/paying.ts'
import type { Bill } from '../src/pages/till/receipt.ts'
import { tillTexts } from '../src/texts/screens/till.ts'

const method = (id: number, kind: PaymentMethod['kind']): PaymentMethod => ({
  id,
  name: kind,
  kind,
  status: {},
  customer_required: 0,
  position: id,
})
const CASH = method(1, 'CASH')
const CARD = method(2, 'CARD')

const billOf = (total: number, more: Partial<Bill> = {}): Bill => ({
  id: 7,
  cid: 'c',
  status: OPEN,
  lock: false,
  discount_type: UNDISCOUNTED,
  discount_value: 0,
  subtotal: total,
  total,
  total_discount: 0,
  service_charge_value: 0,
  delivery_fee: 0,
  e_tax: 0,
  paid: 0,
  remaining: total,
  version: 3,
  created_at: '',
  lines: [],
  isWaiting: false,
  refused: [],
  ...more,
})

/** The state after these events, in front of one bill that the server has answered. */
const after = (bill: Bill, events: readonly PayEvent[], state: Paying = beginPaying(bill), online = true): Paying =>
  events.reduce((before, event) => pay(before, { ...event, bill, places: 2, online }), state)
const typed = (text: string): PayEvent[] => [...text].map((key) => ({ is: 'press', key }))
const by = (with_: PaymentMethod): PayEvent => ({ is: 'method', method: with_ })
const paid = (state: Paying, status: 1 | 2): PayEvent => ({
  is: 'paid',
  payment: state.sending!,
  receipt: { status },
  at: 0,
})

test('a method alone pays all that is due and closes the receipt with the total that was shown', () => {
  const bill = billOf(12.5)
  const state = after(bill, [by(CARD)])
  assert.deepEqual(state.sending, { method: CARD, amount: 12.5, change: 0 })
  assert.deepEqual(paymentRequest(state.sending!, amountsOf(state, bill)), {
    path: '/receipts/7/close',
    body: { payment_methods: [{ id: 2, amount: 12.5 }], total: 12.5 },
  })
  const { done, sending } = after(bill, [paid(state, CLOSED)], state)
  assert.deepEqual([done, sending], [{ amount: 12.5, change: 0, isClosed: true, at: 0 }, undefined])
})

test('less is a part payment, more is change, and only cash gives any', () => {
  const bill = billOf(12.5)
  const part = after(bill, [...typed('5'), by(CARD)])
  assert.deepEqual(part.sending, { method: CARD, amount: 5, change: 0 })
  assert.equal(paymentRequest(part.sending!, amountsOf(part, bill)).path, '/receipts/7/payments')
  assert.equal(after(bill, [...typed('20'), by(CARD)]).problem, tillTexts.noChange)
  const cash = after(bill, [...typed('20'), by(CASH)])
  assert.deepEqual(cash.sending, { method: CASH, amount: 12.5, change: 7.5 })
  const { body } = paymentRequest(cash.sending!, amountsOf(cash, bill))
  assert.deepEqual(body, { payment_methods: [{ id: 1, amount: 12.5 }], total: 12.5, change: 7.5 }, 'for the paper')
  assert.equal(after(bill, [...typed('0'), by(CASH)]).problem, tillTexts.noAmount)
  assert.equal(after(bill, [...typed('40063813'), by(CASH)]).problem, tillTexts.tooMuch, 'a barcode')
  assert.equal(after(bill, [by(CARD), by(CASH)]).sending?.method, CARD, 'one at a time')
  assert.equal(after(bill, [by(CARD)], undefined, false).sending, undefined, 'nothing is sent while nobody answers')
})

test('a tip is taken of what is given above what is due, and what is given covers both', () => {
  const bill = billOf(40)
  const tip: PayEvent = { is: 'tip', typed: '5' }
  const enough = after(bill, [...typed('50'), tip])
  assert.equal(amountsOf(enough, bill).change, 5, 'as the screen shows it')
  assert.deepEqual(after(bill, [by(CASH)], enough).sending, { method: CASH, amount: 40, change: 5, tip: 5 })
  const short = after(bill, [...typed('42'), tip, by(CASH)])
  assert.deepEqual([short.sending, short.problem], [undefined, tillTexts.tooLittleForTip])
  assert.deepEqual(after(bill, [tip, by(CARD)]).sending, { method: CARD, amount: 40, change: 0, tip: 5 })
})

test('an amount that is typed is of no share, whatever was pressed before', () => {
  const bill = billOf(60)
  const share = after(bill, [{ is: 'split', parts: 3 }])
  assert.ok(share.label)
  assert.equal(after(bill, typed('50'), share).label, undefined)
  assert.equal(after(bill, [{ is: 'preset', amount: 50 }], share).label, undefined)
})

test('a key after a button that filled in an amount begins another one', () => {
  const bill = billOf(12.5)
  assert.equal(after(bill, [{ is: 'preset', amount: 20 }, ...typed('7')]).typed, '7')
  assert.equal(after(bill, [...typed('7'), { is: 'exact' }]).typed, '')
  assert.equal(after(bill, typed('12⌫.5')).typed, '1.5')
})

test('a method that is pressed too early pays as soon as the server has answered, if the amount is the same', () => {
  const early = after(billOf(10, { isWaiting: true, id: 0 }), [by(CARD)])
  assert.deepEqual([early.sending, early.wanted], [undefined, { method: CARD, due: 10 }])
  const same = after(billOf(10), [{ is: 'answered' }], early)
  assert.deepEqual([same.sending?.amount, same.wanted], [10, undefined])
  const away = after(billOf(10), [{ is: 'answered' }], early, false)
  assert.deepEqual([away.sending, away.wanted], [undefined, { method: CARD, due: 10 }], 'it waits for the server')
  assert.equal(after(billOf(10), [{ is: 'answered' }], away).sending?.amount, 10)
  const other = after(billOf(11), [{ is: 'answered' }], early)
  assert.deepEqual([other.sending, other.wanted, other.problem], [undefined, undefined, tillTexts.amountChanged])
})

test('a stale receipt is shown as it is now; after a lost answer what was seen stays', () => {
  const seen = billOf(10)
  const sent = after(seen, [by(CARD)])
  const changed = billOf(14, { version: 5 })
  const stale = after(changed, [{ is: 'refused', problem: 'stale', isStale: true }], sent)
  assert.equal(amountsOf(stale, changed).due, 14)
  const lost = after(changed, [{ is: 'refused', problem: 'lost', isStale: false }], sent)
  assert.equal(amountsOf(lost, changed).due, 10)
  assert.equal(versionFor(changed, amountsOf(lost, changed).seen), 3, 'the amount is another one: refuse it')
  assert.equal(versionFor(billOf(10, { version: 4 }), seen), 4, 'only the kitchen took a step')
})

test('a receipt of which nothing is due is closed without a payment', () => {
  const bill = billOf(0)
  const state = after(bill, [{ is: 'close' }])
  assert.deepEqual(paymentRequest(state.sending!, amountsOf(state, bill)), {
    path: '/receipts/7/close',
    body: { payment_methods: [], total: 0 },
  })
  assert.equal(after(billOf(0, { isWaiting: true }), [{ is: 'close' }]).sending, undefined)
})

test('whatever is pressed in whatever order, payments are above 0 and add up to the total', () => {
  const button = fc.oneof(
    fc.constantFrom(...'0123456789.⌫').map((key): PayEvent => ({ is: 'press', key })),
    fc.constant<PayEvent>({ is: 'exact' }),
    fc.integer({ min: 2, max: 5 }).map((parts): PayEvent => ({ is: 'split', parts })),
    fc.constantFrom(5, 20, 50).map((amount): PayEvent => ({ is: 'preset', amount })),
    fc.constantFrom(CASH, CARD).map(by),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50_000 }), fc.array(button, { maxLength: 60 }), (cents, buttons) => {
      const bill = billOf(cents / 100)
      let state = beginPaying(bill)
      const booked: number[] = []
      for (const event of [...buttons, { is: 'exact' }, by(CASH)] satisfies PayEvent[]) {
        state = after(bill, [event], state)
        const { sending } = state
        if (!sending) continue
        const { due } = amountsOf(state, bill)
        assert.ok(sending.amount > 0 && sending.amount <= due)
        assert.ok(sending.change >= 0 && (sending.change === 0 || sending.method === CASH))
        // Every other answer is lost on the way and the payment is pressed again: that books nothing twice.
        if (booked.length % 2 === 1) {
          const again = after(bill, [{ is: 'refused', problem: 'lost', isStale: false }, by(sending.method!)], state)
          assert.deepEqual(again.sending, sending)
        }
        booked.push(sending.amount)
        const isLast = sum(...booked) === bill.total
        state = after(bill, [paid(state, isLast ? CLOSED : OPEN)], state)
        assert.equal(amountsOf(state, bill).due, minus(bill.total, sum(...booked)))
        if (isLast) return assert.ok(state.done?.isClosed)
      }
      assert.fail('the last press pays what remains')
    }),
  )
})
