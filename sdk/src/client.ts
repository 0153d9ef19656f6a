import { type FollowedEvent, follow } from './events/follow.ts'
import type { Method } from './http/exchange.ts'
import { connect, type Http } from './http/http.ts'
import { type MenuReading, menuReading } from './menu/snapshot.ts'
import { checkId } from './operations.ts'
import type { ComptoirOptions, FollowOptions, RequestOptions } from './option-types.ts'
import { namedOptions, readOptions } from './options.ts'
import { type PlacingAndTracking, placingAndTracking } from './orders.ts'
import { type EventsMethods, type OrdersMethods, Resources } from './resources.ts'

/** What a client shows of itself when it is printed. */
export interface Shown {
  baseUrl: string
  brand: string
  venue?: number
}

const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/** The API as one venue sees it. */
export class Client extends Resources {
  declare readonly events: EventsMethods & {
    /** Every event once and in order, without end: `for await (const event of client.events.follow({ after: 'latest' }))`. */
    follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>
  }
  declare readonly menu: MenuReading
  declare readonly orders: OrdersMethods & PlacingAndTracking
  readonly #http: Http
  readonly #shown: Shown

  /** @internal */
  constructor(http: Http, shown: Shown) {
    super(http)
    Object.assign(this.events, { follow: (options?: FollowOptions) => follow(http, options) })
    Object.assign(this.menu, menuReading(http))
    Object.assign(this.orders, placingAndTracking(http, this.orders))
    this.#http = http
    this.#shown = shown
  }

  /** The same client at another venue than the token's (§5.2). Token and pacing stay shared. */
  venue(id: number): Client {
    return new Client(this.#http.atVenue(checkId(id)), { ...this.#shown, venue: id })
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
