import type { Extension } from '../resource/serve.ts'
import { documentExtension, itemExtension } from './documents/routes.ts'
import { balanceExtension } from './money/balance-views.ts'
import { shiftExtension } from './money/shift-views.ts'
import { taxExtension } from './money/tax-views.ts'
import { orderExtension } from './orders/routes.ts'
import { waiterCallExtension } from './orders/waiter-calls.ts'
import { receiptExtension } from './receipts/routes.ts'
import { movementExtension } from './stock/movement-views.ts'
import { stockExtension } from './stock/stock-views.ts'

/** What pos/ adds to resources, by their names. */
export const EXTENSIONS: Readonly<Record<string, Extension>> = {
  receipts: receiptExtension,
  orders: orderExtension,
  'waiter-calls': waiterCallExtension,
  operations: documentExtension,
  'operation-items': itemExtension,
  stocks: stockExtension,
  'stock-operations': movementExtension,
  balances: balanceExtension,
  'cash-shifts': shiftExtension,
  taxes: taxExtension,
}
