import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Order } from '../../../../server/src/resources/orders.ts'
import { api } from '../../api.ts'
import { sentence } from '../../components/layout/states.tsx'
import { liveQuery } from '../../live/use-live.ts'
import { texts } from '../../texts/texts.ts'
import { Overlay } from './overlays/overlay.tsx'
import { type Receipt, titleOf } from './receipt.ts'
import { useRinging } from './sound.ts'
import { useTill } from './use-till.ts'

/** Now, again every so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

const PENDING = '/read/orders?limit=50&filters=[["status","PENDING"]]'

/** The orders that wait for somebody, the oldest first. */
export function useIncoming(venue: number, enabled: boolean): Order[] {
  const { data } = useQuery({ ...liveQuery<{ data: Order[] }>(venue, 'orders', PENDING), enabled })
  return data?.data.toReversed() ?? []
}

/** Incoming orders, which ring until they are looked at. */
export function Orders({ orders, sound, onTake }: { orders: Order[]; sound: boolean; onTake: () => void }) {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  useRinging(sound && orders.some(({ id }) => !seen.has(id)))
  return (
    <section className="till-orders" aria-label={texts.till.orders}>
      <h2>
        {texts.till.orders} <span className="till-number">{orders.length}</span>
      </h2>
      {orders.length === 0 && <p className="till-quiet">{texts.till.noOrders}</p>}
      <ul>
        {orders.map((order) => (
          <li key={order.id}>
            <Incoming
              order={order}
              isSeen={seen.has(order.id)}
              onSeen={() => setSeen(new Set([...seen, order.id]))}
              onTake={onTake}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Incoming({
  order,
  isSeen,
  onSeen,
  onTake,
}: {
  order: Order
  isSeen: boolean
  onSeen: () => void
  onTake: () => void
}) {
  const till = useTill()
  const now = useNow(1000)
  const [isRefusing, setRefusing] = useState(false)
  // Made once for this order: a second tap, or one after a lost answer, decides nothing twice.
  const [keys] = useState(() => ({ accept: crypto.randomUUID(), refuse: crypto.randomUUID() }))
  const venue = till.place.venue.id
  const decide = useMutation({
    mutationFn: (reason: string | undefined) =>
      api.act<{ data: Order }>(
        'POST',
        `/orders/${order.id}/${reason === undefined ? 'accept' : 'refuse'}`,
        reason === undefined ? {} : { reason },
        { key: reason === undefined ? keys.accept : keys.refuse, venue },
      ),
    networkMode: 'always',
    onSettled: () => till.refresh(),
    async onSuccess({ data }) {
      if (!data.receipt_id) return
      const path = `/read/receipts/${data.receipt_id}`
      const { data: receipt } = await api.readInVenue<{ data: Receipt }>(path, venue)
      till.take(receipt)
      onTake()
    },
  })
  const left = order.expires_at ? Math.max(0, Math.floor((Date.parse(order.expires_at) - now) / 1000)) : undefined
  const isAllowed = till.rights('orders:accept')
  return (
    <article className={isSeen ? 'till-order' : 'till-order unseen'}>
      <button type="button" className="till-order-head" onClick={onSeen} aria-expanded={isSeen}>
        <b>{order.order_number ?? `#${order.id}`}</b>
        <span>{order.customer?.name ?? order.integrator}</span>
        <b>{till.money(order.total)}</b>
        {left !== undefined && (
          <span className={left < 120 ? 'till-time short' : 'till-time'}>
            {texts.till.timeLeft} <b>{left === 0 ? texts.till.expired : clock(left)}</b>
          </span>
        )}
        {order.price_differs && <span className="till-mark warn">{texts.till.priceDiffers}</span>}
      </button>
      <ul className="till-order-lines">
        {order.products.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of an order never change
          <li key={index}>
            <b>{line.count} ×</b> {line.product_name}
            {till.left.get(line.product_id) === 0 && <span className="till-mark warn">{texts.till.soldOut}</span>}
            {line.modifiers.map(({ modifier_name }) => modifier_name).join(', ') && (
              <small>{line.modifiers.map(({ modifier_name }) => modifier_name).join(', ')}</small>
            )}
            {line.note && <small className="till-note">{line.note}</small>}
          </li>
        ))}
        {order.comment && <li className="till-note">{order.comment}</li>}
      </ul>
      {decide.error && (
        <p role="alert" className="till-refused">
          {sentence(decide.error)}
        </p>
      )}
      <div className="till-order-buttons">
        <button
          type="button"
          className="till-key danger"
          disabled={!isAllowed || decide.isPending || !till.online}
          onClick={() => {
            onSeen()
            setRefusing(true)
          }}
        >
          {texts.till.refuse}
        </button>
        <button
          type="button"
          className="till-key primary"
          disabled={!isAllowed || decide.isPending || left === 0 || !till.online}
          onClick={() => {
            onSeen()
            decide.mutate(undefined)
          }}
        >
          {texts.till.accept}
        </button>
      </div>
      {isRefusing && (
        <Overlay title={texts.till.refuseWhy} onClose={() => setRefusing(false)}>
          <div className="till-reasons">
            {texts.till.reasons.map((reason) => (
              <button
                key={reason}
                type="button"
                className="till-key large"
                onClick={() => {
                  setRefusing(false)
                  decide.mutate(reason)
                }}
              >
                {reason}
              </button>
            ))}
          </div>
        </Overlay>
      )}
    </article>
  )
}

const clock = (seconds: number) =>
  seconds >= 3600
    ? texts.till.minutes(Math.floor(seconds / 60))
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Open receipts, the newest first. */
export function OpenReceipts({ onTake }: { onTake: () => void }) {
  const till = useTill()
  const now = useNow(20_000)
  const rows = till.open.data?.data ?? []
  return (
    <section className="till-open" aria-label={texts.till.receipts}>
      <h2>
        {texts.till.receipts} <span className="till-number">{rows.length}</span>
      </h2>
      {rows.length === 0 && <p className="till-quiet">{texts.till.noReceipts}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className="till-receipt"
              aria-current={row.cid === till.hand?.cid}
              onClick={() => {
                till.take(row)
                onTake()
              }}
            >
              <b>{titleOf(row, till.tableNames)}</b>
              <span>{texts.till.minutes(Math.max(0, Math.floor((now - Date.parse(row.created_at)) / 60_000)))}</span>
              <b className="till-amount">{till.money(row.remaining)}</b>
              <small>
                #{row.number} · {till.saleTypes.find(({ id }) => id === row.sale_type_id)?.name}
              </small>
              <small className="till-amount">{texts.till.unpaid}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
