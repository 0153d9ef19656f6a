import type { Me } from '../../server/src/back-office/schema.ts'

// Who may see which page. The server decides; this spares a refusal.

export const may = (me: Me, permission: string) =>
  me.kind === 'user' && (me.permissions.includes('*') || me.permissions.includes(permission))

/** §5.1: the Open API module is for users with add-on management permission. */
export const mayManage = (me: Me) => may(me, 'addons:manage')

/** What of a brand's data can be looked at, by the names of the API. */
export const RESOURCES = ['products', 'price-lists', 'customers', 'receipts', 'stock-operations'] as const
export type Resource = (typeof RESOURCES)[number]

export const readableBy = (me: Me): Resource[] => RESOURCES.filter((resource) => may(me, `${resource}:read`))
