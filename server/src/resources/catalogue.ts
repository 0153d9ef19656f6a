import type { Resource } from '../resource/resource.ts'
import { menuEntries } from './entries/entries.ts'
import { images } from './entries/images.ts'
import { categories } from './menu/categories.ts'
import { portionMoves } from './menu/portion-moves.ts'
import { priceLists } from './menu/price-lists.ts'
import { prices } from './menu/prices.ts'
import { products } from './menu/products.ts'
import { stations } from './menu/stations.ts'
import { stopList } from './menu/stop-list.ts'
import { balances } from './money/balances.ts'
import { cashShifts } from './money/cash-shifts.ts'
import { financeCategories } from './money/finance-categories.ts'
import { paymentMethods } from './money/payment-methods.ts'
import { taxes } from './money/taxes.ts'
import { transactions } from './money/transactions.ts'
import { customerGroups } from './people/customer-groups.ts'
import { customers } from './people/customers.ts'
import { rolesOf } from './people/roles.ts'
import { users } from './people/users.ts'
import { courses } from './places/courses.ts'
import { printRoutes } from './places/print-routes.ts'
import { printers } from './places/printers.ts'
import { halls, tables } from './places/tables.ts'
import { terminals } from './places/terminals.ts'
import { venues } from './places/venues.ts'
import { waiterCalls } from './places/waiter-calls.ts'
import { orders } from './sales/orders.ts'
import { receipts } from './sales/receipts.ts'
import { saleTypes } from './sales/sale-types.ts'
import { notePresets } from './service/note-presets.ts'
import { reasons } from './service/reasons.ts'
import { receiptActs } from './service/receipt-acts.ts'
import { operationItems } from './stock/operation-items.ts'
import { operations } from './stock/operations.ts'
import { stockOperations } from './stock/stock-operations.ts'
import { stocks } from './stock/stocks.ts'
import { storages } from './stock/storages.ts'
import { suppliers } from './stock/suppliers.ts'
import { units } from './stock/units.ts'

const SERVED = [
  balances, // before customers, suppliers and payment methods, which bring theirs or get those that are free
  customerGroups,
  customers,
  courses,
  categories,
  stations,
  units,
  saleTypes,
  taxes,
  products,
  priceLists,
  prices,
  images,
  menuEntries,
  paymentMethods,
  printers,
  printRoutes,
  terminals,
  halls,
  tables,
  storages,
  suppliers,
  financeCategories,
  reasons,
  notePresets,
  stopList,
  portionMoves,
  receipts,
  receiptActs,
  orders,
  waiterCalls,
  operations,
  operationItems,
  stocks,
  stockOperations,
  cashShifts,
  transactions,
]

// What roles can allow besides what the resources here declare (D5.8).
const READS = ['stock', 'operations', 'events']
const WRITES = [
  'orders:accept',
  'receipts:write',
  'receipts:close',
  'receipts:discount',
  'receipts:void',
  'receipts:cancel',
  'receipts:refund',
  'receipts:others',
  'receipts:reprint',
  'tips:write',
  'drawer:open',
  'customers:balance',
  'customers:erase',
  'waiter-calls:write',
  'stop-list:write',
  'kitchen:use',
  'printers:use',
  'cash-shifts:write',
  'finance-transactions:write',
  'operations:write',
  'menu:write',
  'settings:write',
  'addons:manage',
  'webhooks:manage',
]

/** D5.8: what a role can allow, as `resource:action`: what resources declare, and what is no resource. */
export const permissionsOf = (resources: readonly Resource[]): readonly string[] => [
  ...new Set([
    ...resources.flatMap(({ permissions }) => permissions),
    ...READS.map((name) => `${name}:read`),
    ...WRITES,
  ]),
]

const DIRECTORY = [venues, users]

/** Every resource, in an order in which each points only at those before it. */
export const RESOURCES: readonly Resource[] = [
  venues,
  rolesOf(permissionsOf([...DIRECTORY, ...SERVED])),
  users,
  ...SERVED,
]
