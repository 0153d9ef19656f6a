import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Order } from '../../../../../server/src/resources/sales/orders.ts'
import { PERCENT_OFF, UNDISCOUNTED } from '../../../../../server/src/values/states.ts'
import { api } from '../../../api.ts'
import { Sentence } from '../../../components/refusal.tsx'
import { useRinging } from '../../../live/ringing.ts'
import { liveQuery } from '../../../live/use-live.ts'
import { useNow } from '../../../live/use-now.ts'
import { inZone } from '../../../texts/clock.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import type { Item } from '../menu.ts'
import { scaled } from '../money.ts'
import { Overlay } from '../overlays/overlay.tsx'
import type { Receipt } from '../receipt.ts'
import { menuQuery } from '../state/use-menu.ts'
import { type TillState, useTill } from '../use-till.ts'

const instant = inZone({ dateStyle: 'short', timeStyle: 'short' })
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
    <section className="till-orders" aria-label={tillTexts.orders}>
      <h2>
        {tillTexts.orders} <span className="till-number">{orders.length}</span>
      </h2>
      {orders.length === 0 && <p className="till-quiet">{tillTexts.noOrders}</p>}
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
    onMutate: () => till.atHand(),
    onSettled: () => till.refresh(),
    async onSuccess({ data }, _, before) {
      if (!data.receipt_id) return
      const path = `/read/receipts/${data.receipt_id}`
      const { data: receipt } = await api.readInVenue<{ data: Receipt }>(path, venue)
      if (till.atHand() !== before) return
      till.take(receipt)
      onTake()
    },
  })
  const menu = useQuery({ ...menuQuery(venue, order.sale_type_id), enabled: order.price_differs }).data
  const ours = useMemo(() => pricesOf(menu ?? []), [menu])
  const left = order.expires_at ? Math.max(0, Math.floor((Date.parse(order.expires_at) - now) / 1000)) : undefined
  const isAllowed = till.rights('orders:accept')
  const facts = [
    till.saleTypes.find(({ id }) => id === order.sale_type_id)?.name,
    order.scheduled_at && tillTexts.wantedAt(instant(order.scheduled_at)),
    order.table_id && till.tableNames.get(order.table_id),
    order.customer?.phone,
    order.customer?.address,
  ].filter(Boolean)
  const terms = order.price_differs ? otherTerms(order, till) : []
  return (
    <article className={isSeen ? 'till-order' : 'till-order unseen'}>
      <button type="button" className="till-order-head" onClick={onSeen} aria-expanded={isSeen}>
        <b>{order.order_number ?? `#${order.id}`}</b>
        <span>{order.customer?.name ?? order.integrator}</span>
        <b>{till.money(order.total)}</b>
        {left !== undefined && (
          <span className={left < 120 ? 'till-time short' : 'till-time'}>
            {tillTexts.timeLeft} <b>{left === 0 ? tillTexts.expired : clock(left)}</b>
          </span>
        )}
        {order.price_differs && <span className="till-mark warn">{tillTexts.priceDiffers}</span>}
      </button>
      <ul className="till-order-lines">
        {order.products.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of an order never change
          <li key={index}>
            <b>{line.count} ×</b> {line.product_name}{' '}
            {line.portion_size !== 1 && (
              <span className="till-mark warn">{tillTexts.ofPortion(line.portion_size)}</span>
            )}
            {till.left.get(line.product_id) === 0 && <span className="till-mark warn">{tillTexts.soldOut}</span>}
            {line.open_price && (
              <span className="till-mark warn">
                {tillTexts.openPrice} {till.money(line.price)}
              </span>
            )}
            <OtherPrice sent={line.price} ours={ours.get(line.product_id)} />
            {line.modifiers.map(({ modifier_id, modifier_name, count, price }) => (
              <small key={modifier_id}>
                {count > 1 && `${count} × `}
                {modifier_name} <OtherPrice sent={price} ours={ours.get(-modifier_id)} />
              </small>
            ))}
            {line.note && <small className="till-note">{line.note}</small>}
          </li>
        ))}
        {terms.map((term) => (
          <li key={term}>
            <span className="till-mark warn">{term}</span>
          </li>
        ))}
        {facts.length > 0 && <li>{facts.join(' · ')}</li>}
        {order.comment && <li className="till-note">{order.comment}</li>}
      </ul>
      {decide.error && (
        <div role="alert" className="till-refused">
          <Sentence of={decide.error} />
        </div>
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
          {tillTexts.refuse}
        </button>
        <button
          type="button"
          className="till-key primary"
          disabled={!isAllowed || decide.isPending || !till.online}
          onClick={() => {
            onSeen()
            decide.mutate(undefined)
          }}
        >
          {tillTexts.accept}
        </button>
      </div>
      {isRefusing && (
        <Overlay title={tillTexts.refuseWhy} onClose={() => setRefusing(false)}>
          <div className="till-reasons">
            {tillTexts.reasons.map((reason) => (
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

/** What makes an order cheaper than ours apart from its prices: a discount, and less service than its sale type has. */
function otherTerms(
  { sale_type_id, discount, service_charge }: Order,
  { saleTypes, money }: Pick<TillState, 'saleTypes' | 'money'>,
): string[] {
  const { discount_type = 0, discount_value = 0 } = discount ?? {}
  const given = discount_type === PERCENT_OFF ? `${discount_value} %` : money(discount_value)
  const ours = saleTypes.find(({ id }) => id === sale_type_id)?.service_charge_rate ?? 0
  const charge = service_charge?.enabled === false ? 0 : (service_charge?.value ?? ours)
  return [
    ...(discount_type !== UNDISCOUNTED && discount_value > 0 ? [`${tillTexts.discount} ${given}`] : []),
    ...(charge < ours ? [tillTexts.otherService(charge, ours)] : []),
  ]
}

/** Our prices, null where there is none; no open ones: of products by their id, of modifiers by theirs below zero. */
const pricesOf = (items: readonly Item[]) =>
  new Map(
    items.flatMap(({ id, price, isOpenPrice, variants, groups }) => [
      ...(isOpenPrice ? [] : [{ id, price }, ...variants]).map((each) => [each.id, each.price ?? null] as const),
      ...groups.flatMap(({ modifiers }) => modifiers.map((each) => [-each.id, each.price] as const)),
    ]),
  )

/** Where an order brings another price than ours. */
function OtherPrice({ sent, ours }: { sent: number; ours: number | null | undefined }) {
  const { money } = useTill()
  if (ours === undefined || (ours !== null && scaled(ours) === scaled(sent))) return null
  const shown = ours === null ? tillTexts.noPrice : money(ours)
  return <span className="till-mark warn">{tillTexts.otherPrice(money(sent), shown)}</span>
}

const clock = (seconds: number) =>
  seconds >= 3600
    ? tillTexts.minutes(Math.floor(seconds / 60))
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
