import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { ANYONE, mayEnter } from '../auth/permissions.ts'
import { noSuchRecord } from '../http/errors.ts'
import { Id, Maybe, PathId } from '../resource/values.ts'
import type { AddCommand } from '../resource/write/commands.ts'
import type { Printer } from '../resources/places/printers.ts'
import type { Database, Queries } from '../storage/database.ts'
import { VIRTUAL_FAULTS } from '../values/states.ts'
import { previewOf } from './bytes.ts'
import { cancelJob, moveJob, retryJob, setFaults } from './queue/change.ts'
import type { StoredDocument } from './queue/enqueue.ts'
import { readAlarms, readJobs, readPapers, readQueues } from './queue/read.ts'

const OnePrinter = Type.Object({ id: PathId() })
const OneJob = Type.Object({ id: Type.String({ pattern: '^[1-9]\\d{0,15}-[1-9]\\d{0,15}$' }) })
const Nothing = Type.Object({}, { additionalProperties: false })
const Faults = Type.Object(
  { faults: Type.Array(Type.Enum([...VIRTUAL_FAULTS]), { maxItems: VIRTUAL_FAULTS.length }) },
  { additionalProperties: false },
)
/** A paper is an image of a page, whose request names no venue: the address does. */
const PaperOf = Type.Object({ venue: Maybe(PathId()) }, { additionalProperties: false })

interface PrintingDeps {
  readonly db: Database
  readonly now: () => number
  readonly command: AddCommand
}

/** What staff see of the printers of a venue, and do with their queues. */
export function staffPrinterRoutes(app: FastifyInstance, { db, now, command }: PrintingDeps): void {
  const reading = { config: { permission: 'printers:read' } }
  app.get('/printers', reading, async ({ call: { caller } }) => ({
    success: true,
    data: await readQueues(db, caller, now()),
  }))
  app.get('/printers/:id/jobs', { ...reading, schema: { params: OnePrinter } }, async ({ call, params }) => {
    const { id } = await readPrinter(db, call.caller, (params as Static<typeof OnePrinter>).id)
    return { success: true, data: await readJobs(db, call.caller.brand_id, id) }
  })
  app.get('/printers/:id/papers', { ...reading, schema: { params: OnePrinter } }, async ({ call, params }) => {
    const { id } = await readPrinter(db, call.caller, (params as Static<typeof OnePrinter>).id)
    return { success: true, data: await readPapers(db, call.caller.brand_id, id) }
  })
  app.get(
    '/print-jobs/:id/paper',
    { ...reading, schema: { params: OneJob, querystring: PaperOf } },
    async ({ call: { caller, venues }, params, query }, reply) => {
      const { venue = caller.venue_id } = query as Static<typeof PaperOf>
      if (!venues.has(Number(venue)) || !mayEnter(caller.user, Number(venue))) throw noSuchRecord()
      const png = await readPaper(
        db,
        { brand_id: caller.brand_id, venue_id: Number(venue) },
        (params as { id: string }).id,
      )
      return reply.type('image/png').header('cache-control', 'private, max-age=3600').send(png)
    },
  )
  app.get('/print-alarms', { config: { permission: ANYONE } }, async ({ call: { caller } }) => ({
    success: true,
    data: await readAlarms(db, caller, now()),
  }))

  const using = { permission: 'printers:use', events: 'none' } as const
  command(app, {
    ...using,
    method: 'PUT',
    url: '/printers/:id/faults',
    params: OnePrinter,
    body: Faults,
    message: 'Switches set.',
    run: (context, { params, body }) => setFaults(context, params.id, body.faults),
  })
  const job = { ...using, method: 'POST', params: OneJob } as const
  command(app, {
    ...job,
    url: '/print-jobs/:id/retry',
    body: Nothing,
    message: 'It is printed again.',
    run: (context, { params }) => retryJob(context, params.id),
  })
  command(app, {
    ...job,
    url: '/print-jobs/:id/cancel',
    body: Nothing,
    message: 'It is not printed.',
    run: (context, { params }) => cancelJob(context, params.id),
  })
  command(app, {
    ...job,
    url: '/print-jobs/:id/move',
    body: Type.Object({ printer_id: Id() }, { additionalProperties: false }),
    message: 'It is printed elsewhere.',
    run: (context, { params, body }) => moveJob(context, params.id, body.printer_id),
  })
}

interface Place {
  readonly brand_id: number
  readonly venue_id: number
}

async function readPrinter(db: Queries, { brand_id, venue_id }: Place, id: number): Promise<Printer> {
  const body = await db.text('select body from printers where brand_id = ? and venue_id = ? and id = ?', [
    brand_id,
    venue_id,
    id,
  ])
  if (body === undefined) throw noSuchRecord()
  return JSON.parse(body)
}

/** A job as it came out, or will (R7). */
async function readPaper(db: Queries, place: Place, id: string): Promise<Buffer> {
  const [printer_id = 0, seq = 0] = id.split('-').map(Number)
  const printer = await readPrinter(db, place, printer_id)
  const [job] = await db.rows<{
    document: string | null
    copy: number | null
    duplicate: number
    begun_at: string | null
  }>('select document, copy, duplicate, begun_at from print_jobs where brand_id = ? and printer_id = ? and seq = ?', [
    place.brand_id,
    printer_id,
    seq,
  ])
  if (!job || job.document === null) throw noSuchRecord()
  const { document, writing } = JSON.parse(job.document) as StoredDocument
  const { command, dots, mode, code_page, cut } = printer
  return previewOf(
    document,
    writing,
    { command, dots, mode, code_page, cut: cut === 1 },
    {
      ...(job.duplicate === 1 && { duplicate_of: job.begun_at! }),
      ...(job.copy !== null && { copy: job.copy }),
    },
  )
}
