import { useMemo } from 'react'
import { CANCELLED, CLOSED, OPEN, PERCENT_OFF, UNDISCOUNTED } from '../../../../server/src/values/states.ts'
import { texts } from '../../texts/texts.ts'
import { Modifiers } from './modifiers.tsx'
import { useCustomerName } from './overlays/details.tsx'
import { isThere, type ShownLine, titleOf } from './receipt.ts'
import { type TillState, useTill } from './use-till.ts'

export type BillAct = 'new' | 'details' | 'send' | 'print' | 'pay' | 'unlock'
export const KEYS = { new: 'F2', send: 'F4', print: 'F9', pay: 'F8' } as const

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
  if (act === 'send') return bill.lines.some((line) => line.state === 'NEW' && isThere(line))
  if (act === 'print') return !isEmpty && online
  return !isEmpty && online && rights('receipts:close')
}

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
      ? texts.till.closed
      : bill.status === CANCELLED
        ? texts.till.cancelled
        : bill.lock
          ? texts.till.locked
          : '')
  return (
    <section className="till-bill" aria-label={texts.till.receipt}>
      <header>
        <h2>{(bill && titleOf(bill, till.tableNames)) ?? texts.till.newReceipt}</h2>
        <button type="button" className="till-key" onClick={() => onAct('new')}>
          {texts.till.newReceipt} <kbd>{KEYS.new}</kbd>
        </button>
      </header>
      <button type="button" className="till-key till-who" disabled={!can('details')} onClick={() => onAct('details')}>
        <span>{till.saleTypes.find(({ id }) => id === bill?.sale_type_id)?.name ?? texts.till.saleType}</span>
        <span>{(bill?.table_id && till.tableNames.get(bill.table_id)) || texts.till.noTable}</span>
        <span>{texts.till.guestsCount(bill?.guests ?? 0)}</span>
        <span>{customer ?? texts.till.noCustomer}</span>
      </button>
      <ol className="till-lines" aria-label={texts.till.receipt}>
        {lines.length === 0 && <li className="till-quiet">{till.isLoading ? texts.till.loading : texts.till.empty}</li>}
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
                {line.note && <small className="till-note">{line.note}</small>}
                {line.is_gift && <small>{texts.till.isGift}</small>}
                {line.discount_type !== UNDISCOUNTED && (
                  <small>
                    {texts.till.discount}{' '}
                    {line.discount_type === PERCENT_OFF ? `${line.discount_value} %` : money(line.discount_value)}
                  </small>
                )}
              </span>
              <span className="till-line-state">
                {line.isWaiting ? texts.till.isWaiting : texts.till.states[line.state]}
              </span>
              <b className="till-amount">{money(line.subtotal)}</b>
            </button>
            {canStep(line) && (
              <>
                <button
                  type="button"
                  className="till-key"
                  aria-label={texts.till.fewerOf(line.name)}
                  disabled={!isOpen}
                  onClick={() => till.step(line, -1)}
                >
                  −
                </button>
                <button
                  type="button"
                  className="till-key"
                  aria-label={texts.till.moreOf(line.name)}
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
          <dt>{texts.till.discount}</dt>
          <dd>{money(bill?.total_discount ? -bill.total_discount : 0)}</dd>
        </div>
        <div>
          <dt>{texts.till.service}</dt>
          <dd>{money(bill?.service_charge_value ?? 0)}</dd>
        </div>
        <div>
          <dt>{texts.till.paid}</dt>
          <dd>{money(bill?.paid ?? 0)}</dd>
        </div>
        <div className="till-total">
          <dt>{bill && bill.paid > 0 ? texts.till.remaining : texts.till.total}</dt>
          <dd>
            {bill?.isWaiting && '≈ '}
            {money(bill?.remaining ?? 0)}
          </dd>
        </div>
      </dl>
      <div className="till-bill-buttons">
        <button type="button" className="till-key large" disabled={!can('send')} onClick={() => onAct('send')}>
          {texts.till.send} <kbd>{KEYS.send}</kbd>
        </button>
        <button type="button" className="till-key large" disabled={!can('print')} onClick={() => onAct('print')}>
          {texts.till.bill} <kbd>{KEYS.print}</kbd>
        </button>
        <button type="button" className="till-key large" disabled={!can('unlock')} onClick={() => onAct('unlock')}>
          {texts.till.unlock}
        </button>
        <button type="button" className="till-key primary large" disabled={!can('pay')} onClick={() => onAct('pay')}>
          {texts.till.pay} <kbd>{KEYS.pay}</kbd>
        </button>
      </div>
    </section>
  )
}

function Refusal({ refused: { key, slug, message } }: { refused: NonNullable<ShownLine['refused']> }) {
  const till = useTill()
  return (
    <p className="till-refused" role="alert">
      <span>
        <b>{texts.till.refused}.</b> {slug === 'not_opened' ? texts.till.notOpened : message}
      </span>
      <button type="button" className="till-key" onClick={() => till.dismiss(key)}>
        {texts.till.dismiss}
      </button>
    </p>
  )
}
