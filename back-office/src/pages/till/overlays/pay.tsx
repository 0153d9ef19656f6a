import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PaymentMethod } from '../../../../../server/src/resources/money/payment-methods.ts'
import { CLOSED } from '../../../../../server/src/values/states.ts'
import { api, Refused } from '../../../api.ts'
import { sentence } from '../../../components/layout/states.tsx'
import { isRefusal } from '../../../live/use-act.ts'
import { texts } from '../../../texts/texts.ts'
import { KEYS } from '../bill-panel.tsx'
import {
  isTooMuch,
  likelyNotes,
  minus,
  pressed,
  readAmount,
  type Share,
  scaled,
  shareOf,
  splitsOf,
  sum,
} from '../money.ts'
import type { Bill, Receipt } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { Overlay } from './overlay.tsx'

/** A second tap on the method is none on what comes after it: the change is read first. */
const READ_MS = 700

const PAD = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '.', '0', '⌫']

/** What is paid in one go. */
interface Part {
  readonly method: PaymentMethod | undefined
  readonly amount: number
  readonly change: number
}

/**
 * Paying waits for the server, and is refused if the receipt is no longer the one that was seen. It opens while lines are still being
 * sent; a method that is pressed then is remembered and pays as soon as the server has answered, if the amount is still the same.
 */
export function Pay({
  bill,
  onClose,
  onPaid,
  onPrint,
}: {
  bill: Bill
  onClose: () => void
  onPaid: () => void
  /** Prints the receipt once the server has told that it is closed. */
  onPrint: () => void
}) {
  const till = useTill()
  // The receipt as it was when the amount was shown; after a refusal the live one, until a button is pressed.
  const [frozen, setFrozen] = useState(bill.isWaiting ? undefined : bill)
  const seen = frozen ?? bill
  const [typed, setTyped] = useState('')
  const [isPreset, setPreset] = useState(false)
  const [share, setShare] = useState<Share>()
  const [problem, setProblem] = useState<string>()
  const [wanted, setWanted] = useState<{ method: PaymentMethod; due: number }>()
  const [done, setDone] = useState<{ change: number; isClosed: boolean; amount: number; at: number }>()
  // One key for one payment, until the server has answered it.
  const keys = useRef(new Map<string, string>())

  // A step in the kitchen raises the version and changes no amount: that is no reason to refuse a payment. An amount that changed is.
  const isSame = bill.total === seen.total && bill.remaining === seen.remaining
  const version = isSame ? bill.version : seen.version
  const due = seen.remaining

  const pay = useMutation({
    networkMode: 'always',
    retry: false,
    mutationFn({ method, amount }: Part) {
      const isAll = scaled(amount) === scaled(due)
      const payment_methods = method ? [{ id: method.id, amount }] : []
      const shift = till.shift && { cash_shift_id: till.shift.id }
      const body = isAll ? { payment_methods, total: seen.total, ...shift } : { payment_methods, ...shift }
      const path = `/receipts/${bill.id}/${isAll ? 'close' : 'payments'}`
      const content = `${path} ${JSON.stringify(body)}`
      const key = keys.current.get(content) ?? crypto.randomUUID()
      keys.current.set(content, key)
      return api.act<{ data: Receipt }>('POST', path, body, { key, venue: till.place.venue.id, version })
    },
    onSuccess({ data }, { amount, change }) {
      keys.current.clear()
      setTyped('')
      setProblem(undefined)
      const isClosed = data.status === CLOSED
      setDone({ change, isClosed, amount, at: performance.now() })
      const paid = sum(seen.paid, amount)
      setFrozen({ ...seen, paid, remaining: minus(seen.total, paid), version: seen.version + 1 })
      till.refresh()
    },
    onError(error) {
      const isLost = !isRefusal(error)
      if (!isLost) keys.current.clear()
      const isStale = error instanceof Refused && (error.status === 412 || error.slug === 'receipt_closed')
      const isClosed = error instanceof Refused && error.slug === 'receipt_closed'
      const isOld = isStale && !isClosed
      setProblem(
        isLost ? texts.till.noAnswer : isOld ? texts.till.stale : isClosed ? texts.till.closed : sentence(error),
      )
      till.refresh()
      if (isStale) setFrozen(undefined)
    },
  })

  const preset = (amount: number) => {
    setTyped(String(amount))
    setPreset(true)
  }
  /** A key after a button that filled in an amount begins another one. */
  const press = (key: string) => {
    setTyped(pressed(isPreset ? '' : typed, key, till.places))
    setPreset(false)
  }
  const split = (parts: number) => {
    const next = shareOf(seen, parts, till.places, share)
    setShare(next)
    preset(Math.min(next.amount, due))
  }

  const given = typed === '' ? due : (readAmount(typed) ?? 0)
  const by = (method: PaymentMethod) => {
    if (pay.isPending || !till.online) return
    if (bill.isWaiting) return setWanted({ method, due })
    const isMore = scaled(given) > scaled(due)
    if (given <= 0) return setProblem(texts.till.noAmount)
    if (isMore && method.kind !== 'CASH') return setProblem(texts.till.noChange)
    if (isTooMuch(given, due)) return setProblem(texts.till.tooMuch)
    setProblem(undefined)
    setDone(undefined)
    setFrozen(seen)
    pay.mutate({ method, amount: isMore ? due : given, change: isMore ? minus(given, due) : 0 })
  }
  const [cash] = till.methods.filter(({ kind }) => kind === 'CASH')
  /** What Enter does: pays in cash, or closes a receipt of which nothing is due. */
  const enter = () => {
    if (due > 0) return cash && by(cash)
    if (till.online && !bill.isWaiting && !pay.isPending) pay.mutate({ method: undefined, amount: 0, change: 0 })
  }
  // On the window: a button that is disabled while the server is away loses the focus.
  const onKey = ({ key, target, repeat }: KeyboardEvent) => {
    if (done?.isClosed && key === KEYS.print && !repeat) onPrint()
    if (done?.isClosed || target instanceof HTMLInputElement) return
    if (/^[\d.,]$/.test(key)) press(key === ',' ? '.' : key)
    if (key === 'Backspace') press('⌫')
    if (key === 'Enter' && !repeat && target === document.body) enter()
  }
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    // At once: the next key, a scanner's or a fast hand's, must see what this one did.
    const listener = (event: KeyboardEvent) => flushSync(() => latest.current(event))
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])

  const isAnswered = !bill.isWaiting
  const onAnswered = () => {
    if (pay.isPending || done) return
    setFrozen(bill)
    if (!wanted) return
    setWanted(undefined)
    if (scaled(wanted.due) === scaled(bill.remaining)) by(wanted.method)
    else setProblem(texts.till.amountChanged)
  }
  const answered = useRef(onAnswered)
  answered.current = onAnswered
  useEffect(() => {
    if (isAnswered) answered.current()
  }, [isAnswered])

  if (done?.isClosed) {
    const next = () => performance.now() - done.at > READ_MS && onPaid()
    return (
      <Overlay
        key="paid"
        title={texts.till.paidInFull}
        onClose={next}
        onSubmit={next}
        back={texts.till.nextGuest}
        action={
          <button type="button" className="till-key large" onClick={onPrint}>
            {texts.till.printReceipt} <kbd>{KEYS.print}</kbd>
          </button>
        }
      >
        <button type="submit" className="till-change" data-first>
          <span>{texts.till.change}</span>
          <b>{till.money(done.change)}</b>
          <span>
            {texts.till.nextGuest} <kbd>Enter</kbd>
          </span>
        </button>
      </Overlay>
    )
  }
  return (
    <Overlay key="pay" title={texts.till.payTitle} onClose={onClose} onSubmit={enter}>
      <div className="till-pay">
        <div className="till-pay-amounts">
          <dl>
            <div>
              <dt>{done ? texts.till.remaining : texts.till.due}</dt>
              <dd className="till-due">
                {bill.isWaiting && '≈ '}
                {till.money(due)}
              </dd>
            </div>
            <div>
              <dt>{texts.till.given}</dt>
              <dd className="till-given" data-typed={typed !== ''}>
                {typed === '' ? till.money(due) : typed}
              </dd>
            </div>
            <div>
              <dt>{given < due ? texts.till.remaining : texts.till.change}</dt>
              <dd className="till-given">{till.money(Math.abs(minus(given, due)))}</dd>
            </div>
          </dl>
          <div className="till-quick">
            <button type="button" className="till-key" onClick={() => setTyped('')}>
              {texts.till.exact}
            </button>
            {likelyNotes(due).map((amount) => (
              <button key={amount} type="button" className="till-key" onClick={() => preset(amount)}>
                {till.note(amount)}
              </button>
            ))}
          </div>
          <fieldset className="till-quick" aria-label={texts.till.split}>
            <span>{texts.till.split}</span>
            {splitsOf(seen.guests ?? 0).map((parts) => (
              <button key={parts} type="button" className="till-key" onClick={() => split(parts)}>
                {texts.till.splitIn(parts)}
              </button>
            ))}
          </fieldset>
          <p className={problem ? 'till-problem' : 'till-problem calm'} role="alert">
            {problem ??
              (!till.online
                ? texts.till.waitForServer
                : wanted
                  ? texts.till.paysSoon(wanted.method.name)
                  : bill.isWaiting
                    ? texts.till.waitForAnswers
                    : done && texts.till.partPaid(till.money(done.amount)))}
          </p>
        </div>
        <fieldset className="till-pad" aria-label={texts.till.pad}>
          {PAD.map((key) => (
            <button
              key={key}
              type="button"
              aria-label={key === '⌫' ? texts.till.erase : key}
              onClick={() => press(key)}
            >
              {key}
            </button>
          ))}
        </fieldset>
        <fieldset className="till-methods" aria-label={texts.till.methods}>
          {due === 0 ? (
            <button
              type="submit"
              data-first
              className="till-key primary large"
              disabled={!till.online || bill.isWaiting || pay.isPending}
            >
              {texts.till.closeReceipt} <kbd>Enter</kbd>
            </button>
          ) : (
            till.methods.map((method) => {
              const lacksCustomer = method.customer_required === 1 && !seen.customer_id
              return (
                <button
                  key={method.id}
                  type={method === cash ? 'submit' : 'button'}
                  data-first={method === cash || undefined}
                  className={method === cash ? 'till-key primary large' : 'till-key large'}
                  disabled={!till.online || lacksCustomer}
                  aria-pressed={wanted ? wanted.method.id === method.id : undefined}
                  aria-busy={pay.isPending || undefined}
                  {...(method !== cash && { onClick: () => by(method) })}
                >
                  {method.name}
                  {method === cash && <kbd>Enter</kbd>}
                  {lacksCustomer && <small>{texts.till.customerNeeded}</small>}
                </button>
              )
            })
          )}
        </fieldset>
      </div>
    </Overlay>
  )
}
