import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customer } from '../../../../../server/src/resources/people/customer-schema.ts'
import { type DiscountType, UNDISCOUNTED } from '../../../../../server/src/values/states.ts'
import { liveQuery } from '../../../live/use-live.ts'
import { useNow } from '../../../live/use-now.ts'
import { History } from '../../../service/history.tsx'
import { serviceTexts } from '../../../texts/screens/service.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { minutesSince } from '../left/open-receipts.tsx'
import { readAmount } from '../money.ts'
import { type Bill, type Receipt, type ReceiptChange, takenTables } from '../receipt.ts'
import { newestRound, repeated } from '../round.ts'
import { useTill } from '../use-till.ts'
import { Overlay, Stepper } from './overlay.tsx'

export function useCustomerName(id: number | undefined): string | undefined {
  const { place, rights } = useTill()
  const query = liveQuery<{ data: Customer }>(place.venue.id, 'customers', `/read/customers/${id}`)
  return useQuery({ ...query, enabled: Boolean(id) && rights('customers:read') }).data?.data.name
}

/** What belongs to the whole receipt: sale type, table, guests, customer, discount. Of a locked one only its end. */
export function Details({ bill, onClose, onCancel }: { bill: Bill; onClose: () => void; onCancel: () => void }) {
  const till = useTill()
  const [first] = useState(bill) // what is changed here, and nothing that another till changed meanwhile
  const [saleType, setSaleType] = useState(bill.sale_type_id ?? 0)
  const [table, setTable] = useState(bill.table_id ?? 0)
  const [guests, setGuests] = useState(bill.guests ?? 0)
  const [waiter, setWaiter] = useState(bill.user_id ?? 0)
  const [soldOut, setSoldOut] = useState<readonly string[]>([])
  const [isHistory, showHistory] = useState(false)
  const [customer, setCustomer] = useState(bill.customer_id ?? 0)
  const [discount, setDiscount] = useState(discountOf(bill))
  const value = discount.type === UNDISCOUNTED ? 0 : readAmount(discount.value)
  const taken = takenTables(till.onTables(), bill.cid)
  const [asksFor, setAsksFor] = useState<number>() // a table that is taken
  const save = (isSecond = false) => {
    if (value === undefined) return
    if (!isSecond && table !== (first.table_id ?? 0) && taken.has(table)) return setAsksFor(table)
    const isOther = discount.type !== first.discount_type || value !== first.discount_value
    const change: ReceiptChange = {
      ...(saleType !== first.sale_type_id && { sale_type_id: saleType }),
      ...(table !== (first.table_id ?? 0) && { table_id: table }),
      ...(guests !== (first.guests ?? 0) && { guests }),
      ...(waiter !== (first.user_id ?? 0) && { user_id: waiter }),
      ...(customer !== (first.customer_id ?? 0) && { customer_id: customer }),
      ...(isOther && { discount: { discount_type: discount.type, discount_value: value } }),
    }
    if (Object.keys(change).length > 0) till.change(change)
    onClose()
  }
  if (asksFor !== undefined)
    return (
      <TakenTable
        name={till.tableNames.get(asksFor) ?? ''}
        receipts={taken.get(asksFor) ?? []}
        onBack={() => setAsksFor(undefined)}
        onSecond={() => save(true)}
        onTake={(receipt) => {
          if (receipt.id > 0) till.take(receipt)
          else till.takeKept(receipt.cid)
          onClose()
        }}
      />
    )
  if (isHistory)
    return (
      <Overlay key="history" title={serviceTexts.history} onClose={() => showHistory(false)}>
        <History id={bill.id} venue={till.place.venue.id} money={till.money} lines={bill.lines} />
      </Overlay>
    )
  const repeat = () => {
    const round = repeated(bill.lines, till.items.data ?? [], till.left, till.places)
    for (const { item, line } of round.lines) till.add(item, line)
    if (round.soldOut.length > 0) setSoldOut(round.soldOut)
    else onClose()
  }
  return (
    <Overlay
      key="details"
      title={tillTexts.details}
      onClose={onClose}
      onSubmit={() => save()}
      action={
        <>
          {till.canAsk('receipts:cancel') && (
            <button type="button" className="till-key danger large" onClick={onCancel}>
              {tillTexts.cancelReceipt}
            </button>
          )}
          <button
            type="button"
            className="till-key large"
            disabled={bill.id === 0 || !till.online || !till.rights('receipts:read')}
            onClick={() => showHistory(true)}
          >
            {serviceTexts.history}
          </button>
          <button
            type="button"
            className="till-key large"
            disabled={bill.lock || newestRound(bill.lines).length === 0}
            onClick={repeat}
          >
            {serviceTexts.repeat}
          </button>
          <button type="submit" className="till-key primary large" disabled={value === undefined}>
            {tillTexts.save} <kbd>Enter</kbd>
          </button>
        </>
      }
    >
      <p role="status">{soldOut.length > 0 && serviceTexts.repeatSoldOut(soldOut.join(', '))}</p>
      {bill.lock && <p>{tillTexts.locked}</p>}
      <div className="till-fields">
        <label className="till-field grow">
          <span>{tillTexts.table}</span>
          <select value={table} onChange={({ currentTarget }) => setTable(Number(currentTarget.value))} data-first>
            <option value={0}>{tillTexts.noTable}</option>
            {till.tables.map(({ id, name, hall }) => (
              <option key={id} value={id}>
                {hall ? `${name} · ${hall}` : name}
                {taken.has(id) && ` · ${tillTexts.taken(receiptsIn(taken.get(id)!))}`}
              </option>
            ))}
          </select>
        </label>
        {!till.isDraft && waiter > 0 && (
          <label className="till-field grow">
            <span>{serviceTexts.waiter}</span>
            <select value={waiter} onChange={({ currentTarget }) => setWaiter(Number(currentTarget.value))}>
              {till.people.map(
                ({ id, name, active }) =>
                  (active || id === bill.user_id) && (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ),
              )}
            </select>
          </label>
        )}
      </div>
      <fieldset disabled={bill.lock}>
        <fieldset>
          <legend>{tillTexts.saleType}</legend>
          <div className="till-choices">
            {till.saleTypes.map(({ id, name }) => (
              <label key={id} className="till-choice">
                <input type="radio" name="sale-type" checked={saleType === id} onChange={() => setSaleType(id)} />
                <span>{name}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="till-fields">
          <div className="till-field">
            <span>{tillTexts.guests}</span>
            <Stepper label={tillTexts.guests} value={guests} onChange={setGuests} min={0} max={500} />
          </div>
          <div className="till-field grow">
            <span>{serviceTexts.guestsQuick}</span>
            <div className="till-presets">
              {QUICK_GUESTS.map((count) => (
                <button
                  key={count}
                  type="button"
                  className="till-key"
                  aria-pressed={guests === count}
                  onClick={() => setGuests(count)}
                >
                  {count}
                </button>
              ))}
            </div>
          </div>
        </div>
        {till.rights('customers:read') && <CustomerField id={customer} onChange={setCustomer} />}
        {till.canAsk('receipts:discount') && (
          <DiscountField discount={discount} onChange={setDiscount} isWrong={value === undefined} />
        )}
      </fieldset>
    </Overlay>
  )
}

/** T24: one tap is enough for most tables. */
export const QUICK_GUESTS = Array.from({ length: 20 }, (_, index) => index + 1)

/** One that was begun without the server has no number yet. */
const numberOf = ({ number }: Receipt) => (number === undefined ? tillTexts.unopened : `#${number}`)
const receiptsIn = (receipts: readonly Receipt[]) => receipts.map(numberOf).join(', ')

/** Asks before a second receipt is opened on a table: mostly the first one is meant. */
function TakenTable({
  name,
  receipts,
  onBack,
  onSecond,
  onTake,
}: {
  name: string
  receipts: readonly Receipt[]
  onBack: () => void
  onSecond: () => void
  onTake: (receipt: Receipt) => void
}) {
  const till = useTill()
  const now = useNow(20_000)
  return (
    <Overlay
      key="taken"
      title={tillTexts.takenTitle(name)}
      onClose={onBack}
      action={
        <button type="button" className="till-key large" onClick={onSecond}>
          {tillTexts.secondReceipt(name)}
        </button>
      }
    >
      <p>{tillTexts.takenLead}</p>
      <div className="till-choices one-column">
        {receipts.map((receipt, index) => (
          <button
            key={receipt.cid}
            type="button"
            className="till-key primary large"
            onClick={() => onTake(receipt)}
            data-first={index === 0 || undefined}
          >
            {tillTexts.openThat(numberOf(receipt))} · {till.money(receipt.remaining)}
            {receipt.created_at && ` · ${minutesSince(receipt.created_at, now)}`}
          </button>
        ))}
      </div>
    </Overlay>
  )
}

export interface Discount {
  readonly type: DiscountType
  readonly value: string
}

export const discountOf = ({
  discount_type,
  discount_value,
}: {
  discount_type: DiscountType
  discount_value: number
}): Discount => ({
  type: discount_type,
  value: discount_type === UNDISCOUNTED ? '' : String(discount_value),
})

/** None, a percentage or an amount. */
export function DiscountField({
  discount,
  onChange,
  isWrong,
}: {
  discount: Discount
  onChange: (discount: Discount) => void
  isWrong: boolean
}) {
  const types = [tillTexts.noDiscount, tillTexts.percent, tillTexts.amount]
  return (
    <fieldset>
      <legend>{tillTexts.discount}</legend>
      <div className="till-choices">
        {types.map((name, type) => (
          <label key={name} className="till-choice">
            <input
              type="radio"
              name="discount"
              checked={discount.type === type}
              onChange={() => onChange({ type: type as Discount['type'], value: discount.value || '10' })}
            />
            <span>{name}</span>
          </label>
        ))}
        <label className="till-field">
          <span>{tillTexts.value}</span>
          <input
            inputMode="decimal"
            value={discount.type === UNDISCOUNTED ? '' : discount.value}
            disabled={discount.type === UNDISCOUNTED}
            aria-invalid={isWrong}
            onChange={({ currentTarget }) => onChange({ ...discount, value: currentTarget.value })}
          />
        </label>
      </div>
    </fieldset>
  )
}

function CustomerField({ id, onChange }: { id: number; onChange: (id: number) => void }) {
  const till = useTill()
  const [search, setSearch] = useState('')
  const name = useCustomerName(id || undefined)
  const text = search.trim()
  const member = /^[+\d][\d\s().-]*$/.test(text) ? 'phone' : 'name'
  const filters = encodeURIComponent(JSON.stringify([[member, 'like', text]]))
  const found = useQuery({
    ...liveQuery<{ data: Customer[] }>(till.place.venue.id, 'customers', `/read/customers?limit=6&filters=${filters}`),
    enabled: text.length > 1,
  })
  return (
    <fieldset>
      <legend>
        {tillTexts.customer} <small>{id ? (name ?? '…') : tillTexts.noCustomer}</small>
      </legend>
      <div className="till-fields">
        <label className="till-field grow">
          <span>{tillTexts.findCustomer}</span>
          <input
            type="search"
            autoComplete="off"
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            onKeyDown={(event) => {
              const [first] = found.data?.data ?? []
              if (event.key !== 'Enter' || text.length < 2) return
              event.preventDefault() // it takes the first found, and does not save yet
              if (!first) return
              onChange(Number(first.id))
              setSearch('')
            }}
          />
        </label>
        <button type="button" className="till-key" disabled={!id} onClick={() => onChange(0)}>
          {tillTexts.removeCustomer}
        </button>
      </div>
      <div className="till-choices">
        {text.length > 1 &&
          found.data?.data.map((each) => (
            <button
              key={each.id}
              type="button"
              className="till-key"
              onClick={() => {
                onChange(Number(each.id))
                setSearch('')
              }}
            >
              {each.name} <small>{each.phone}</small>
            </button>
          ))}
      </div>
    </fieldset>
  )
}
