import { ResyncError } from '../errors.ts'
import { followPages } from '../events/follow.ts'
import type { Http } from '../http/http.ts'
import type { CallOptions } from '../option-types.ts'
import { namedOptions } from '../options.ts'
import { listParameters } from '../query.ts'
import type { EventsTypesItem, MenuGetQuery, MenuMethods } from '../resources.ts'
import type { Menu } from '../types.ts'

// The menu of a venue, kept as it is now.

/** A menu, and the tag by which the server knows whether it is still the same. */
export interface TaggedMenu extends Menu {
  etag: string
}

export interface FollowMenuOptions extends MenuGetQuery {
  /** Ends the loop, also while it waits. */
  signal?: AbortSignal | undefined
}

export interface MenuReading extends MenuMethods {
  /** Read the menu as a guest pays it (GET /menu); undefined: it is still the one with this ETag. */
  get(query: MenuGetQuery, options: CallOptions & { ifNoneMatch: string }): Promise<TaggedMenu | undefined>
  /** Read the menu as a guest pays it (GET /menu), with its ETag. */
  get(query: MenuGetQuery, options?: CallOptions): Promise<TaggedMenu>
  /** The menu, and again after each change of it, without end: `for await (const menu of client.menu.follow({ sale_type_id: 1 }))`. */
  follow(options: FollowMenuOptions): AsyncGenerator<TaggedMenu, void, undefined>
}

/** M5: what can change a menu and is none of `menu.*`. */
const ALSO = /^(tax|sale_type|unit|venue)\.|^brand\.updated$|^feed\.resync$/

export function menuReading(http: Http): Pick<MenuReading, 'get' | 'follow'> {
  async function read(query: MenuGetQuery, options: CallOptions & { ifNoneMatch?: string } = {}) {
    const { ifNoneMatch, ...others } = options
    const { etag, body } = await http.tagged({
      ...namedOptions(others),
      method: 'GET',
      path: '/menu',
      query: listParameters({ ...query }),
      headers: { 'if-none-match': ifNoneMatch },
    })
    return body === undefined ? undefined : { ...(body as { data: Menu }).data, etag: etag ?? '' }
  }

  const latest = async (signal: AbortSignal | undefined) =>
    ((await http.call({ signal, method: 'GET', path: '/events', query: { after: 'latest' } })) as { next: string }).next

  async function* follow({ signal, ...query }: FollowMenuOptions): AsyncGenerator<TaggedMenu, void, undefined> {
    const known = (await http.call({ signal, method: 'GET', path: '/events/types' })) as { data: EventsTypesItem[] }
    const types = ['menu.*', ...known.data.flatMap(({ type, allowed }) => (allowed && ALSO.test(type) ? [type] : []))]
    let etag: string | undefined
    while (!signal?.aborted) {
      // The place in the feed first, then the menu: a change between the two is seen, not missed (E6).
      const after = await latest(signal)
      const first = await read(query, { signal, ...(etag !== undefined && { ifNoneMatch: etag }) })
      if (first) yield first
      etag = first?.etag ?? etag
      try {
        for await (const { data } of followPages(http, { after, types, signal })) {
          if (data.length === 0) continue
          const next = await read(query, { signal, ifNoneMatch: etag! })
          if (!next) continue
          etag = next.etag
          yield next
        }
        return
      } catch (error) {
        if (!(error instanceof ResyncError)) throw error // 410: what was missed is in the menu as it is now
      }
    }
  }

  return { get: read as MenuReading['get'], follow }
}
