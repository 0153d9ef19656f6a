import { queryOptions } from '@tanstack/react-query'
import type { ShownChoices } from '../../../../server/src/back-office/menu/choices.ts'
import type { HistoryRow } from '../../../../server/src/back-office/menu/history.ts'
import type { MenuItem, MenuOverview } from '../../../../server/src/back-office/menu/overview.ts'
import type {
  GuestPrices,
  ListPrices,
  PriceLists,
  ProductPrices,
} from '../../../../server/src/back-office/menu/prices.ts'
import type { PriceWindow } from '../../../../server/src/resources/menu/price-windows.ts'
import type { Scope } from '../../../../server/src/resources/menu/scopes.ts'
import { api, type One } from '../../api.ts'
import { DAYS } from '../../forms/values.ts'
import { menuTexts } from '../../texts/screens/menu.ts'
import { LOCALE } from '../../texts/texts.ts'

// What the pages of the menu read, and how they say it.

export const read = async <Data>(path: string, venue?: number): Promise<Data> =>
  (await api.readInVenue<One<Data>>(path, venue)).data

const KEY = 'menu-editor'

export const menuOverview = queryOptions({
  queryKey: [KEY, 'overview'],
  queryFn: () => read<MenuOverview>('/menu-editor'),
})

/** Every product by its id, sizes left inside. */
export const menuItems = queryOptions({
  ...menuOverview,
  select: ({ products }: MenuOverview): ReadonlyMap<number, MenuItem> =>
    new Map(
      [...products].sort((one, other) => one.name.localeCompare(other.name)).map((item) => [item.id, item] as const),
    ),
})

export const productChoices = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'choices', id],
    queryFn: () => read<ShownChoices>(`/menu-editor/products/${id}/choices`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const productPrices = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'prices', id],
    queryFn: () => read<ProductPrices>(`/menu-editor/products/${id}/prices`),
  })

export const priceRules = queryOptions({
  queryKey: [KEY, 'price-lists'],
  queryFn: () => read<PriceLists>('/price-lists'),
})

export const listPrices = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'list-prices', id],
    queryFn: () => read<ListPrices>(`/price-lists/${id}/prices`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const guestPrices = (venue: number | undefined, saleType: number | undefined, at: string | undefined) =>
  queryOptions({
    queryKey: [KEY, 'guest-prices', venue, saleType, at],
    queryFn: () =>
      read<GuestPrices>(
        `/menu-editor/guest-prices?${new URLSearchParams({
          ...(saleType !== undefined && { sale_type_id: String(saleType) }),
          ...(at && { at }),
        })}`,
        venue,
      ),
  })

export const history = (kind: 'product' | 'category', id: number) =>
  queryOptions({
    queryKey: [KEY, 'history', kind, id],
    queryFn: () => read<HistoryRow[]>(`/menu-editor/history/${kind}/${id}`),
  })

/** Sends one change under one key. */
export const put = <Data>(path: string, body: object, key: string, version?: string) =>
  api.act<One<Data>>('PUT', path, body, { key, venue: undefined, ...(version !== undefined && { version }) })

const words = menuTexts.scopes

const shownDay = (date: string) => new Date(date).toLocaleDateString(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })

/** Times in words: Fri 17:00–19:00. */
export function shownWindow({ days, from, to, starts_on, ends_on }: PriceWindow): string {
  const inWeek = DAYS.filter((day) => days?.includes(day)).map((day) => words.short[day])
  return [
    days ? inWeek.join(', ') : '',
    from && to ? `${from}–${to}` : '',
    starts_on || ends_on ? words.dates(starts_on && shownDay(starts_on), ends_on && shownDay(ends_on)) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Where and when a scope holds. */
export function shownScope(
  { venue_id, sale_type_id, windows, starts_on, ends_on }: Scope,
  places: PriceLists['places'],
): string {
  const venue = places.find(({ id }) => id === venue_id)?.name
  const saleType = places.flatMap(({ sale_types }) => sale_types).find(({ id }) => id === sale_type_id)?.name
  const dates = { ...(starts_on && { starts_on }), ...(ends_on && { ends_on }) }
  const times = (windows ?? []).map((window) => shownWindow(window as PriceWindow)).join('; ')
  return [venue ?? words.everyVenue, saleType, times, starts_on || ends_on ? shownWindow(dates) : '']
    .filter(Boolean)
    .join(' · ')
}
