import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { AddCommand, Answer, CommandContext, CommandRoute } from '../../resource/write/commands.ts'
import { Receipt } from '../../resources/sales/receipts.ts'
import type { WholeReceipt } from './whole-receipt.ts'

// How a route answers that changes a receipt: with the receipt, its version as ETag, and the time (P2).

export const RECEIPT_ROUTE = { isTimed: true, versioned: 'etag' } as const

const MEMBERS = Object.keys(Receipt.properties) as (keyof WholeReceipt['receipt'])[]

/** The specified members, in their order (P1). */
export const receiptAnswer = ({ receipt }: WholeReceipt): Answer => ({
  data: JSON.stringify(
    Object.fromEntries(MEMBERS.flatMap((name) => (receipt[name] === undefined ? [] : [[name, receipt[name]]]))),
  ),
  version: receipt.version!,
})

type ReceiptRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema> = Pick<
  CommandRoute<Params, Query, Body>,
  'method' | 'url' | 'permission' | 'act' | 'params' | 'query' | 'body' | 'message' | 'ids'
> & {
  events?: CommandRoute<Params, Query, Body>['events']
  change: (
    context: CommandContext,
    input: Parameters<CommandRoute<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>['run']>[1],
  ) => Promise<WholeReceipt>
}

/** Registers a route of staff whose command changes a receipt, which is the answer. */
export function onReceipt<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  app: FastifyInstance,
  command: AddCommand,
  { change, events = ['receipt.updated'], ...route }: ReceiptRoute<Params, Query, Body>,
): void {
  command<Params, Query, Body>(app, {
    ...RECEIPT_ROUTE,
    ...route,
    events,
    run: async (context, input) => receiptAnswer(await change(context, input)),
  })
}
