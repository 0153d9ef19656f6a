/** The first 200 rows of a list that match all filters. */
export const list = (resource: string, filters: unknown[] = [], more = '') =>
  `/read/${resource}?${new URLSearchParams({ limit: '200', ...(filters.length > 0 && { filters: JSON.stringify(filters) }) })}${more}`

/** One receipt with all that the till shows of it. */
export const receiptPath = (id: number) => `/read/receipts/${id}?include=details,receipt_products`
