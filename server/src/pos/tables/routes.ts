import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../http/call.ts'
import { noSuchRecord } from '../../http/errors.ts'
import { Maybe, PathId } from '../../resource/values.ts'
import type { AddCommand, Answer } from '../../resource/write/commands.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import { RECEIPT_ROUTE, receiptAnswer } from '../receipts/answer.ts'
import { receiptsWith } from '../receipts/store.ts'
import { mustNotBeHistory, type WholeReceipt } from '../receipts/whole-receipt.ts'
import { Merge, MoveLines, mergeReceipt, moveLines, Split, splitReceipt } from './commands.ts'
import { readFloor } from './floor.ts'
import { ShareQuery, sharesOf } from './shares.ts'

const OneReceipt = Type.Object({ id: PathId() })
const DryRun = Type.Object({ dry_run: Maybe(Type.Enum(['0', '1'])) }, { additionalProperties: false })
const isDry = ({ query }: { query: { dry_run?: string } }) => query.dry_run === '1'

interface TableDeps {
  readonly db: Database
  readonly now: () => number
  readonly command: AddCommand
}

/** T4, T8, T9: the floor, what several payers owe, and what staff do with lines of several receipts. `dry_run=1` says what each would then be. */
export function staffTableRoutes(app: FastifyInstance, { db, now, command }: TableDeps): void {
  app.get('/floor', { config: { permission: 'receipts:write' } }, async ({ call: { caller } }) => {
    const nowMs = now()
    return { success: true, data: { ...(await readFloor(db, caller, nowMs)), now: instantOf(nowMs) } }
  })
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
    ids: idsToSplit,
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

/** A line may be cut, and so may its ticket; what seats ordered goes whole. */
async function idsToSplit(
  { params, body }: { readonly params: { readonly id: number }; readonly body: Split },
  { db, caller }: { readonly db: Queries; readonly caller: Caller },
) {
  const named = body.parts.reduce((sum, { lines = [] }) => sum + 2 * lines.length, 0)
  const bySeat = body.parts.some(({ seats }) => seats !== undefined)
  const [found] = bySeat
    ? await db.rows<{ count: number }>(
        'select count(*) as count from receipt_lines where brand_id = ? and receipt_id = ?',
        [caller.brand_id, params.id],
      )
    : []
  return { receipt_id: body.parts.length, receipt_line_id: named + (found?.count ?? 0) }
}

const several = (wholes: readonly WholeReceipt[]): Answer => ({
  data: `[${wholes.map((whole) => receiptAnswer(whole).data).join(',')}]`,
  version: wholes[0]!.receipt.version!,
})
