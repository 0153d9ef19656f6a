import type { Extension } from '../resources/serve.ts'
import { documentExtension, itemExtension } from './documents/routes.ts'
import { receiptExtension } from './receipts/api.ts'
import { movementExtension } from './stock/movement-views.ts'
import { stockExtension } from './stock/stock-views.ts'

/** What pos/ adds to resources, by their names. */
export const EXTENSIONS: Readonly<Record<string, Extension>> = {
  receipts: receiptExtension,
  operations: documentExtension,
  'operation-items': itemExtension,
  stocks: stockExtension,
  'stock-operations': movementExtension,
}
