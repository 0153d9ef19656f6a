import { type Line, takenByLine } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import type { Movement } from '../stock/move.ts'

/** P20: what lines of a receipt take from the venue's main storage. */
export const takenMovements = ({ receipt }: WholeReceipt, lines: readonly Line[]): Movement[] =>
  lines.flatMap((line) =>
    takenByLine(line).map(({ product_id, quantity, modificator_id }) => ({
      product_id,
      quantity: -quantity,
      receipt_id: receipt.id,
      receipt_product_id: line.shown.id,
      ...(modificator_id !== undefined && { modificator_id }),
    })),
  )
