import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeftToRefund } from '../../../../../server/src/pos/refunds/refund.ts'
import { api, type One } from '../../../api.ts'
import { Failure } from '../../../components/layout/states.tsx'
import { Sentence } from '../../../components/refusal.tsx'
import { useAct } from '../../../live/use-act.ts'
import { liveQuery } from '../../../live/use-live.ts'
import { inZone } from '../../../texts/clock.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { Modifiers } from '../modifiers.tsx'
import { rounded, scaled, sum } from '../money.ts'
import { type Bill, closedFound, type Line, type Receipt, settledBill, titleOf } from '../receipt.ts'
import { closedPath, receiptPath } from '../state/paths.ts'
import { useTill } from '../use-till.ts'
import { Overlay, Stepper } from './overlay.tsx'

interface Page {
  readonly data: readonly Receipt[]
  readonly pagination: { readonly total_pages: number }
}

const instant = inZone({ dateStyle: 'short', timeStyle: 'short' })

/** Closed receipts, found by their number and day: one is looked at, printed again, and refunded. */
export function Closed({ onClose, onPrint }: { onClose: () => void; onPrint: (bill: Bill) => void }) {
  const [chosen, setChosen] = useState<number>()
  const [isRefunding, setRefunding] = useState(false)
  const [sought, seek] = useState<Sought>({ typed: '', day: '', count: 1 })
  if (chosen === undefined) return <Find sought={sought} onSeek={seek} onChoose={setChosen} onClose={onClose} />
  if (isRefunding) return <Refund id={chosen} onClose={onClose} />
  return (
    <Look
      id={chosen}
      onClose={() => setChosen(undefined)}
      onPrint={(receipt) => onPrint(settledBill(receipt))}
      onRefund={() => setRefunding(true)}
    />
  )
}

/** What is looked for, and how many pages were asked for. */
interface Sought {
  readonly typed: string
  readonly day: string
  readonly count: number
}

function Find({
  sought,
  onSeek,
  onChoose,
  onClose,
}: {
  sought: Sought
  onSeek: (sought: Sought) => void
  onChoose: (id: number) => void
  onClose: () => void
}) {
  const till = useTill()
  const { typed, day, count } = sought
  const pages = useQueries({
    queries: Array.from({ length: count }, (_, index) =>
      liveQuery<Page>(till.place.venue.id, 'receipts', closedPath(index + 1, day)),
    ),
  })
  const last = pages.at(-1)!
  const failed = pages.find(({ error }) => error)
  const found = closedFound(
    pages.flatMap(({ data }) => data?.data ?? []),
    typed,
  )
  const hasEarlier = (last.data?.pagination.total_pages ?? 0) > count
  return (
    <Overlay
      key="find"
      title={tillTexts.closedReceipts}
      onClose={onClose}
      onSubmit={() => typed.trim() && found[0] && onChoose(found[0].id)}
    >
      <div className="till-fields">
        <label className="till-field grow">
          <span>{tillTexts.findNumber}</span>
          <input
            type="search"
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => onSeek({ ...sought, typed: currentTarget.value })}
            data-first
          />
        </label>
        <label className="till-field">
          <span>{tillTexts.closedOn}</span>
          <input
            type="date"
            value={day}
            onChange={({ currentTarget }) => onSeek({ ...sought, day: currentTarget.value, count: 1 })}
          />
        </label>
      </div>
      {failed && <Failure error={failed.error!} again={() => void failed.refetch()} />}
      <ul className="till-closed">
        {found.map((row) => (
          <li key={row.id}>
            <button type="button" className="till-receipt" onClick={() => onChoose(row.id)}>
              <b>#{row.number}</b>
              <b className="till-amount">{till.money(row.total)}</b>
              <small>
                {row.closed_at && instant(row.closed_at)} · {titleOf(row, till.tableNames)} ·{' '}
                {(row.payment_methods ?? []).map(({ name }) => name).join(', ')}
              </small>
            </button>
          </li>
        ))}
      </ul>
      {last.data && found.length === 0 && <p className="till-quiet">{tillTexts.noClosed}</p>}
      {(hasEarlier || last.isPending) && (
        <button
          type="button"
          className="till-key large"
          disabled={last.isPending}
          onClick={() => onSeek({ ...sought, count: count + 1 })}
        >
          {tillTexts.earlier}
        </button>
      )}
    </Overlay>
  )
}

const useReceipt = (id: number) =>
  useQuery(liveQuery<{ data: Receipt }>(useTill().place.venue.id, 'receipts', receiptPath(id)))

/** A closed receipt as it was paid. */
function Look({
  id,
  onClose,
  onPrint,
  onRefund,
}: {
  id: number
  onClose: () => void
  onPrint: (receipt: Receipt) => void
  onRefund: () => void
}) {
  const till = useTill()
  const { data, error, refetch } = useReceipt(id)
  const receipt = data?.data
  const lines = (receipt?.receipt_products ?? []).filter(({ state }) => state !== 'VOID')
  const facts = receipt && [
    receipt.closed_at && instant(receipt.closed_at),
    till.saleTypes.find(({ id }) => id === receipt.sale_type_id)?.name,
    receipt.table_id && till.tableNames.get(receipt.table_id),
    receipt.guests && tillTexts.guestsCount(receipt.guests),
    till.nameOf(receipt.user_id),
  ]
  const amounts: [string, number][] = receipt
    ? [
        [tillTexts.subtotal, receipt.subtotal],
        [tillTexts.discount, -receipt.total_discount],
        [tillTexts.service, receipt.service_charge_value],
        [tillTexts.fee, receipt.delivery_fee],
        [tillTexts.tax, receipt.e_tax],
      ]
    : []
  return (
    <Overlay
      key="look"
      title={tillTexts.receiptTitle(receipt?.number ?? 0)}
      onClose={onClose}
      back={tillTexts.toList}
      action={
        <>
          <button
            type="button"
            className="till-key danger large"
            disabled={!receipt || !till.canAsk('receipts:refund')}
            onClick={onRefund}
          >
            {tillTexts.refund}
          </button>
          <button
            type="button"
            className="till-key primary large"
            disabled={!receipt}
            onClick={() => receipt && onPrint(receipt)}
          >
            {tillTexts.printReceipt}
          </button>
        </>
      }
    >
      {error && <Failure error={error} again={() => void refetch()} />}
      {facts && <p>{facts.filter(Boolean).join(' · ')}</p>}
      <table className="till-look">
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>{line.count} ×</td>
              <td>
                {line.name}
                <Modifiers of={line} />
                {line.note && <small className="till-note">{line.note}</small>}
                {line.is_gift && <small>{tillTexts.isGift}</small>}
              </td>
              <td>{till.money(line.subtotal)}</td>
            </tr>
          ))}
        </tbody>
        {receipt && (
          <tfoot>
            {amounts.map(
              ([name, amount], index) =>
                (index === 0 || amount !== 0) && <Row key={name} name={name} amount={till.money(amount)} />,
            )}
            <Row className="till-look-total" name={tillTexts.total} amount={till.money(receipt.total)} />
            {receipt.payment_methods?.map(({ name, amount }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: payments are only added
              <Row key={index} name={name} amount={till.money(amount)} />
            ))}
          </tfoot>
        )}
      </table>
    </Overlay>
  )
}

const Row = ({ name, amount, className }: { name: string; amount: string; className?: string }) => (
  <tr className={className}>
    <td colSpan={2}>{name}</td>
    <td>{amount}</td>
  </tr>
)

/** What goes back of a closed receipt, by a receipt of its own. */
function Refund({ id, onClose }: { id: number; onClose: () => void }) {
  const till = useTill()
  const { data, error: unread, refetch } = useReceipt(id)
  const venue = till.place.venue.id
  const left = useQuery(liveQuery<One<LeftToRefund>>(venue, 'receipts', `/receipts/${id}/refund`))
  const error = unread ?? left.error
  const [counts, setCounts] = useState<Readonly<Record<number, number>>>({})
  const [withFee, setWithFee] = useState(true)
  const receipt = left.data && data?.data
  const { lines: leftLines = [], delivery_fee: hasFee = false, total: most = 0 } = left.data?.data ?? {}
  const countLeft = new Map(leftLines.map(({ id, count }) => [id, count]))
  const lines = (receipt?.receipt_products ?? []).flatMap((line) => {
    const count = countLeft.get(line.id)
    return count === undefined ? [] : [{ ...line, count, total: (line.total * count) / line.count }]
  })
  const backOf = ({ id, count }: Line) => Math.min(counts[id] ?? count, count)
  const isAll = lines.every((line) => backOf(line) === line.count)
  const fee = (hasFee && receipt?.delivery_fee) || 0
  const isNothing = lines.every((line) => backOf(line) === 0) && !(fee > 0 && withFee)
  const act = useAct(
    (waste: boolean, key) =>
      api.act<{ data: Receipt }>(
        'POST',
        `/receipts/${id}/refund`,
        {
          waste,
          // Without lines: all that is left of them, also after a refund of a part.
          ...(!isAll && {
            lines: lines.flatMap((line) => (backOf(line) > 0 ? [{ id: line.id, count: backOf(line) }] : [])),
          }),
          ...(fee > 0 && withFee && { delivery_fee: true }),
          ...(till.shift && { cash_shift_id: till.shift.id }),
        },
        { key, venue },
      ),
    () => till.refresh(),
  )
  if (act.data) {
    const { total, payment_methods = [] } = act.data.data
    return (
      <Overlay
        key="refunded"
        title={tillTexts.refunded}
        onClose={onClose}
        onSubmit={onClose}
        back={tillTexts.nextGuest}
      >
        <button type="submit" className="till-change" data-first>
          <span>{tillTexts.giveBack}</span>
          <b>{till.money(-total)}</b>
          <span>{payment_methods.map(({ name, amount }) => `${name} ${till.money(-amount)}`).join(' · ')}</span>
        </button>
      </Overlay>
    )
  }
  // The server shares charges and taxes to the last cent; of a part this is nearly what it will be.
  const goods = sum(...lines.map(({ total }) => total))
  const back = sum(...lines.map((line) => (scaled(line.total) * backOf(line)) / line.count / 10_000))
  const isWhole = isAll && (withFee || fee === 0)
  const part = goods === 0 ? 0 : rounded(((most - fee) * back) / goods, till.places)
  const amount = isWhole ? most : part + (withFee ? fee : 0)
  const button = (waste: boolean, name: string) => (
    <button
      type="button"
      className="till-key danger large"
      disabled={!till.online || !receipt || isNothing || act.isPending}
      onClick={() => act.mutate(waste)}
    >
      {name}
    </button>
  )
  return (
    <Overlay
      key="refund"
      title={tillTexts.refundTitle(receipt?.number ?? 0)}
      onClose={onClose}
      action={
        <>
          {button(false, tillTexts.refundStock)}
          {button(true, tillTexts.refundWaste)}
        </>
      }
    >
      {error && <Failure error={error} again={() => void Promise.all([refetch(), left.refetch()])} />}
      {receipt && <p>{lines.length === 0 && fee === 0 ? tillTexts.nothingToRefund : tillTexts.refundLead}</p>}
      <div className="till-choices one-column">
        {lines.map((line) => (
          <div key={line.id} className="till-choice-many">
            <label className="till-choice">
              <input
                type="checkbox"
                checked={backOf(line) > 0}
                onChange={({ currentTarget }) =>
                  setCounts({ ...counts, [line.id]: currentTarget.checked ? line.count : 0 })
                }
              />
              <span>
                {line.count > 1 && `${line.count} × `}
                {line.name}
              </span>
              <b>{till.money(rounded(line.total, till.places))}</b>
            </label>
            {line.count > 1 && Number.isInteger(line.count) && (
              <Stepper
                label={`${tillTexts.count}: ${line.name}`}
                value={backOf(line)}
                min={0}
                max={line.count}
                onChange={(count) => setCounts({ ...counts, [line.id]: count })}
              />
            )}
          </div>
        ))}
        {fee > 0 && (
          <label className="till-choice">
            <input
              type="checkbox"
              checked={withFee}
              onChange={({ currentTarget }) => setWithFee(currentTarget.checked)}
            />
            <span>{tillTexts.fee}</span>
            <b>{till.money(fee)}</b>
          </label>
        )}
      </div>
      {receipt && (
        <p className="till-refund-amount">
          {tillTexts.giveBack} <b>{`${isWhole ? '' : '≈ '}${till.money(amount)}`}</b>
        </p>
      )}
      <div className="till-problem" role="alert">
        {act.error ? <Sentence of={act.error} /> : till.online ? '' : tillTexts.waitForServer}
      </div>
    </Overlay>
  )
}
