import type { Fetch, Method, Observers } from './exchange.ts'
import { connect, type Http, type Patience, type WriteOptions } from './http.ts'
import { namedOptions, readOptions } from './options.ts'
import type { Query } from './query.ts'
import {
  type Customers,
  checkId,
  customers,
  type PriceLists,
  type Products,
  priceLists,
  products,
  type Receipts,
  receipts,
  type StockOperations,
  stockOperations,
} from './resources.ts'
import type { TokenStore } from './token.ts'
import type { Sleep } from './wait.ts'

export interface ComptoirOptions extends Partial<Patience>, Observers {
  /** Where the API is, its version included: https, or http on this machine. */
  baseUrl: string
  clientId: string
  clientSecret: string
  brand: string
  integratorId: string
  /** Lets several processes share one token. */
  tokenStore?: TokenStore
  /** Sends no more than RateLimit-Remaining leaves room for, rather than be refused and wait. */
  pace?: boolean
  /** For tests, like the three below: what stands in for the platform's own. */
  fetch?: Fetch
  /** Milliseconds of the wall clock. */
  now?: () => number
  sleep?: Sleep
  random?: () => number
}

export type RequestOptions = WriteOptions & { query?: Query; body?: unknown }

/** What a client shows of itself when it is printed. */
export interface Shown {
  baseUrl: string
  brand: string
  venue?: number
}

const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/** The API as one venue sees it. */
export class Client {
  readonly customers: Customers
  readonly products: Products
  readonly priceLists: PriceLists
  readonly receipts: Receipts
  readonly stockOperations: StockOperations
  readonly #http: Http
  readonly #shown: Shown

  /** @internal */
  constructor(http: Http, shown: Shown) {
    this.customers = customers(http)
    this.products = products(http)
    this.priceLists = priceLists(http)
    this.receipts = receipts(http)
    this.stockOperations = stockOperations(http)
    this.#http = http
    this.#shown = shown
  }

  /** The same client at another venue than the token's (§5.2). Token and pacing stay shared. */
  venue(id: number): Client {
    return new Client(this.#http.at(checkId(id)), { ...this.#shown, venue: id })
  }

  /** Any call, for what has no method here yet. Answers the whole body. */
  async request(method: Method, path: string, options: RequestOptions = {}): Promise<unknown> {
    return this.#http.call({ ...namedOptions(options, 'idempotencyKey', 'query', 'body'), method, path })
  }

  toJSON(): Shown {
    return this.#shown
  }

  [inspect](): string {
    return `Comptoir ${JSON.stringify(this)}`
  }
}

/** A client of the API, which signs in by itself with its first call. Make one and keep it: its token is good for an hour. */
export class Comptoir extends Client {
  constructor(options: ComptoirOptions) {
    refuseBrowser()
    const settings = readOptions(options)
    super(connect(settings), { baseUrl: settings.baseUrl, brand: options.brand })
  }
}

// §5.1: the secret must not be embedded in browser clients. A page has a window and a document, of which Deno 1 had one; a
// browser's worker has neither, but every browser says that it is Mozilla, and no server's runtime does.
function refuseBrowser() {
  const { navigator } = globalThis as { navigator?: { userAgent?: unknown } }
  if (('window' in globalThis && 'document' in globalThis) || /^Mozilla\//.test(String(navigator?.userAgent)))
    throw new Error('@comptoir/sdk does not run in a browser: everyone who opens the page could read the client secret')
}
