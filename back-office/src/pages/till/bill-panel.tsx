import { useMemo } from 'react'
import { CANCELLED, CLOSED, OPEN, PERCENT_OFF, UNDISCOUNTED } from '../../../../server/src/values/states.ts'
import { Sentence } from '../../components/refusal.tsx'
import { serviceTexts } from '../../texts/screens/service.ts'
import { tillTexts } from '../../texts/screens/till.ts'
import { Modifiers } from './modifiers.tsx'
import { useCustomerName } from './overlays/details.tsx'
import { isThere, nextCourse, type ShownLine, titleOf } from './receipt.ts'
import { type TillState, useTill } from './use-till.ts'

export type BillAct = 'new' | 'details' | 'send' | 'fire' | 'print' | 'parts' | 'pay' | 'unlock'
export const KEYS = { new: 'F2', send: 'F4', fire: 'F6', print: 'F9', pay: 'F8' } as const

/** What can be done now with the receipt at hand. Paying opens while lines are being sent, and waits inside. */
export function possible(
  act: BillAct,
  { bill, isLoading, online, rights }: Pick<TillState, 'bill' | 'isLoading' | 'online' | 'rights'>,
): boolean {
  if (act === 'new') return true
  if (bill?.status !== OPEN) return false
  const isEmpty = !isLoading && !bill.lines.some(isThere)
  if (act === 'details') return true
  if (act === 'unlock') return bill.lock
  if (act === 'send') return bill.lines.some((line) => line.state === 'NEW' && !line.hold && isThere(line))
  if (act === 'fire') return nextCourse(bill) !== undefined
  if (act === 'parts') return !isEmpty && online && !bill.lock && bill.id > 0
  if (act === 'print') return !isEmpty && online
  return !isEmpty && online && rights('receipts:close')
}

const MAX_SEATS = 20
/** 0 is the whole table. */
const seatsOf = (guests: number) => [...Array(Math.min(MAX_SEATS, guests) + 1).keys()]

/** The receipt at hand. */
export function BillPanel({ onAct, onLine }: { onAct: (act: BillAct) => void; onLine: (line: ShownLine) => void }) {
  const till = useTill()
  const { bill, money } = till
  const customer = useCustomerName(bill?.customer_id)
  const lines = bill?.lines.filter((line) => line.state !== 'VOID' || line.refused) ?? []
  const can = (act: BillAct) => possible(act, till)
  const isOpen = bill?.status === OPEN && !bill.lock
  const weighed = useMemo(
    () =>
      new Set(
        (till.items.data ?? [])
          .filter(({ isByWeight, isTimed }) => isByWeight || isTimed)
          .flatMap(({ id, variants }) => [id, ...variants.map((variant) => variant.id)]),
      ),
    [till.items.data],
  )
  const canStep = (line: ShownLine) =>
    line.state === 'NEW' && isThere(line) && Number.isInteger(line.count) && !weighed.has(line.product_id)
  const notice =
    bill &&
    (bill.status === CLOSED
      ? tillTexts.closed
      : bill.status === CANCELLED
        ? tillTexts.cancelled
        : bill.lock
          ? tillTexts.locked
          : '')
  return (
    <section className="till-bill" aria-label={tillTexts.receipt}>
      <header>
        <h2>{(bill && titleOf(bill, till.tableNames)) ?? tillTexts.newReceipt}</h2>
        <button type="button" className="till-key" onClick={() => onAct('new')}>
          {tillTexts.newReceipt} <kbd>{KEYS.new}</kbd>
        </button>
      </header>
      <button type="button" className="till-key till-who" disabled={!can('details')} onClick={() => onAct('details')}>
        <span>{till.saleTypes.find(({ id }) => id === bill?.sale_type_id)?.name ?? tillTexts.saleType}</span>
        <span>{(bill?.table_id && till.tableNames.get(bill.table_id)) || tillTexts.noTable}</span>
        <span>{tillTexts.guestsCount(bill?.guests ?? 0)}</span>
        <span>{customer ?? tillTexts.noCustomer}</span>
        {bill?.user_id !== undefined && <span>{till.nameOf(bill.user_id)}</span>}
      </button>
      {bill?.table_id !== undefined && (bill.guests ?? 0) > 1 && isOpen && (
        <fieldset className="till-seats" aria-label={tillTexts.seat}>
          {seatsOf(bill.guests ?? 0).map((seat) => (
            <button
              key={seat}
              type="button"
              className="till-key"
              aria-pressed={till.seat === seat}
              onClick={() => till.setSeat(seat)}
            >
              {seat === 0 ? tillTexts.wholeTable : tillTexts.seatOf(seat)}
            </button>
          ))}
        </fieldset>
      )}
      <ol className="till-lines" aria-label={tillTexts.receipt}>
        {lines.length === 0 && <li className="till-quiet">{till.isLoading ? tillTexts.loading : tillTexts.empty}</li>}
        {bill?.description && <li className="till-note till-comment">{bill.description}</li>}
        {lines.map((line) => (
          <li key={line.cid} className={canStep(line) ? 'till-stepped' : undefined}>
            <button
              type="button"
              className={`till-line ${line.state === 'NEW' ? 'new' : 'sent'} ${line.isWaiting ? 'waiting' : ''}`}
              disabled={!isOpen || (line.refused && line.id === 0)}
              onClick={() => onLine(line)}
            >
              <b className="till-line-count">{line.count} ×</b>
              <span className="till-line-name">
                {line.name}
                <Modifiers of={line} />
                {line.allergy && <b className="till-mark warn">{tillTexts.allergy}</b>}
                {line.note && <small className="till-note">{line.note}</small>}
                {line.is_gift && <small>{tillTexts.isGift}</small>}
                {line.discount_type !== UNDISCOUNTED && (
                  <small>
                    {tillTexts.discount}{' '}
                    {line.discount_type === PERCENT_OFF ? `${line.discount_value} %` : money(line.discount_value)}
                  </small>
                )}
              </span>
              <span className="till-line-state">
                <span>
                  {line.isWaiting
                    ? tillTexts.isWaiting
                    : line.hold && line.state === 'NEW'
                      ? tillTexts.held
                      : tillTexts.states[line.state]}
                </span>
                {[
                  till.courseName(line.course),
                  line.seat !== undefined && tillTexts.seatOf(line.seat),
                  line.user_id !== undefined &&
                    line.user_id !== bill?.user_id &&
                    serviceTexts.by(till.nameOf(line.user_id) ?? `#${line.user_id}`),
                ]
                  .filter((part) => part)
                  .map((part) => ` · ${part}`)
                  .join('')}
              </span>
              <b className="till-amount">{money(line.subtotal)}</b>
            </button>
            {canStep(line) && (
              <>
                <button
                  type="button"
                  className="till-key"
                  aria-label={tillTexts.fewerOf(line.name)}
                  disabled={!isOpen}
                  onClick={() => till.step(line, -1)}
                >
                  −
                </button>
                <button
                  type="button"
                  className="till-key"
                  aria-label={tillTexts.moreOf(line.name)}
                  disabled={!isOpen}
                  onClick={() => till.step(line, 1)}
                >
                  +
                </button>
              </>
            )}
            {line.refused && <Refusal refused={line.refused} />}
          </li>
        ))}
      </ol>
      {bill?.refused.map((each) => (
        <Refusal key={each.key} refused={each} />
      ))}
      <p className="till-notice" role="status">
        {notice}
      </p>
      <dl className="till-totals">
        <div>
          <dt>{tillTexts.discount}</dt>
          <dd>{money(bill?.total_discount ? -bill.total_discount : 0)}</dd>
        </div>
        <div>
          <dt>{tillTexts.service}</dt>
          <dd>{money(bill?.service_charge_value ?? 0)}</dd>
        </div>
        <div>
          <dt>{tillTexts.paid}</dt>
          <dd>{money(bill?.paid ?? 0)}</dd>
        </div>
        <div className="till-total">
          <dt>{bill && bill.paid > 0 ? tillTexts.remaining : tillTexts.total}</dt>
          <dd>
            {bill?.isWaiting && '≈ '}
            {money(bill?.remaining ?? 0)}
          </dd>
        </div>
      </dl>
      <div className="till-bill-buttons">
        <button type="button" className="till-key large" disabled={!can('send')} onClick={() => onAct('send')}>
          {tillTexts.send} <kbd>{KEYS.send}</kbd>
        </button>
        <button type="button" className="till-key large" disabled={!can('fire')} onClick={() => onAct('fire')}>
          {tillTexts.fire(till.courseName(bill && nextCourse(bill)))} <kbd>{KEYS.fire}</kbd>
        </button>
        <button type="button" className="till-key large" disabled={!can('print')} onClick={() => onAct('print')}>
          {tillTexts.bill} <kbd>{KEYS.print}</kbd>
        </button>
        <button
          type="button"
          className="till-key large till-split"
          disabled={!can('parts')}
          onClick={() => onAct('parts')}
        >
          {tillTexts.parts.action}
        </button>
        <button type="button" className="till-key large" disabled={!can('unlock')} onClick={() => onAct('unlock')}>
          {tillTexts.unlock}
        </button>
        <button type="button" className="till-key primary large" disabled={!can('pay')} onClick={() => onAct('pay')}>
          {tillTexts.pay} <kbd>{KEYS.pay}</kbd>
        </button>
      </div>
    </section>
  )
}

function Refusal({ refused }: { refused: NonNullable<ShownLine['refused']> }) {
  const till = useTill()
  return (
    <div className="till-refused" role="alert">
      <span>
        <b>{tillTexts.refused}.</b> {refused.slug === 'not_opened' ? tillTexts.notOpened : <Sentence of={refused} />}
      </span>
      <button type="button" className="till-key" onClick={() => till.dismiss(refused.key)}>
        {tillTexts.dismiss}
      </button>
    </div>
  )
}
