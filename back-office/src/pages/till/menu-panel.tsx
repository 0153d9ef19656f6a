import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo } from 'react'
import { OPEN } from '../../../../server/src/values/states.ts'
import { tillTexts } from '../../texts/screens/till.ts'
import { useStored } from '../../use-stored.ts'
import { canBePriced, type Item, isSimple, type Missing, priceShown, readSearch, sellingCategories } from './menu.ts'
import { newLine } from './receipt.ts'
import { useTill } from './use-till.ts'

/** Categories that stay, products as a grid, and a search that also takes the count. */
export function MenuPanel({
  head,
  searchRef,
  onChoose,
}: {
  /** What stands above it. */
  head: ReactNode
  searchRef: RefObject<HTMLInputElement | null>
  onChoose: (item: Item, count: number | undefined, variant: number | undefined) => void
}) {
  const till = useTill()
  const [typed = '', setTyped] = useStored<string>(`comptoir-till-search-${till.place.venue.id}`)
  const [chosen = 'all', setCategory] = useStored<number | 'all'>('comptoir-till-category', localStorage)
  const [hasPictures = true, showPictures] = useStored<boolean>('comptoir-till-pictures', localStorage)
  const all = useMemo(() => till.items.data ?? [], [till.items.data])
  const categories = useMemo(() => sellingCategories(till.categories, all), [till.categories, all])
  const colors = useMemo(
    () => new Map(categories.flatMap(({ id, color }) => (color === undefined ? [] : [[id, color] as const]))),
    [categories],
  )
  const popular = useMemo(() => {
    const byId = new Map(all.map((item) => [item.id, item]))
    return till.popular.flatMap((id) => byId.get(id) ?? [])
  }, [all, till.popular])
  // The tab that was open last; one that is gone shows everything.
  const isThere = chosen === POPULAR ? popular.length > 0 : categories.some(({ id }) => id === chosen)
  const category = isThere ? chosen : 'all'
  const { count, found, scanned } = useMemo(() => readSearch(typed, all), [typed, all])
  const isSearching = scanned !== undefined || found.length < all.length
  const shown =
    isSearching || category === 'all'
      ? found
      : category === POPULAR
        ? popular
        : found.filter(({ category_id }) => category_id === category)
  const isLocked = till.bill?.lock === true || (till.bill !== undefined && till.bill.status !== OPEN)
  const isSoldOut = ({ id, variants }: Item) =>
    till.left.get(id) === 0 || (variants.length > 0 && variants.every((each) => till.left.get(each.id) === 0))

  const canSell = (item: Item) => !isSoldOut(item) && canBePriced(item)

  const add = (item: Item, variant?: number) => {
    const price = priceShown(item)
    if (!canSell(item) || isLocked) return
    setTyped(undefined)
    if (price !== undefined && isSimple(item))
      till.add(item, newLine(item, { count: count ?? 1, price, places: till.places }))
    else onChoose(item, count, variant)
  }
  const first = shown.find(canSell)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      const variant = scanned?.item.variants.find(({ id }) => id === scanned.variant)
      if (isLocked || !first || !isSearching)
        searchRef.current?.select() // what is typed or scanned next takes its place
      else if (
        scanned &&
        variant?.price !== undefined &&
        isSimple({ ...scanned.item, variants: [] }) &&
        till.left.get(variant.id) !== 0
      ) {
        setTyped(undefined)
        const { id, price } = variant
        const line = newLine(scanned.item, { variant: id, count: count ?? 1, price, places: till.places })
        till.add(scanned.item, line)
      } else add(first, variant?.id)
    } else if (event.key === 'Escape') {
      setTyped(undefined)
      event.currentTarget instanceof HTMLElement && event.currentTarget.blur()
    }
  }
  return (
    <section className="till-menu" aria-label={tillTexts.products}>
      {head}
      <div className="till-search">
        <input
          ref={searchRef}
          type="search"
          enterKeyHint="done"
          autoComplete="off"
          aria-label={tillTexts.search}
          placeholder={tillTexts.searchHint}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value || undefined)}
          onKeyDown={onKeyDown}
        />
        {count !== undefined && <b className="till-count">{count} ×</b>}
      </div>
      <nav className="till-categories" aria-label={tillTexts.categories}>
        {[
          ...(popular.length > 0 ? [{ id: POPULAR, name: tillTexts.popular }] : []),
          { id: 'all' as const, name: tillTexts.all },
          ...categories,
        ].map(({ id, name }) => (
          <button
            key={id}
            type="button"
            aria-pressed={!isSearching && category === id}
            onClick={() => {
              setTyped(count === undefined ? undefined : String(count))
              setCategory(id)
            }}
          >
            {typeof id === 'number' && <Dot color={colors.get(id)} />}
            {name}
          </button>
        ))}
        {Object.keys(till.images).length > 0 && (
          <button
            type="button"
            aria-pressed={hasPictures}
            className="till-pictures"
            onClick={() => showPictures(!hasPictures)}
          >
            {tillTexts.pictures}
          </button>
        )}
      </nav>
      <div className="till-products">
        {shown.map((item) => {
          const left = till.left.get(item.id)
          const isOut = isSoldOut(item)
          const price = priceShown(item)
          return (
            <button
              key={item.id}
              type="button"
              className={isSearching && item === first ? 'till-product first' : 'till-product'}
              disabled={!canSell(item) || isLocked}
              onClick={() => add(item)}
            >
              {hasPictures && till.images[item.id] && (
                <img
                  src={`/media/${encodeURIComponent(till.me.brand.slug)}/${till.images[item.id]}`}
                  alt=""
                  width={48}
                  height={48}
                  loading="lazy"
                />
              )}
              <span>
                <Dot color={colors.get(item.category_id ?? 0)} />
                {item.name}
              </span>
              {price === undefined ? (
                <em>{item.isOpenPrice ? tillTexts.openPrice : tillTexts.noPrice}</em>
              ) : (
                <b>{till.money(price)}</b>
              )}
              {isOut ? <em>{tillTexts.soldOut}</em> : left !== undefined && <em>{tillTexts.left(left)}</em>}
            </button>
          )
        })}
        {till.missing.length > 0 && <Lacks missing={till.missing} />}
        {shown.length === 0 && all.length > 0 && <p className="till-quiet">{tillTexts.nothingFound}</p>}
      </div>
    </section>
  )
}

/** The tab of the most sold products. */
const POPULAR = 0

/** The colour of a category; its name stands beside it. */
const Dot = ({ color }: { color: string | undefined }) =>
  color === undefined ? null : (
    <svg className="till-dot" viewBox="0 0 2 2" aria-hidden>
      <circle cx={1} cy={1} r={1} fill={color} />
    </svg>
  )

const MADE_AT = {
  saleTypes: ['/settings/$resource', 'sale-types', 'settings:write'],
  products: ['/menu', undefined, 'menu:write'],
  prices: ['/menu', undefined, 'menu:write'],
  methods: ['/settings/$resource', 'payment-methods', 'settings:write'],
} as const

/** What an empty till lacks, and the way there for those who can add it. */
function Lacks({ missing }: { missing: readonly Missing[] }) {
  const till = useTill()
  return (
    <section className="till-lacks">
      <h2>{tillTexts.lacks}</h2>
      <ul>
        {missing.map((what) => {
          const [to, resource, permission] = MADE_AT[what]
          return (
            <li key={what}>
              {tillTexts.missingParts[what]}{' '}
              {till.rights(permission) ? (
                <Link to={to} params={{ resource }}>
                  {tillTexts.addThem}
                </Link>
              ) : (
                tillTexts.askForThem
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
