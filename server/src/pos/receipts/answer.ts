import type { Answer } from '../../resource/write/commands.ts'
import { Receipt } from '../../resources/sales/receipts.ts'
import type { Draft } from './draft.ts'

// How a route answers that changes a receipt: with the receipt, its version as ETag, and the time (P2).

export const RECEIPT_ROUTE = { isTimed: true, versioned: 'etag' } as const

const MEMBERS = Object.keys(Receipt.properties) as (keyof Draft['receipt'])[]

/** The specified members, in their order (P1). */
export const receiptAnswer = ({ receipt }: Draft): Answer => ({
  data: JSON.stringify(
    Object.fromEntries(MEMBERS.flatMap((name) => (receipt[name] === undefined ? [] : [[name, receipt[name]]]))),
  ),
  version: receipt.version!,
})
