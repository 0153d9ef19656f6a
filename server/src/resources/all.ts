import { customerGroups } from './customer-groups.ts'
import { customers } from './customers.ts'
import type { Resource } from './define.ts'
import { priceLists } from './price-lists.ts'
import { prices } from './prices.ts'
import { products } from './products.ts'
import { receipts } from './receipts.ts'
import { rolesOf } from './roles.ts'
import { stockOperations } from './stock-operations.ts'
import { users } from './users.ts'
import { venues } from './venues.ts'

const SERVED = [customerGroups, customers, products, priceLists, prices, receipts, stockOperations]

/** D5.8: what a role can allow, as `resource:action`: what resources declare, and what is no resource. */
export const permissionsOf = (resources: readonly Resource[]): readonly string[] => [
  ...resources.flatMap(({ permissions }) => permissions),
  'addons:manage',
]

/** Every resource, in an order in which each points only at those before it. */
export const RESOURCES: readonly Resource[] = [venues, rolesOf(permissionsOf(SERVED)), users, ...SERVED]
