import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Share } from '../../../../../server/src/pos/tables/shares.ts'
import { api, type One, Refused } from '../../../api.ts'
import { Sentence, sentence } from '../../../components/refusal.tsx'
import { isRefusal } from '../../../live/use-act.ts'
import { liveQuery } from '../../../live/use-live.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { KEYS } from '../bill-panel.tsx'
import { likelyNotes, minus, splitsOf } from '../money.ts'
import type { Bill, Receipt } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { Overlay, Pad } from './overlay.tsx'
import { amountsOf, beginPaying, type PayEvent, type Payment, pay, paymentRequest, versionFor } from './paying.ts'

/** A second tap on the method is none on what comes after it: the change is read first. */
const READ_MS = 700

/**
 * Paying waits for the server, and is refused if the receipt is no longer the one that was seen. It opens while lines are still being
 * sent; a method that is pressed then is remembered and pays as soon as the server has answered, if the amount is still the same.
 */
export function Pay({
  bill,
  onClose,
  onPaid,
  onPrint,
  onShare,
}: {
  bill: Bill
  onClose: () => void
  onPaid: () => void
  /** Prints the receipt once the server has told that it is closed. */
  onPrint: () => void
  /** Prints the slip of a share; absent without a printer. */
  onShare: ((label: string) => void) | undefined
}) {
  const till = useTill()
  const venue = till.place.venue.id
  const [state, dispatch] = useReducer(pay, bill, beginPaying)
  const { typed, problem, wanted, sending, done } = state
  const amounts = amountsOf(state, bill)
  const { seen, due, change } = amounts
  const press = (event: PayEvent) => dispatch({ ...event, bill, places: till.places, online: till.online })

  // One key for one payment, until the server has answered it.
  const keys = useRef(new Map<string, string>())
  const { mutate, error } = useMutation({
    networkMode: 'always',
    retry: false,
    mutationFn(payment: Payment) {
      const { path, body } = paymentRequest(payment, amounts)
      const sent = till.shift ? { ...body, cash_shift_id: till.shift.id } : body
      const content = `${path} ${JSON.stringify(sent)}`
      const key = keys.current.get(content) ?? crypto.randomUUID()
      keys.current.set(content, key)
      return api.act<One<Receipt>>('POST', path, sent, { key, venue, version: versionFor(bill, seen) })
    },
    onSuccess({ data: receipt }, payment) {
      keys.current.clear()
      press({ is: 'paid', payment, receipt, at: performance.now() })
      till.refresh(receipt)
    },
    onError(error) {
      if (isRefusal(error)) keys.current.clear()
      press({ is: 'refused', ...refusalOf(error) })
      till.refresh()
    },
  })
  useEffect(() => {
    if (sending) mutate(sending)
  }, [sending, mutate])

  const bySeat = useQuery({
    ...liveQuery<One<Share[]>>(venue, 'receipts', `/receipts/${bill.id}/shares?by=seat`),
    enabled: bill.id > 0 && !bill.isWaiting && bill.lines.some(({ seat }) => seat !== undefined),
  })
  const shares = bySeat.data?.data ?? []
  const [cash] = till.methods.filter(({ kind }) => kind === 'CASH')
  /** What Enter does: pays in cash, or closes a receipt of which nothing is due. */
  const enter = () => {
    if (due <= 0) press({ is: 'close' })
    else if (cash) press({ is: 'method', method: cash })
  }
  // On the window: a button that is disabled while the server is away loses the focus.
  const onKey = ({ key, target, repeat }: KeyboardEvent) => {
    if (done?.isClosed && key === KEYS.print && !repeat) onPrint()
    if (done?.isClosed || target instanceof HTMLInputElement) return
    if (/^[\d.,]$/.test(key)) press({ is: 'press', key: key === ',' ? '.' : key })
    if (key === 'Backspace') press({ is: 'press', key: '⌫' })
    if (key === 'Enter' && !repeat && target === document.body) enter()
  }
  const latest = useRef({ onKey, press })
  latest.current = { onKey, press }
  useEffect(() => {
    // At once: the next key, a scanner's or a fast hand's, must see what this one did.
    const listener = (event: KeyboardEvent) => flushSync(() => latest.current.onKey(event))
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
  const isHeldUp = wanted !== undefined && !till.online
  useEffect(() => {
    if (!bill.isWaiting && !isHeldUp) latest.current.press({ is: 'answered' })
  }, [bill.isWaiting, isHeldUp])

  if (done?.isClosed) {
    const next = () => performance.now() - done.at > READ_MS && onPaid()
    return (
      <Overlay
        key="paid"
        title={tillTexts.paidInFull}
        onClose={next}
        onSubmit={next}
        back={tillTexts.nextGuest}
        action={
          <button type="button" className="till-key large" onClick={onPrint}>
            {tillTexts.printReceipt} <kbd>{KEYS.print}</kbd>
          </button>
        }
      >
        <button type="submit" className="till-change" data-first>
          <span>{tillTexts.change}</span>
          <b>{till.money(done.change)}</b>
          <span>
            {tillTexts.nextGuest} <kbd>Enter</kbd>
          </span>
        </button>
      </Overlay>
    )
  }
  return (
    <Overlay key="pay" title={tillTexts.payTitle} onClose={onClose} onSubmit={enter}>
      <div className="till-pay">
        <div className="till-pay-amounts">
          <dl>
            <div>
              <dt>{done ? tillTexts.remaining : tillTexts.due}</dt>
              <dd className="till-due">
                {bill.isWaiting && '≈ '}
                {till.money(due)}
              </dd>
            </div>
            <div>
              <dt>{tillTexts.given}</dt>
              <dd className="till-given" data-typed={typed !== ''}>
                {typed === '' ? till.money(due) : typed}
              </dd>
            </div>
            <div>
              <dt>{change < 0 ? tillTexts.remaining : tillTexts.change}</dt>
              <dd className="till-given">{till.money(Math.abs(change))}</dd>
            </div>
          </dl>
          <div className="till-quick">
            <button type="button" className="till-key" onClick={() => press({ is: 'exact' })}>
              {tillTexts.exact}
            </button>
            {likelyNotes(due).map((amount) => (
              <button key={amount} type="button" className="till-key" onClick={() => press({ is: 'preset', amount })}>
                {till.note(amount)}
              </button>
            ))}
          </div>
          <fieldset className="till-quick" aria-label={tillTexts.split}>
            <span>{tillTexts.split}</span>
            {splitsOf(seen.guests ?? 0).map((parts) => (
              <button key={parts} type="button" className="till-key" onClick={() => press({ is: 'split', parts })}>
                {tillTexts.splitIn(parts)}
              </button>
            ))}
          </fieldset>
          {shares.length > 0 && (
            <fieldset className="till-quick" aria-label={tillTexts.seat}>
              {shares.map(({ label, amount, paid }) => (
                <button
                  key={label}
                  type="button"
                  className="till-key"
                  disabled={minus(amount, paid) <= 0}
                  aria-pressed={state.label === label}
                  onClick={() => press({ is: 'share', label, amount: minus(amount, paid) })}
                >
                  {tillTexts.seatOf(Number(label.replace(/\D/g, '')))}: {till.money(amount)}
                </button>
              ))}
            </fieldset>
          )}
          {onShare && state.label !== undefined && !bill.isWaiting && (
            <button type="button" className="till-key" onClick={() => onShare(state.label!)}>
              {tillTexts.printShare}
            </button>
          )}
          <label className="till-field till-tip">
            <span>{tillTexts.tip}</span>
            <input
              inputMode="decimal"
              autoComplete="off"
              value={state.tip ?? ''}
              onChange={({ currentTarget }) => press({ is: 'tip', typed: currentTarget.value })}
            />
          </label>
          {bill.lines.some(({ hold, state: line }) => hold && line === 'NEW') && <p>{tillTexts.heldIsSent}</p>}
          <div className={problem ? 'till-problem' : 'till-problem calm'} role="alert">
            {(error && problem === sentence(error) ? <Sentence of={error} /> : problem) ??
              (!till.online
                ? tillTexts.waitForServer
                : wanted
                  ? tillTexts.paysSoon(wanted.method.name)
                  : bill.isWaiting
                    ? tillTexts.waitForAnswers
                    : done && tillTexts.partPaid(till.money(done.amount)))}
          </div>
        </div>
        <Pad onPress={(key) => press({ is: 'press', key })} />
        <fieldset className="till-methods" aria-label={tillTexts.methods}>
          {due === 0 ? (
            <button
              type="submit"
              data-first
              className="till-key primary large"
              disabled={!till.online || bill.isWaiting || sending !== undefined}
            >
              {tillTexts.closeReceipt} <kbd>Enter</kbd>
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
                  aria-busy={sending !== undefined || undefined}
                  {...(method !== cash && { onClick: () => press({ is: 'method', method }) })}
                >
                  {method.name}
                  {method === cash && <kbd>Enter</kbd>}
                  {lacksCustomer && <small>{tillTexts.customerNeeded}</small>}
                </button>
              )
            })
          )}
        </fieldset>
      </div>
    </Overlay>
  )
}

/** What is said of a payment that was not booked, or of which nobody knows whether it was. */
function refusalOf(error: Error): { problem: string; isStale: boolean } {
  const isClosed = error instanceof Refused && error.slug === 'receipt_closed'
  if (isClosed) return { problem: tillTexts.closed, isStale: true }
  if (error instanceof Refused && error.status === 412) return { problem: tillTexts.stale, isStale: true }
  return { problem: isRefusal(error) ? sentence(error) : tillTexts.noAnswer, isStale: false }
}
