import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { asJson, ErrorBody, One, one } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import { defineList, parseList, queryOf } from '../../lists/list.ts'
import { listQuery, withOnly } from '../../lists/parameters.ts'
import { type Extension, ownerOf } from '../../resource/serve.ts'
import { Decimal, Id } from '../../resource/values.ts'
import { taxes } from '../../resources/money/taxes.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled } from '../../values/values.ts'

// What was taxed, over business days, from the totals that are kept (I11).

export const TaxSum = Type.Object({
  id: Id(),
  name: Type.String(),
  rate: Decimal(),
  included: Type.Boolean({ description: 'Whether prices held it; otherwise it was added to them' }),
  base: Decimal(),
  amount: Decimal(),
  receipts: Type.Integer({ description: 'Sales; refunds are taken off base and amount' }),
})
export type TaxSum = Static<typeof TaxSum>
const TaxReport = Type.Object({ taxes: Type.Array(TaxSum) }, { $id: 'TaxReport' })
const TaxTotal = Type.Object(
  { base: Decimal(), amount: Decimal(), receipts: Type.Integer({ description: 'Sales that were closed' }) },
  { $id: 'TaxTotal' },
)

/** `date` is a range of business days, and `venue=all` asks for every venue. */
const DAYS = withOnly(
  defineList({
    name: 'tax days',
    maxLimit: 1,
    always: ['id'],
    members: ['id'],
    columns: { id: 'integer', shift_date: 'instant' },
    sortable: [],
    date: 'shift_date',
    ofVenues: true,
  }),
  ['date', 'venue'],
)

export const taxExtension: Extension = {
  routes(app, deps) {
    serveOver(app, deps, 'report', TaxReport, async (...days) => ({ taxes: await taxSums(...days) }))
    serveOver(app, deps, 'total', TaxTotal, async (db, where, values) => {
      const [sums] = await db.rows<{ base: number; amount: number }>(
        `select cast(coalesce(sum(base), 0) as bigint) as base, cast(coalesce(sum(amount), 0) as bigint) as amount
         from tax_days where ${where}`,
        values,
      )
      const [days] = await db.rows<{ receipts: number }>(
        `select cast(coalesce(sum(receipts), 0) as bigint) as receipts from venue_days where ${where}`,
        values,
      )
      return { ...scaled(sums!), receipts: days!.receipts }
    })
  },
}

/** Sums of the selected days, by tax, rate and whether prices include the tax. */
export async function taxSums(
  db: Pick<Queries, 'rows'>,
  where: string,
  values: readonly (number | string)[],
): Promise<TaxSum[]> {
  const rows = await db.rows<Omit<TaxSum, 'included'> & { included: number }>(
    `select tax_id as id, max(name) as name, rate, included, cast(sum(base) as bigint) as base, cast(sum(amount) as bigint) as amount,
       cast(sum(receipts) as bigint) as receipts
     from tax_days where ${where} group by tax_id, rate, included order by tax_id, rate, included desc`,
    values,
  )
  return rows.map((row) => ({ ...row, ...scaled(row), rate: fromScaled(row.rate), included: row.included === 1 }))
}

const scaled = ({ base, amount }: { base: number; amount: number }) => ({
  base: fromScaled(base),
  amount: fromScaled(amount),
})

function serveOver(
  app: FastifyInstance,
  { db, now }: { db: Database; now: () => number },
  path: 'report' | 'total',
  answer: TSchema,
  read: (db: Database, where: string, values: readonly (number | string)[]) => Promise<object>,
): void {
  const isReport = path === 'report'
  app.get(
    `/finance/taxes/${path}`,
    {
      config: { permission: taxes.permission },
      schema: {
        operationId: isReport ? 'getTaxReport' : 'getTaxTotal',
        summary: isReport ? 'Read what was taxed, by tax' : 'Sum up what was taxed',
        description: isReport
          ? 'For each tax, rate and whether prices held it, what it was taken of, what it came to and how many receipts had it, over business days.'
          : 'What taxes were taken of and came to, and how many receipts were closed, over business days.',
        tags: ['Finance'],
        querystring: listQuery(DAYS),
        response: { 200: One(answer), 400: ErrorBody },
      },
    },
    async (request, reply) => {
      const { where, values } = daysOf(request, now())
      return asJson(reply, one(JSON.stringify(await read(db, where, values))))
    },
  )
}

function daysOf({ call: { caller }, url }: FastifyRequest, now: number) {
  const query = parseList(DAYS, queryOf(url), caller.venue_id)
  if (query.where.text !== '' && !query.days)
    throw invalidParameter('date', 'date is one or two business days, without a time.')
  const { from, to } = query.days ?? {}
  const venues = query.everyVenue ? ownerOf(caller, now).enterable : [caller.venue_id]
  const ends = [from === undefined ? '' : ' and shift_date >= ?', to === undefined ? '' : ' and shift_date <= ?']
  const within = venues === undefined ? '' : ` and venue_id in ${venues.length === 0 ? '(null)' : places(venues)}`
  return {
    where: `brand_id = ?${within}${ends.join('')}`,
    values: [caller.brand_id, ...(venues ?? []), ...[from, to].filter((day) => day !== undefined)],
  }
}
