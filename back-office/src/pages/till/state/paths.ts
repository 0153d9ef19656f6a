import { CLOSED } from '../../../../../server/src/values/states.ts'

/** The first 200 rows of a list that match all filters. */
export const list = (resource: string, filters: unknown[] = [], more = '') =>
  `/read/${resource}?${new URLSearchParams({ limit: '200', ...(filters.length > 0 && { filters: JSON.stringify(filters) }) })}${more}`

/** A page of the closed receipts, newest first: of one business day, or of all. */
export const closedPath = (page: number, day: string) =>
  list('receipts', [['status', CLOSED], ...(day ? [['shift_date', day]] : [])], `&include=details&page=${page}`)

/** One receipt with all that the till shows of it. */
export const receiptPath = (id: number) => `/read/receipts/${id}?include=details,receipt_products`

const TYPES = ['PRODUCT', 'DISH', 'TIMER', 'MODIFICATION']
const PRODUCTS_PAGE = 100

/** A page of what is sold, at the prices of a sale type. A product without a status is active. */
export const productsPath = (page: number, saleType: number | undefined) =>
  `/read/products?${new URLSearchParams({
    filters: JSON.stringify([
      ['type', TYPES],
      ['status', '!=', 0],
    ]),
    include: 'details,effective_price',
    ...(saleType !== undefined && { sale_type_id: String(saleType) }),
    limit: String(PRODUCTS_PAGE),
    page: String(page),
  })}`
