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

/** Permission to see what goes on: what is sold, open and short. */
export const maySeeToday = (me: Me) => may(me, 'receipts:read')

/** Permission to work at a kitchen station. */
export const mayCook = (me: Me) => may(me, 'kitchen:use')

/** Permission to open and close cash shifts, or to look at them. */
export const maySeeShifts = (me: Me) => may(me, 'cash-shifts:write') || may(me, 'finance-cash-shifts:read')

/** The files of a month for an accountant, and what each needs. */
export const ACCOUNTING = {
  receipts: 'receipts:read',
  payments: 'receipts:read',
  transactions: 'finance-transactions:read',
  shifts: 'finance-cash-shifts:read',
  taxes: 'finance-taxes:read',
} as const

/** The reports, and what each needs. */
const REPORTS = {
  day: 'receipts:read',
  sales: 'receipts:read',
  shifts: 'finance-cash-shifts:read',
  products: 'receipts:read',
  taxes: 'finance-taxes:read',
  margin: 'receipts:read',
  accounting: 'finance-transactions:read',
  reasons: 'receipts:read',
} as const
export type ReportName = keyof typeof REPORTS

export const reportsOf = (me: Me): ReportName[] =>
  (Object.keys(REPORTS) as ReportName[]).filter((name) => may(me, REPORTS[name]))

/** Permission to see what is sold out. */
export const maySeeStops = (me: Me) => may(me, 'products:read')

/** Permission to change the menu and its prices. */
export const mayChangeMenu = (me: Me) => may(me, 'menu:write')

/** Permission to see who works here. */
export const maySeeStaff = (me: Me) => may(me, 'users:read')

/** Permission to see printers and their queues. */
export const maySeePrinters = (me: Me) => may(me, 'printers:read')

/** Permission to change settings. */
export const maySet = (me: Me) => may(me, 'settings:write')

/** Permission to run the place: to change the menu or the settings. */
const mayRun = (me: Me) => maySet(me) || mayChangeMenu(me)

/** The pages of a restaurant by job, in the order of the navigation, and for whom each is. A group of one has no heading. */
export const NAVIGATION = [
  { group: 'today', pages: { '/today': maySeeToday } },
  {
    group: 'service',
    pages: {
      '/floor': maySell,
      '/till': maySell,
      '/kitchen': mayCook,
      '/shift': maySeeShifts,
      '/printers': maySeePrinters,
    },
  },
  {
    group: 'menu',
    pages: { '/menu': mayChangeMenu, '/stop-list': maySeeStops, '/stock': (me: Me) => may(me, 'stock:read') },
  },
  { group: 'customers', pages: { '/customers': (me: Me) => may(me, 'customers:read') } },
  { group: 'staff', pages: { '/staff': maySeeStaff } },
  { group: 'money', pages: { '/reports': (me: Me) => reportsOf(me).length > 0, '/books': mayReadBooks } },
  { group: 'settings', pages: { '/settings': maySet } },
  {
    group: 'integrations',
    pages: {
      '/open-api': mayManage,
      '/webhooks': mayManageWebhooks,
      '/activity': mayManage,
      '/events': mayFollow,
      '/data': (me: Me) => readableBy(me).length > 0,
    },
  },
  { group: 'audit', pages: { '/audit': mayManage } },
] as const

type PagesOf<Group> = Group extends { pages: infer Pages } ? keyof Pages : never
/** An address of the navigation. */
export type Place = PagesOf<(typeof NAVIGATION)[number]>
export type GroupName = (typeof NAVIGATION)[number]['group']

/** T18: a person who came in by PIN may use the pages of service; the others want the password. */
export const isByPin = (me: Me): boolean => me.kind === 'user' && me.device?.by_pin === true
const BY_PIN = /^\/(|office|account|connect|floor|till|kitchen(\/.*)?|shift)$/

/** Whether the way in of this person leads to a page; their rights are another question. */
export const leadsTo = (me: Me, path: string): boolean => !isByPin(me) || BY_PIN.test(path)

/** The groups with what this person may use of each. */
export const navigationOf = (me: Me): { group: GroupName; pages: Place[] }[] =>
  NAVIGATION.map(({ group, pages }) => ({
    group,
    pages: Object.entries(pages).flatMap(([place, allows]) =>
      allows(me) && leadsTo(me, place) ? [place as Place] : [],
    ),
  })).filter(({ pages }) => pages.length > 0)

/** Pages that fill the window, without navigation. */
const SCREENS: readonly Place[] = ['/till', '/kitchen']

const firstOf = (me: Me, isFit: (place: Place) => boolean = () => true): Place | '/account' =>
  navigationOf(me)
    .flatMap(({ pages }) => pages)
    .find(isFit) ?? '/account'

/** Where a person begins: at Today who runs the place, at the till who sells, in the kitchen who cooks, at the reports who only counts. */
export function landingOf(me: Me) {
  if (me.kind === 'operator') return '/operator/brands'
  if (isByPin(me)) return me.device!.use === 'kitchen' && mayCook(me) ? '/kitchen' : maySell(me) ? '/till' : firstOf(me)
  if (mayRun(me)) return officeOf(me)
  if (maySell(me)) return '/till'
  if (mayCook(me)) return '/kitchen'
  if (mayManage(me)) return '/open-api'
  return reportsOf(me).length > 0 ? '/reports' : firstOf(me)
}

/** The first page with the navigation around it, where the till and the kitchen are left to. */
export function officeOf(me: Me) {
  if (me.kind === 'operator') return '/operator/brands'
  return firstOf(me, (place) => !SCREENS.includes(place))
}
