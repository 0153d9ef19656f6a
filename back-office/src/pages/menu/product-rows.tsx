import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { MenuItem } from '../../../../server/src/back-office/menu/overview.ts'
import type { Problem } from '../../../../server/src/menu/problems/find.ts'
import { queries } from '../../api.ts'
import { amount } from '../../components/data/data-cells.tsx'
import { tellFailure } from '../../components/tell.ts'
import { DecimalInput } from '../../forms/inputs/decimal.tsx'
import { AskBeforeLeaving } from '../../forms/leaving.tsx'
import { menuTexts } from '../../texts/screens/menu.ts'
import { mediaHref } from './media.ts'
import { menuOverview, put } from './menu-data.ts'
import { moveProduct, type ProductMove } from './order.ts'
import type { PriceChange } from './price-review.tsx'
import { Badges } from './problems/badges.tsx'

const PriceReview = lazy(() => import('./price-review.tsx').then((module) => ({ default: module.PriceReview })))

const words = menuTexts
const ROW_PX = 56
const NONE: readonly Problem[] = []

/** What is not sold has a cost in place of a price. */
const isUsed = ({ type }: MenuItem) => type === 'INGREDIENT' || type === 'PREPARATION'
const costOf = ({ cost_price, unit }: MenuItem) =>
  cost_price === undefined ? words.parts.noCost : unit ? `${amount(cost_price)} / ${unit}` : amount(cost_price)

const AROUND = 8 // rows that are there above and below what is seen

/** A long list of which only what is seen is in the page; prices are typed in it, and saved together. */
export function ProductRows({
  items,
  problems,
  movable,
  category,
}: {
  items: readonly MenuItem[]
  /** By product. */
  problems: ReadonlyMap<number, readonly Problem[]>
  /** Whether it is a whole category, so that its order can be changed. */
  movable: boolean
  category: number | undefined
}) {
  const client = useQueryClient()
  const { data: me } = useSuspenseQuery(queries.me)
  const brand = me.kind === 'user' ? me.brand.slug : ''
  const box = useRef<HTMLUListElement>(null)
  const [seen, setSeen] = useState({ top: 0, height: 800 })
  const [typed, setTyped] = useState<ReadonlyMap<number, number | string | null>>(new Map())
  const [round, setRound] = useState(0)
  const [isReviewing, review] = useState(false)
  const [over, setOver] = useState<number>()
  useEffect(() => {
    const element = box.current!
    const look = () => setSeen({ top: element.scrollTop, height: element.clientHeight })
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const order = useMutation({
    mutationFn: (moves: readonly ProductMove[]) => put('/menu-editor/order', { products: moves }, crypto.randomUUID()),
    onError: (error: Error) => tellFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: menuOverview.queryKey }),
  })
  const move = (from: number, to: number) => {
    const moves = moveProduct(items, category, from, to)
    if (movable && moves.length > 0 && !order.isPending) order.mutate(moves)
  }
  const first = Math.max(0, Math.floor(seen.top / ROW_PX) - AROUND)
  const last = Math.min(items.length, Math.ceil((seen.top + seen.height) / ROW_PX) + AROUND)
  const changes: PriceChange[] = [...typed].flatMap(([id, to]) => {
    const item = items.find((each) => each.id === id)
    return item && (item.price ?? null) !== to ? [{ id, name: item.name, from: item.price, to }] : []
  })
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (!step) return
    event.preventDefault()
    move(index, index + step)
  }
  return (
    <div>
      <p className="quiet">{movable ? words.movable(items.length) : words.count(items.length)}</p>
      <div className="card">
        <ul
          ref={box}
          className="menu-list"
          style={{ height: `min(70dvh, 60rem, ${items.length * ROW_PX}px)` }}
          aria-label={words.products}
          onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
            setSeen({ top: scrollTop, height: clientHeight })
          }
        >
          <li aria-hidden style={{ height: items.length * ROW_PX, listStyle: 'none' }} />
          {items.slice(first, last).map((item, offset) => {
            const index = first + offset
            return (
              <li
                key={item.id}
                className="menu-row"
                style={{ top: index * ROW_PX }}
                draggable={movable}
                data-over={over === item.id}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                onDragStart={(event) => event.dataTransfer.setData('text/x-product', String(index))}
                onDragOver={(event) => {
                  if (!movable || !event.dataTransfer.types.includes('text/x-product')) return
                  event.preventDefault()
                  setOver(item.id)
                }}
                onDragLeave={() => setOver(undefined)}
                onDrop={(event) => {
                  setOver(undefined)
                  const from = event.dataTransfer.getData('text/x-product')
                  if (from !== '') move(Number(from), index)
                }}
              >
                {item.image ? (
                  <img src={mediaHref(brand, item.image)} alt="" width={40} height={40} loading="lazy" />
                ) : (
                  <span className="no-picture" aria-hidden />
                )}
                <Link
                  to="/menu/products/$product"
                  params={{ product: String(item.id) }}
                  className={item.active ? 'name' : 'name menu-off'}
                  onKeyDown={(event) => onKeyDown(event, index)}
                >
                  {item.name}
                </Link>
                <span className="badges">
                  <Badges item={item} problems={problems.get(item.id) ?? NONE} />
                </span>
                {item.sizes.length > 0 ? (
                  <span className="sizes">{words.sizesOf(item.sizes.length)}</span>
                ) : item.open_price ? (
                  <span className="sizes">{words.openPrice}</span>
                ) : isUsed(item) ? (
                  <span className="sizes">{costOf(item)}</span>
                ) : (
                  <DecimalInput
                    key={`${item.id} ${round}`}
                    className="price"
                    isPrice
                    aria-label={words.priceOf(item.name)}
                    value={typed.has(item.id) ? typed.get(item.id) : item.price}
                    onChange={(price) => setTyped((all) => new Map(all).set(item.id, price))}
                  />
                )}
                <span className="acts">
                  {movable && (
                    <>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={words.parts.up(item.name)}
                        disabled={index === 0}
                        onClick={() => move(index, index - 1)}
                      >
                        <IconArrowUp size={16} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={words.parts.down(item.name)}
                        disabled={index === items.length - 1}
                        onClick={() => move(index, index + 1)}
                      >
                        <IconArrowDown size={16} />
                      </ActionIcon>
                    </>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
      </div>
      <AskBeforeLeaving unsaved={changes.length > 0} />
      {changes.length > 0 && (
        <div className="menu-changed" role="status">
          <span>{words.pricesChanged(changes.length)}</span>
          <Button
            variant="default"
            onClick={() => {
              setTyped(new Map())
              setRound(round + 1)
            }}
          >
            {words.discard}
          </Button>
          <Button onClick={() => review(true)}>{words.review}</Button>
        </div>
      )}
      {isReviewing && (
        <Suspense>
          <PriceReview
            changes={changes}
            onSaved={() => {
              setTyped(new Map())
              setRound(round + 1)
            }}
            onClose={() => review(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
