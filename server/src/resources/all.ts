import { balances } from './balances.ts'
import { cashShifts } from './cash-shifts.ts'
import { categories } from './categories.ts'
import { customerGroups } from './customer-groups.ts'
import { customers } from './customers.ts'
import { financeCategories } from './finance-categories.ts'
import { operationItems } from './operation-items.ts'
import { operations } from './operations.ts'
import { orders } from './orders.ts'
import { paymentMethods } from './payment-methods.ts'
import { portionMoves } from './portion-moves.ts'
import { priceLists } from './price-lists.ts'
import { prices } from './prices.ts'
import { products } from './products.ts'
import { receipts } from './receipts.ts'
import type { Resource } from './resource.ts'
import { rolesOf } from './roles.ts'
import { saleTypes } from './sale-types.ts'
import { stations } from './stations.ts'
import { stockOperations } from './stock-operations.ts'
import { stocks } from './stocks.ts'
import { stopList } from './stop-list.ts'
import { storages } from './storages.ts'
import { suppliers } from './suppliers.ts'
import { tables } from './tables.ts'
import { taxes } from './taxes.ts'
import { terminals } from './terminals.ts'
import { transactions } from './transactions.ts'
import { units } from './units.ts'
import { users } from './users.ts'
import { venues } from './venues.ts'
import { waiterCalls } from './waiter-calls.ts'

const SERVED = [
  balances, // before customers, suppliers and payment methods, which bring theirs or get those that are free
  customerGroups,
  customers,
  categories,
  stations,
  units,
  saleTypes,
  taxes,
  products,
  priceLists,
  prices,
  paymentMethods,
  terminals,
  tables,
  storages,
  suppliers,
  financeCategories,
  stopList,
  portionMoves,
  receipts,
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
  'customers:balance',
  'waiter-calls:write',
  'stop-list:write',
  'kitchen:use',
  'cash-shifts:write',
  'finance-transactions:write',
  'operations:write',
  'menu:write',
  'settings:write',
  'addons:manage',
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
