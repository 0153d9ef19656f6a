import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import { authorize, mayEnter } from '../../auth/permissions.ts'
import { withFreshDeadline } from '../../http/edge/deadline.ts'
import { all, asJson, asPage, one, pageText } from '../../http/envelope.ts'
import { invalidParameter, venueForbidden } from '../../http/errors.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { shiftReport } from '../../pos/money/shift-views.ts'
import { TaxSum, taxSums } from '../../pos/money/tax-views.ts'
import { paymentFile } from '../../pos/reports/accounting/payments.ts'
import { receiptFile } from '../../pos/reports/accounting/receipts.ts'
import { PaymentFileRow, ReceiptFileRow, TransactionFileRow } from '../../pos/reports/accounting/schema.ts'
import { transactionFile } from '../../pos/reports/accounting/transactions.ts'
import { type Days, onDays } from '../../pos/reports/closed.ts'
import { dayReport } from '../../pos/reports/days.ts'
import { dayMargins, productMargins } from '../../pos/reports/margins.ts'
import type { Heard } from '../../pos/reports/parts.ts'
import { categoryReport, productReport } from '../../pos/reports/products.ts'
import { BY, type By, reasonReport } from '../../pos/reports/reasons.ts'
import {
  channelReport,
  hourReport,
  methodReport,
  personReport,
  weekdayReport,
} from '../../pos/reports/sales/compared.ts'
import { ChannelRow, HourRow, NamedRow, WeekdayRow } from '../../pos/reports/sales/schema.ts'
import { CategoryRow, DayMarginRow, DayRow, ProductMarginRow, ProductRow, ReasonRow } from '../../pos/reports/schema.ts'
import { listShifts } from '../../pos/reports/shifts.ts'
import { PathUuid, readUuid } from '../../resource/serve.ts'
import { Maybe } from '../../resource/values.ts'
import { CashShift, cashShifts } from '../../resources/money/cash-shifts.ts'
import { taxes } from '../../resources/money/taxes.ts'
import { transactions } from '../../resources/money/transactions.ts'
import type { Database } from '../../storage/database.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'
import { closed } from '../schema.ts'
import { type Cell, csvLines } from './csv.ts'

interface Report {
  readonly path: string
  readonly permission: string
  readonly row: TObject
  readonly read: (db: Database, days: Days, heard: Heard) => Promise<object[]>
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
  { path: 'taxes', permission: taxes.permission, row: TaxSum, read: taxReport, paged: false },
  { path: 'sales/hours', permission: 'receipts:read', row: HourRow, read: hourReport, paged: false },
  { path: 'sales/weekdays', permission: 'receipts:read', row: WeekdayRow, read: weekdayReport, paged: false },
  { path: 'sales/people', permission: 'receipts:read', row: NamedRow, read: personReport, paged: false },
  { path: 'sales/methods', permission: 'receipts:read', row: NamedRow, read: methodReport, paged: false },
  { path: 'sales/channels', permission: 'receipts:read', row: ChannelRow, read: channelReport, paged: false },
]

function taxReport(db: Database, days: Days): Promise<TaxSum[]> {
  const { text, values } = onDays(days)
  return taxSums(db, text, values)
}

const DayText = () => Type.String({ format: 'date' })
const Range = {
  from: DayText(),
  to: DayText(),
  venue_id: Maybe(Type.Integer({ description: 'Absent: every venue that the person may enter' })),
}
const RangeQuery = Type.Object(Range, closed)
const PagedQuery = Type.Object({ ...Range, page: Maybe(Type.Integer()) }, closed)

const PER_PAGE = 50
const SHIFTS_A_STEP = 200
const MAX_DAYS = 366
/** The days after it are still written with four digits of a year. */
const LAST_DAY = '9998-12-31'
const DAY_MS = 86_400_000

/** What managers want to know of business days, as rows and as CSV by the same query. */
export const reportRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, deps) => {
  const { db, searches } = deps
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))
  app.addHook('onRequest', searches.start)

  for (const { path, permission, row, read, paged } of REPORTS) {
    const config = { permission }
    app.get(
      `/${path}`,
      { config, schema: { querystring: paged ? PagedQuery : RangeQuery } },
      async (request, reply) => {
        const days = daysOf(request)
        const { page = 1 } = request.query as { page?: number }
        const shown = (rows: readonly object[]) => {
          if (!paged) return all(rows.map((each) => JSON.stringify(each)))
          const own = rows.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((each) => JSON.stringify(each))
          return pageText('new', { page, limit: PER_PAGE }, own.join(','), { total: rows.length })
        }
        if (request.headers.accept !== PROGRESS_TYPE) return asJson(reply, shown(await read(db, days, ignored)))
        const lines = progressLines((heard) => read(db, days, heard), shown)
        const { value: first } = await lines.next() // before the answer begins: a store that fails is answered 503
        reply.header('content-type', PROGRESS_TYPE)
        return Readable.from(withFirst(first!, lines), { objectMode: false })
      },
    )

    app.get(`/${path}.csv`, { config, schema: { querystring: RangeQuery } }, async (request, reply) => {
      const days = daysOf(request)
      const rows = await read(db, days, ignored)
      return asCsv(reply, path, days, Readable.from(fileOf(row, rows), { objectMode: false }))
    })
  }
  for (const { path, permission, row, read } of FILES)
    app.get(
      `/accounting/${path}.csv`,
      { config: { permission }, schema: { querystring: RangeQuery } },
      async (request, reply) => {
        const days = daysOf(request)
        const isWhole = (request.query as { venue_id?: number }).venue_id === undefined
        const steps = read(db, days, isWhole)[Symbol.asyncIterator]()
        const first = await steps.next() // before the answer begins: a store that fails is answered 503, not with half a file
        const lines = Readable.from(fileInSteps(row, first, steps), { objectMode: false })
        return asCsv(reply, path, days, lines)
      },
    )
  app.register(reasonRoutes, { ...deps, prefix: '' }) // the prefix is this scope's already
  app.register(shiftRoutes, { ...deps, prefix: '' })
}

/** What an accountant wants of a month, as files alone. */
interface AccountingFile {
  readonly path: string
  readonly permission: string
  readonly row: TObject
  readonly read: (db: Database, days: Days, isWhole: boolean) => AsyncIterable<readonly object[]>
}

const FILES: readonly AccountingFile[] = [
  { path: 'receipts', permission: 'receipts:read', row: ReceiptFileRow, read: receiptFile },
  {
    path: 'payments',
    permission: 'receipts:read',
    row: PaymentFileRow,
    async *read(db, days) {
      yield await paymentFile(db, days)
    },
  },
  { path: 'transactions', permission: transactions.permission, row: TransactionFileRow, read: transactionFile },
]

const ignored = () => {}

/** A long report with its progress: lines of JSON, the last one is the answer. */
const PROGRESS_TYPE = 'application/x-ndjson'

async function* progressLines(
  read: (heard: Heard) => Promise<readonly object[]>,
  shown: (rows: readonly object[]) => string,
): AsyncGenerator<string> {
  const news: string[] = []
  let [heardOf, hasLeft] = [Promise.withResolvers<void>(), false]
  const reading = read((done, total) => {
    if (hasLeft) throw new Error('nobody waits for this report any more')
    news.push(`${JSON.stringify({ progress: { done: Math.round(done), total: Math.round(total) } })}\n`)
    heardOf.resolve()
  })
  reading.catch(() => {}) // it is awaited at the end
  try {
    for (let over = false; !over; ) {
      over = await Promise.race([heardOf.promise.then(() => false), reading.then(() => true)])
      heardOf = Promise.withResolvers()
      yield* news.splice(0)
    }
    yield `${shown(await reading)}\n`
  } finally {
    hasLeft = true
  }
}

async function* withFirst(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

const ROWS_A_TURN = 500

async function* fileOf(row: TObject, rows: readonly object[]): AsyncGenerator<string> {
  yield headerOf(row)
  yield* inTurns(row, rows)
}

/** There may be many: others are served in between. */
async function* inTurns(row: TObject, rows: readonly object[]): AsyncGenerator<string> {
  for (let start = 0; start < rows.length; start += ROWS_A_TURN) {
    yield linesOf(row, rows.slice(start, start + ROWS_A_TURN))
    await nextTurn()
  }
}

const ReasonQuery = Type.Object({ ...Range, by: Maybe(Type.Enum([...BY])) }, closed)

/** T21: what was taken back and given away, by reason, person or approver. */
const reasonRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, { db }) => {
  const options = { config: { permission: 'receipts:read' }, schema: { querystring: ReasonQuery } }
  const rowsOf = (request: FastifyRequest) =>
    reasonReport(db, daysOf(request), (request.query as { by?: By }).by ?? 'reason')
  app.get('/reasons', options, async (request) => {
    const data = await rowsOf(request)
    return { success: true, data, total: data.length }
  })
  app.get('/reasons.csv', options, async (request, reply) => {
    const rows = await rowsOf(request)
    return asCsv(reply, 'reasons', daysOf(request), headerOf(ReasonRow) + linesOf(ReasonRow, rows))
  })
}

async function* fileInSteps(
  row: TObject,
  first: IteratorResult<readonly object[]>,
  rest: AsyncIterator<readonly object[]>,
): AsyncGenerator<string> {
  yield headerOf(row)
  for (let step = first; !step.done; step = await rest.next()) yield* inTurns(row, step.value)
}

/** Cash shifts, as GET /finance/cash-shifts lists them, and the report of each. */
const shiftRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, { db }) => {
  const config = { permission: cashShifts.permission }
  app.get('/shifts', { config, schema: { querystring: PagedQuery } }, async (request, reply) => {
    const { page = 1 } = request.query as { page?: number }
    const { bodies, ...extent } = await listShifts(db, daysOf(request), { page, limit: PER_PAGE })
    return asPage(reply, 'new', { page, limit: PER_PAGE }, { data: bodies.join(','), ...extent })
  })
  app.get('/shifts.csv', { config, schema: { querystring: RangeQuery } }, async (request, reply) => {
    const days = daysOf(request)
    // Before the answer begins: a store that fails is answered 503, not with half a file.
    const first = await listShifts(db, days, { after: '', limit: SHIFTS_A_STEP })
    const lines = Readable.from(shiftLines(db, days, first), { objectMode: false })
    return asCsv(reply, 'shifts', days, lines)
  })
  app.get('/shifts/:id', { config, schema: { params: Type.Object({ id: PathUuid() }) } }, async (request, reply) => {
    const { caller, venues } = request.call
    const enterable = [...venues].filter((id) => mayEnter(caller.user, id))
    const place = { brand_id: caller.brand_id, venues: enterable }
    return asJson(reply, one(await shiftReport(db, place, readUuid('id', request.params))))
  })
}

/** There may be many, so a file of them is read in steps. */
const shiftsAfter = (db: Database, days: Days, after: string) =>
  withFreshDeadline(db, () => listShifts(db, days, { after, limit: SHIFTS_A_STEP }))
type Step = Awaited<ReturnType<typeof shiftsAfter>>

async function* shiftLines(db: Database, days: Days, first: Step): AsyncGenerator<string> {
  yield headerOf(CashShift)
  let step: Step | undefined = first
  while (step) {
    yield linesOf(
      CashShift,
      step.bodies.map((body) => JSON.parse(body) as object),
    )
    const next: string | null = 'next' in step ? step.next : null
    step = next === null ? undefined : await shiftsAfter(db, days, next)
  }
}

const headerOf = (row: TObject) => csvLines([Object.keys(row.properties)])

const linesOf = (row: TObject, rows: readonly object[]) => {
  const columns = Object.keys(row.properties)
  return csvLines(rows.map((each) => columns.map((column) => (each as Record<string, Cell>)[column] ?? null)))
}

function asCsv<Text extends string | Readable>(
  reply: FastifyReply,
  path: string,
  { from, to }: Days,
  text: Text,
): Text {
  reply.header('content-type', 'text/csv; charset=utf-8; header=present')
  reply.header('content-disposition', `attachment; filename="${path.replace('/', '-')}-${from}-${to}.csv"`)
  return text
}

/** The requested range and venues, if the person may enter them. */
function daysOf({ call: { caller, venues }, query }: FastifyRequest): Days {
  const { from, to, venue_id } = query as { from: string; to: string; venue_id?: number } // as its schema read it
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (length < 1) throw invalidParameter('to', 'to must not be before from.')
  if (length > MAX_DAYS) throw invalidParameter('to', `A report covers at most ${MAX_DAYS} days.`)
  if (to > LAST_DAY) throw invalidParameter('to', `to must not be after ${LAST_DAY}.`)
  const enterable = [...venues].filter((id) => mayEnter(caller.user, id))
  if (venue_id !== undefined && !enterable.includes(venue_id)) throw venueForbidden()
  return { brand_id: caller.brand_id, venues: venue_id === undefined ? enterable : [venue_id], from, to }
}
