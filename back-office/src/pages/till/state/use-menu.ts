import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TillMenu } from '../../../../../server/src/back-office/till/menu-routes.ts'
import type { Category } from '../../../../../server/src/resources/menu/categories.ts'
import type { NamedEntry } from '../../../../../server/src/resources/menu/stop-list.ts'
import type { DataPage, One } from '../../../api.ts'
import { liveQuery, readLive } from '../../../live/use-live.ts'
import { useNow } from '../../../live/use-now.ts'
import { type Item, itemsOf, type MenuRow, pricedAt } from '../menu.ts'
import { productsPath } from './paths.ts'

const POLL_MS = 5 * 60_000

/** Everything that is sold in a venue, at the prices of a sale type. */
export const menuQuery = (venue: number, saleType: number | undefined) =>
  queryOptions({
    queryKey: ['live', venue, 'menu', 'items', saleType],
    async queryFn(): Promise<Item[]> {
      const rows: MenuRow[] = []
      for (let page = 1, last = 1; page <= last; page++) {
        const answer = await readLive<DataPage>(venue, 'menu', productsPath(page, saleType))
        rows.push(...(answer.data as unknown as MenuRow[]))
        last = answer.pagination.total_pages
      }
      return itemsOf(rows)
    },
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
    networkMode: 'always',
  })

const CATEGORIES = '/read/categories?limit=999&filters=[["type","PRODUCT"]]'

/** Edges of price windows are at whole minutes. */
const TICK_MS = 2_000

/** What can be sold here and now by a sale type, its categories, and how many portions are left of what runs out. */
export function useMenu(venue: number, saleType: number | undefined) {
  const items = useQuery({
    ...menuQuery(venue, saleType),
    enabled: saleType !== undefined,
    placeholderData: (before) => before,
  })
  const categories = useQuery(liveQuery<One<Category[]>>(venue, 'menu', CATEGORIES)).data?.data ?? []
  const stopList = useQuery(liveQuery<One<NamedEntry[]>>(venue, 'stop-list', '/stop-list')).data?.data
  const left = useMemo(
    () => new Map((stopList ?? []).filter((row) => row.venue_id === venue).map(({ id, limit }) => [id, limit])),
    [stopList, venue],
  )
  const query = new URLSearchParams(saleType === undefined ? {} : { sale_type_id: String(saleType) })
  const extras = useQuery(liveQuery<One<TillMenu>>(venue, 'menu', `/till-menu?${query}`)).data?.data
  const minute = Math.floor(useNow(TICK_MS) / 60_000)
  const { data } = items
  const priced = useMemo(
    () => (data && extras ? pricedAt(data, extras, minute * 60_000) : data),
    [data, extras, minute],
  )
  return {
    items: { ...items, data: priced },
    categories,
    left,
    popular: extras?.popular ?? [],
    images: extras?.images ?? {},
  }
}
