import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { NamedEntry } from '../../../../server/src/resources/menu/stop-list.ts'
import { queries } from '../../api.ts'
import { refusalSentence } from '../../components/refusal.tsx'
import type { Act, Kept } from '../../live/outbox/outbox.ts'
import { liveQuery } from '../../live/use-live.ts'
import { may } from '../../me.ts'
import { kitchenTexts } from '../../texts/screens/kitchen.ts'
import { Taps } from './taps.ts'
import { dishesOf, shown, type Ticket } from './tickets.ts'

const words = kitchenTexts

/** A dish was sold out, or is sold again. */
export interface StopAct {
  is: 'stop'
  product: number
  soldOut: boolean
}

/** The same dish added up over all tickets that wait. A tap on it shows the button that says that there is no more of it. */
export function ToMake({
  venue,
  tickets,
  acts,
  onAct,
  onDismiss,
}: {
  venue: number
  tickets: readonly Ticket[]
  acts: readonly Kept[]
  onAct: (act: Act<StopAct>) => void
  onDismiss: (key: string) => void
}) {
  const { data: me } = useSuspenseQuery(queries.me)
  const { data } = useQuery({
    ...liveQuery<{ data: NamedEntry[] }>(venue, 'stop-list', '/stop-list'),
    enabled: may(me, 'products:read'),
  })
  const mayStop = may(me, 'stop-list:write')
  const actsOf = (product: number) =>
    acts.filter(({ about }) => (about as StopAct).is === 'stop' && (about as StopAct).product === product)
  const entryOf = (product: number) => data?.data.find(({ id, venue_id }) => id === product && venue_id === venue)
  // What undo brings back, where a dish had been counted before it was sold out.
  const before = useRef(new Map<number, NamedEntry>())
  const isSoldOut = (product: number) => {
    const ahead = actsOf(product).findLast(({ refused }) => !refused)
    if (ahead) return (ahead.about as StopAct).soldOut
    return entryOf(product)?.limit === 0
  }
  const [taps] = useState(() => new Taps())
  const toggle = (product: number) => {
    // The second tap of a wet finger would take the first one back.
    if (taps.isDouble(product)) return
    const soldOut = isSoldOut(product)
    const entry = entryOf(product)
    const counted = before.current.get(product)
    if (!soldOut && entry) before.current.set(product, entry)
    if (soldOut) before.current.delete(product)
    const body = soldOut ? counted && { limit: counted.limit, until: counted.until } : { limit: 0 }
    onAct({
      key: crypto.randomUUID(),
      venue,
      chain: `stop ${product}`,
      path: `/stop-list/${product}`,
      ...(body ? { method: 'PUT', body } : { method: 'DELETE' }),
      about: { is: 'stop', product, soldOut: !soldOut },
    })
  }
  const dishes = dishesOf(tickets)
  const [opened, open] = useState<number>()
  return (
    <aside className="to-make" aria-label={words.toMake}>
      <h2>{words.toMake}</h2>
      {dishes.length === 0 && <p>{words.toMakeNone}</p>}
      <ul>
        {dishes.map((dish) => {
          const refused = actsOf(dish.product_id).find((act) => act.refused)
          const isOpen = opened === dish.product_id
          const isOut = isSoldOut(dish.product_id)
          const name = (
            <>
              <strong>{shown(dish.count)}</strong> × {dish.name}
            </>
          )
          return (
            <li key={dish.product_id}>
              {mayStop ? (
                <button
                  type="button"
                  className="to-make-name"
                  aria-expanded={isOpen || isOut}
                  onClick={() => open(isOpen ? undefined : dish.product_id)}
                >
                  {name}
                </button>
              ) : (
                <span className="to-make-name">{name}</span>
              )}
              {mayStop && (isOpen || isOut) && (
                <StopButton name={dish.name} soldOut={isOut} onClick={() => toggle(dish.product_id)} />
              )}
              {refused?.refused && (
                <button type="button" className="kitchen-button refused" onClick={() => onDismiss(refused.key)}>
                  {refusalSentence(refused.refused)} {words.dismiss}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </aside>
  )
}

/** Sold out, and the way back, in the same place. */
const StopButton = ({ name, soldOut, onClick }: { name: string; soldOut: boolean; onClick: () => void }) => (
  <button
    type="button"
    className="kitchen-button"
    data-sold-out={soldOut || undefined}
    aria-label={soldOut ? words.sellAgainOf(name) : words.soldOutOf(name)}
    onClick={onClick}
  >
    {soldOut ? words.sellAgain : words.soldOut}
  </button>
)
