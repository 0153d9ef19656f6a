import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { previewOf } from '../../printing/bytes.ts'
import { Maybe, PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import type { Printer } from '../../resources/places/printers.ts'
import type { Database } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import { openDrawer, Printing, previewDocument, printDocument } from './print.ts'
import { readPrintRoutes } from './routing.ts'

const Preview = Type.Object(
  {
    document: Printing.properties.document,
    receipt_id: Maybe(PathId()),
    shift_id: Maybe(Type.String({ format: 'uuid' })),
    printer_id: Maybe(PathId()),
  },
  { additionalProperties: false },
)

const OfTill = Type.Object(
  { terminal_id: Maybe(PathId()), sale_type_id: Maybe(PathId()) },
  { additionalProperties: false },
)

/** From a query string. */
const numbered = (value: number | undefined) => (value === undefined ? undefined : Number(value))

interface PaperDeps {
  readonly db: Database
  readonly now: () => number
  readonly command: AddCommand
}

/** What staff print, and the drawer of a terminal. */
export function staffPaperRoutes(app: FastifyInstance, { db, now, command }: PaperDeps): void {
  command(app, {
    method: 'POST',
    url: '/print',
    permission: 'receipts:write',
    act: { action: 'print' },
    events: 'none',
    body: Printing,
    message: 'Sent to the printer.',
    run: (context, { body }) => printDocument(context, body),
  })
  command(app, {
    method: 'POST',
    url: '/terminals/:id/drawer',
    permission: 'drawer:open',
    act: { action: 'drawer', kinds: ['drawer'], always: true },
    events: 'none',
    params: Type.Object({ id: PathId() }),
    body: Type.Object({}, { additionalProperties: false }),
    message: 'The drawer opens.',
    run: (context, { params }) => openDrawer(context, params.id),
  })
  app.get(
    '/print/desk',
    { config: { permission: 'receipts:write' }, schema: { querystring: OfTill } },
    async ({ call: { caller }, query }) => {
      const { terminal_id, sale_type_id } = query as Static<typeof OfTill>
      const at = { venue_id: caller.venue_id, terminal_id: numbered(terminal_id), sale_type_id: numbered(sale_type_id) }
      const { desk, drawer } = await readPrintRoutes({ tx: db, caller }, at)
      const target = desk('bill')
      if (!target) return { success: true, data: { printer: null } }
      const name = await db.text('select name from printers where brand_id = ? and id = ?', [
        caller.brand_id,
        target.printer_id,
      ])
      return { success: true, data: { printer: { name, drawer: drawer !== undefined } } }
    },
  )
  app.get(
    '/print/preview',
    { config: { permission: 'receipts:write' }, schema: { querystring: Preview } },
    async ({ call: { caller }, query }, reply) => {
      const { receipt_id, printer_id, ...rest } = query as Static<typeof Preview>
      const input = {
        ...rest,
        ...(receipt_id !== undefined && { receipt_id: Number(receipt_id) }),
        ...(printer_id !== undefined && { printer_id: Number(printer_id) }),
      }
      const { stored, printer } = await db.transaction(async (tx) => ({
        stored: await previewDocument({ tx, caller, now: instantOf(now()) }, input),
        printer: await printerOf(tx, caller.brand_id, input.printer_id),
      }))
      return reply.type('image/png').send(previewOf(stored.document, stored.writing, printer))
    },
  )
}

const ANY_PRINTER = { command: 'escpos', dots: 576, mode: 'auto', code_page: 'multilingual', cut: true } as const

async function printerOf(tx: Pick<Database, 'text'>, brand_id: number, id: number | undefined) {
  if (id === undefined) return ANY_PRINTER
  const body = await tx.text('select body from printers where brand_id = ? and id = ?', [brand_id, id])
  const { command, dots, mode, code_page, cut } = JSON.parse(body!) as Printer
  return { command, dots, mode, code_page, cut: cut === 1 }
}
