import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import { authorize, mayEnter } from '../../auth/permissions.ts'
import { all, asJson, asPage } from '../../http/envelope.ts'
import { invalidParameter, venueForbidden } from '../../http/errors.ts'
import { asHook, sequence } from '../../http/rules.ts'
import type { Days } from '../../pos/reports/closed.ts'
import { dayReport } from '../../pos/reports/days.ts'
import { dayMargins, productMargins } from '../../pos/reports/margins.ts'
import { categoryReport, productReport } from '../../pos/reports/products.ts'
import { CategoryRow, DayMarginRow, DayRow, ProductMarginRow, ProductRow } from '../../pos/reports/schema.ts'
import { Maybe } from '../../resources/values.ts'
import type { Database } from '../../storage/database.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'
import { closed } from '../schema.ts'
import { type Cell, csvOf } from './csv.ts'

interface Report {
  readonly path: string
  readonly permission: string
  readonly row: TObject
  readonly read: (db: Database, days: Days) => Promise<object[]>
  /** As many rows as there are products; otherwise as days. */
  readonly paged: boolean
}

// Receipts, their lines and what include=costs says of them are read with receipts:read: sums of them need no more.
const REPORTS: readonly Report[] = [
  { path: 'day', permission: 'receipts:read', row: DayRow, read: dayReport, paged: false },
  { path: 'products', permission: 'receipts:read', row: ProductRow, read: productReport, paged: true },
  { path: 'categories', permission: 'receipts:read', row: CategoryRow, read: categoryReport, paged: true },
  { path: 'margin/days', permission: 'receipts:read', row: DayMarginRow, read: dayMargins, paged: false },
  { path: 'margin/products', permission: 'receipts:read', row: ProductMarginRow, read: productMargins, paged: true },
]

const DayText = () => Type.String({ format: 'date' })
const Range = {
  from: DayText(),
  to: DayText(),
  venue_id: Maybe(Type.Integer({ description: 'Absent: every venue that the person may enter' })),
}
const RangeQuery = Type.Object(Range, closed)
const PagedQuery = Type.Object({ ...Range, page: Maybe(Type.Integer()) }, closed)

const PER_PAGE = 50
const MAX_DAYS = 366
const DAY_MS = 86_400_000

/** What managers want to know of business days, as rows and as CSV by the same query. */
export const reportRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, { db, searches }) => {
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))
  app.addHook('onRequest', searches.start)

  for (const { path, permission, row, read, paged } of REPORTS) {
    const config = { permission }
    app.get(
      `/${path}`,
      { config, schema: { querystring: paged ? PagedQuery : RangeQuery } },
      async (request, reply) => {
        const rows = (await read(db, daysOf(request))).map((each) => JSON.stringify(each))
        if (!paged) return asJson(reply, all(rows))
        const { page = 1 } = request.query as { page?: number }
        const shown = rows.slice((page - 1) * PER_PAGE, page * PER_PAGE)
        return asPage(reply, 'new', { page, limit: PER_PAGE }, { data: shown.join(','), total: rows.length })
      },
    )

    app.get(`/${path}.csv`, { config, schema: { querystring: RangeQuery } }, async (request, reply) => {
      const days = daysOf(request)
      const rows = await read(db, days)
      const columns = Object.keys(row.properties)
      const name = `${path.replace('/', '-')}-${days.from}-${days.to}.csv`
      reply.header('content-type', 'text/csv; charset=utf-8; header=present')
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return csvOf(
        columns,
        rows.map((each) => columns.map((column) => (each as Record<string, Cell>)[column]!)),
      )
    })
  }
}

/** The range and the venues that were asked for, if the person may enter them. */
function daysOf({ call: { caller, venues }, query }: FastifyRequest): Days {
  const { from, to, venue_id } = query as { from: string; to: string; venue_id?: number } // as its schema read it
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (length < 1) throw invalidParameter('to', 'to must not be before from.')
  if (length > MAX_DAYS) throw invalidParameter('to', `A report covers at most ${MAX_DAYS} days.`)
  const enterable = [...venues].filter((id) => mayEnter(caller.user, id))
  if (venue_id !== undefined && !enterable.includes(venue_id)) throw venueForbidden()
  return { brand_id: caller.brand_id, venues: venue_id === undefined ? enterable : [venue_id], from, to }
}
