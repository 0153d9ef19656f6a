import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { asJson, one } from '../../http/envelope.ts'
import { closedOn, sumOf } from '../../pos/reports/closed.ts'
import type { MenuEntry } from '../../resources/entries/entries.ts'
import { readPriceBook } from '../../resources/menu/effective-price.ts'
import type { Priced } from '../../resources/menu/price-windows.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { fromScaled, instantOf } from '../../values/values.ts'
import { DAY_MS } from '../../values/wall-clock.ts'
import { closed } from '../schema.ts'

// What the till's menu has besides products and their prices of now.

const Query = Type.Object({ sale_type_id: Type.Optional(Type.Integer({ minimum: 1 })) }, closed)

/** Prices that change by the venue's clock, the most sold products, and pictures. */
export interface TillMenu {
  readonly time_zone: string
  readonly timed: Readonly<Record<number, Priced<number>>>
  /** Ids, the most sold first. */
  readonly popular: readonly number[]
  /** The smallest picture by product. */
  readonly images: Readonly<Record<number, string>>
}

export function tillMenuRoute(app: FastifyInstance, { db, now }: { db: Database; now: () => number }): void {
  app.get(
    '/till-menu',
    { config: { permission: 'products:read' }, schema: { querystring: Query } },
    async (request, reply) => {
      const { brand_id, venue_id } = request.call.caller
      const { sale_type_id } = request.query as Static<typeof Query>
      const [time_zone] = await db.texts('select time_zone from venues where brand_id = ? and id = ?', [
        brand_id,
        venue_id,
      ])
      const book = await readPriceBook(db, { brand_id, venue_id, sale_type_id }, undefined)
      const menu: TillMenu = {
        time_zone: time_zone!,
        timed: Object.fromEntries(
          [...book.listed].flatMap(([id, { price, price_windows }]) =>
            price_windows.length === 0
              ? []
              : [
                  [
                    id,
                    {
                      ...(price !== undefined && { price: fromScaled(price) }),
                      price_windows: price_windows.map((window) => ({ ...window, price: fromScaled(window.price) })),
                    },
                  ],
                ],
          ),
        ),
        popular: await mostSold(db, { brand_id, venue_id }, now()),
        images: await smallPictures(db, brand_id),
      }
      return asJson(reply, one(JSON.stringify(menu)))
    },
  )
}

const POPULAR = 12
const POPULAR_DAYS = 28

/** What was sold most often at the venue in 28 days; a size counts for its product. */
async function mostSold(
  db: Database,
  { brand_id, venue_id }: { brand_id: number; venue_id: number },
  nowMs: number,
): Promise<number[]> {
  const day = (ms: number) => instantOf(ms).slice(0, 10)
  const days = { brand_id, venues: [venue_id], from: day(nowMs - POPULAR_DAYS * DAY_MS), to: day(nowMs + DAY_MS) }
  const receipts = closedOn(db, days, 'id')
  const rows = await db.scan<{ id: number }>(
    brand_id,
    'receipts',
    `select coalesce(products.parent_id, products.id) as id from (${receipts.text}) as closed
     cross join receipt_lines as lines
     join products on products.brand_id = lines.brand_id and products.id = lines.product_id
     where lines.brand_id = ? and lines.receipt_id = closed.id
     group by coalesce(products.parent_id, products.id) having sum(lines.count) > 0
     order by ${sumOf('lines.count')} desc, coalesce(products.parent_id, products.id) limit ${POPULAR}`,
    [...receipts.values, brand_id],
  )
  return rows.map(({ id }) => id)
}

async function smallPictures(db: Queries, brand_id: number): Promise<Record<number, string>> {
  const bodies = await db.texts(
    `select body from menu_entries where brand_id = ? and images is not null and id like 'product-%'`,
    [brand_id],
  )
  return Object.fromEntries(
    bodies.flatMap((body) => {
      const { id, images = [] } = JSON.parse(body) as MenuEntry
      return images[0] ? [[id.slice('product-'.length), images[0].small]] : []
    }),
  )
}
