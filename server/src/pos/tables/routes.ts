import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { noSuchRecord } from '../../http/errors.ts'
import { Maybe, PathId } from '../../resource/values.ts'
import type { AddCommand, Answer } from '../../resource/write/commands.ts'
import type { Database } from '../../storage/database.ts'
import { RECEIPT_ROUTE, receiptAnswer } from '../receipts/answer.ts'
import { receiptsWith } from '../receipts/store.ts'
import { mustNotBeHistory, type WholeReceipt } from '../receipts/whole-receipt.ts'
import { Merge, MoveLines, mergeReceipt, moveLines, Split, splitReceipt } from './commands.ts'
import { ShareQuery, sharesOf } from './shares.ts'

const OneReceipt = Type.Object({ id: PathId() })
const DryRun = Type.Object({ dry_run: Maybe(Type.Enum(['0', '1'])) }, { additionalProperties: false })
const isDry = ({ query }: { query: { dry_run?: string } }) => query.dry_run === '1'

interface TableDeps {
  readonly db: Database
  readonly command: AddCommand
}

/** T8, T9: what several payers owe, and what staff do with lines of several receipts. `dry_run=1` says what each would then be. */
export function staffTableRoutes(app: FastifyInstance, { db, command }: TableDeps): void {
  app.get(
    '/receipts/:id/shares',
    { config: { permission: 'receipts:write' }, schema: { params: OneReceipt, querystring: ShareQuery } },
    async ({ call: { caller }, params, query }) => {
      const [whole] = await receiptsWith(db, caller.brand_id, 'id', [(params as Static<typeof OneReceipt>).id])
      if (whole?.receipt.venue_id !== caller.venue_id) throw noSuchRecord()
      mustNotBeHistory(whole)
      return { success: true, data: sharesOf(whole, query as ShareQuery) }
    },
  )
  command(app, {
    ...RECEIPT_ROUTE,
    method: 'POST',
    url: '/receipts/:id/split',
    act: { action: 'split' },
    permission: 'receipts:write',
    events: ['receipt.opened', 'receipt.updated'],
    params: OneReceipt,
    query: DryRun,
    body: Split,
    message: 'Receipt split.',
    isDry,
    ids: ({ body }) => ({ receipt_id: body.parts.length, receipt_line_id: idsOfLines(body.parts) }),
    async run(context, input) {
      const dry = { isDry: isDry(input) }
      const { source, parts } = await splitReceipt(context, input.params.id, input.body, input.ifMatch, dry)
      return several([source, ...parts])
    },
  })
  command(app, {
    ...RECEIPT_ROUTE,
    method: 'POST',
    url: '/receipts/:id/move',
    act: { action: 'move' },
    permission: 'receipts:write',
    events: ['receipt.updated'],
    params: OneReceipt,
    query: DryRun,
    body: MoveLines,
    message: 'Lines moved.',
    isDry,
    ids: ({ body }) => ({ receipt_line_id: 2 * body.lines.length }),
    async run(context, input) {
      const dry = { isDry: isDry(input) }
      return receiptAnswer(await moveLines(context, input.params.id, input.body, input.ifMatch, dry))
    },
  })
  command(app, {
    ...RECEIPT_ROUTE,
    method: 'POST',
    url: '/receipts/:id/merge',
    act: { action: 'merge' },
    permission: 'receipts:write',
    events: ['receipt.updated', 'receipt.cancelled'],
    params: OneReceipt,
    query: DryRun,
    body: Merge,
    message: 'Receipts merged.',
    isDry,
    async run(context, input) {
      const dry = { isDry: isDry(input) }
      return receiptAnswer(await mergeReceipt(context, input.params.id, input.body, input.ifMatch, dry))
    },
  })
}

/** A line may be cut, and so may its ticket. */
const idsOfLines = (parts: readonly { readonly lines?: readonly object[] }[]) =>
  parts.reduce((sum, { lines = [] }) => sum + 2 * lines.length, 0)

const several = (wholes: readonly WholeReceipt[]): Answer => ({
  data: `[${wholes.map((whole) => receiptAnswer(whole).data).join(',')}]`,
  version: wholes[0]!.receipt.version!,
})
