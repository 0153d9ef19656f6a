import type { Me } from '../../server/src/back-office/schema.ts'

// Which pages a person may see. The server decides; this only avoids requests that it would refuse.

export const may = (me: Me, permission: string) =>
  me.kind === 'user' && (me.permissions.includes('*') || me.permissions.includes(permission))

/** §5.1: the Open API module is for users with add-on management permission. */
export const mayManage = (me: Me) => may(me, 'addons:manage')

/** What of a brand's data can be looked at, by the names of the API. */
export const readableBy = (me: Me): readonly string[] => (me.kind === 'user' ? me.reads : [])

/** Permission to see what the last check of the books found. */
export const mayReadBooks = (me: Me) => may(me, 'finance-balances:read')

/** Permission to work at the till. */
export const maySell = (me: Me) => may(me, 'receipts:write')

/** Permission to look at the change feed. */
export const mayFollow = (me: Me) => may(me, 'events:read')

/** Permission to say where events are sent. */
export const mayManageWebhooks = (me: Me) => may(me, 'webhooks:manage')

/** Permission to work at a kitchen station. */
export const mayCook = (me: Me) => may(me, 'kitchen:use')

/** Permission to open and close cash shifts, or to look at them. */
export const maySeeShifts = (me: Me) => may(me, 'cash-shifts:write') || may(me, 'finance-cash-shifts:read')

/** The reports, and what each needs. */
const REPORTS = {
  day: 'receipts:read',
  shifts: 'finance-cash-shifts:read',
  products: 'receipts:read',
  taxes: 'finance-taxes:read',
  margin: 'receipts:read',
} as const
export type ReportName = keyof typeof REPORTS

export const reportsOf = (me: Me): ReportName[] =>
  (Object.keys(REPORTS) as ReportName[]).filter((name) => may(me, REPORTS[name]))

/** Permission to run the place: to change the menu or the settings, or to manage credentials. */
const mayRun = (me: Me) => mayManage(me) || may(me, 'settings:write') || may(me, 'menu:write')

/** Where a person begins: at the till who sells, in the kitchen who cooks, at the reports who only counts. */
export function landingOf(me: Me) {
  if (me.kind === 'user' && !mayRun(me)) {
    if (maySell(me)) return '/till'
    if (mayCook(me)) return '/kitchen'
    if (reportsOf(me).length > 0) return '/reports'
  }
  return officeOf(me)
}

/** The first page with the navigation around it, where the till and the kitchen are left to. */
export function officeOf(me: Me) {
  if (me.kind === 'operator') return '/operator/brands'
  if (mayManage(me)) return '/open-api'
  return readableBy(me).length > 0 ? '/data' : '/account'
}
