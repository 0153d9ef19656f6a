import { queryOptions } from '@tanstack/react-query'
import { api, type DataPage } from '../../api.ts'
import { type Item, itemsOf, type MenuRow } from './menu.ts'

const TYPES = ['PRODUCT', 'DISH', 'TIMER', 'MODIFICATION']
const PAGE = 100
const POLL_MS = 5 * 60_000

/** Everything that is sold in a venue, at the prices of a sale type. */
export const menuQuery = (venue: number, saleType: number | undefined) =>
  queryOptions({
    queryKey: ['live', venue, 'menu', 'items', saleType],
    async queryFn(): Promise<Item[]> {
      const rows: MenuRow[] = []
      for (let page = 1, last = 1; page <= last; page++) {
        const query = new URLSearchParams({
          filters: JSON.stringify([
            ['type', TYPES],
            ['status', 1],
          ]),
          include: 'details,effective_price',
          ...(saleType !== undefined && { sale_type_id: String(saleType) }),
          limit: String(PAGE),
          page: String(page),
        })
        const answer = await api.readInVenue<DataPage>(`/read/products?${query}`, venue)
        rows.push(...(answer.data as unknown as MenuRow[]))
        last = answer.pagination.total_pages
      }
      return itemsOf(rows)
    },
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
    networkMode: 'always',
  })
