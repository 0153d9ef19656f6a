import { ServerError } from './errors.ts'
import type { CallOptions, Http, WriteOptions } from './http.ts'
import { namedOptions } from './options.ts'
import { type List, listFrom, type Page } from './pages.ts'
import {
  type Asked,
  listParameters,
  type PriceListField,
  type PriceListOf,
  type PriceListQuery,
  type PriceListRelated,
  type ProductOf,
  type ProductQuery,
} from './query.ts'
import type { Customer, NewCustomer, Product, Receipt, StockOperation } from './types.ts'

export interface Customers {
  /** Creates a customer (§4.2). A phone, code or cid that is taken is a ConflictError. */
  create(customer: NewCustomer, options?: WriteOptions): Promise<Customer>
}

export const customers = (http: Http): Customers => ({
  create: async (customer, options) =>
    data(
      http.call({
        ...namedOptions(options, 'idempotencyKey'),
        ...{ method: 'POST', path: '/customers', body: customer },
      }),
    ),
})

export interface Products {
  /** Lists products (§4.3). Iterate over all of them, or take one `page()`. */
  list<Field extends keyof Product = keyof Product>(
    query?: ProductQuery<Field>,
    options?: CallOptions,
  ): List<ProductOf<Field>>
}

export const products = (http: Http): Products => ({
  list: (query = {}, options) => list(http, '/products', query, options),
})

export interface PriceLists {
  /** Lists price lists (§4.4), with their prices when these are included. */
  list<Related extends PriceListRelated = never, Field extends PriceListField<Related> = PriceListField<Related>>(
    query?: PriceListQuery<Related, Field>,
    options?: CallOptions,
  ): List<PriceListOf<Related, Field>>
}

export const priceLists = (http: Http): PriceLists => ({
  list: (query = {}, options) => list(http, '/price-lists', query, options),
})

export interface Receipts {
  /** Reads one receipt of the active venue (§4.5). */
  get(id: number, options?: CallOptions): Promise<Receipt>
}

export const receipts = (http: Http): Receipts => ({
  get: (id, options) => one(http, '/receipts/{id}', id, options),
})

export interface StockOperations {
  /** Reads one stock movement of the active venue (§4.6). */
  get(id: number, options?: CallOptions): Promise<StockOperation>
}

export const stockOperations = (http: Http): StockOperations => ({
  get: (id, options) => one(http, '/stock-operations/{id}', id, options),
})

/** D3.1. What is no id is refused here: in a path it could mean another one. */
export function checkId(id: number): number {
  if (!Number.isSafeInteger(id) || id < 1) throw new TypeError(`An id is an integer from 1, not ${JSON.stringify(id)}`)
  return id
}

async function one<Resource>(http: Http, route: string, id: number, options?: CallOptions): Promise<Resource> {
  return data(
    http.call({ ...namedOptions(options), method: 'GET', route, path: route.replace('{id}', String(checkId(id))) }),
  )
}

function list<Item>(http: Http, path: string, asked: Asked, options?: CallOptions): List<Item> {
  const query = listParameters(asked)
  return listFrom(asked.page ?? 1, async (page) => {
    const answer = await http.call({ ...namedOptions(options), method: 'GET', path, query: { ...query, page } })
    return within<Page<Item>>(answer, 'pagination')
  })
}

// §2.1: the resource is the envelope's `data`.
const data = async <Resource>(answer: Promise<unknown>) => within<{ data: Resource }>(await answer, 'data').data

/** Whoever is between may answer 200 too, with something else. */
function within<Envelope>(answer: unknown, member: keyof Envelope & string): Envelope {
  if (typeof answer === 'object' && answer !== null && member in answer) return answer as Envelope
  throw new ServerError(`The answer has no ${member}: it does not come from Comptoir`, { status: 200 })
}
