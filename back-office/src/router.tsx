import { Button, Stack, Text, Title } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import { useSuspenseQuery } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Me } from '../../server/src/back-office/schema.ts'
import { api, queries, Refused } from './api.ts'
import { Page } from './components/layout/page.tsx'
import { Failure } from './components/layout/states.tsx'
import { reportSearch } from './components/reports/report-search.ts'
import {
  landingOf,
  leadsTo,
  may,
  mayChangeMenu,
  mayCook,
  mayFollow,
  mayManage,
  mayManageWebhooks,
  mayReadBooks,
  maySeePrinters,
  maySeeShifts,
  maySeeStaff,
  maySeeStops,
  maySeeToday,
  maySell,
  maySet,
  officeOf,
  readableBy,
  reportsOf,
} from './me.ts'
import { takeNewer } from './offline/version.ts'
import { isTab, type Tab } from './pages/menu/tabs.ts'
import { bestOf, keepLanguage, pickedLanguage } from './texts/language.ts'
import { texts } from './texts/texts.ts'

// Every address of the pages, and who may stand there. The server decides what they are answered; this only spares them a refusal.
// Each page is loaded when it is first visited.

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Only a path of our own: an address in a link must not lead elsewhere.
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' && /^\/[a-z]/.test(next) ? { next } : {}),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in.tsx'), 'SignIn'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/sign-in/invitation.tsx'), 'Invitation'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/setup/setup.tsx'), 'Setup'),
})

/** The sign-in page, which returns to where one was. */
const toSignIn = ({ pathname }: { pathname: string }) =>
  ({ to: '/sign-in', search: pathname === '/' ? {} : { next: pathname } }) as const

async function signedIn({ context, location }: { context: { client: QueryClient }; location: { pathname: string } }) {
  try {
    const me = await context.client.ensureQueryData(queries.me)
    await speakTo(me)
    void import('./live/outbox/courier.ts').then(({ startCourier }) => startCourier())
    return { me }
  } catch (error) {
    if (!(error instanceof Refused && error.slug === 'signed_out')) throw error
    throw redirect(toSignIn(location))
  }
}

/** Everybody reads the pages in the language of their choice, in the one picked at sign-in, or in the first of their brand. */
async function speakTo(me: Me): Promise<void> {
  const picked = pickedLanguage()
  // Not kept with the person this time, perhaps: this browser remembers it in any case.
  if (me.language === null && picked) await api.chooseLanguage(picked).catch(() => {})
  const own = me.language ?? picked
  const ofBrand = me.kind === 'user' ? me.brand.languages : []
  keepLanguage(bestOf([...(own ? [own] : []), ...ofBrand, ...navigator.languages]))
}

const Failed = ({ error, reset }: ErrorComponentProps) => (
  <div className="content">
    <Failure error={error as Error} again={reset} />
  </div>
)

/** The pages for signed-in people. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'in',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./components/layout/frame.tsx'), 'Frame'),
  errorComponent: Failed,
})

/** Screens that fill the window: no navigation around them. */
const screens = createRoute({ getParentRoute: () => root, id: 'screens', beforeLoad: signedIn, errorComponent: Failed })

const brandSide = createRoute({
  getParentRoute: () => inside,
  id: 'brand',
  beforeLoad({ context: { me } }) {
    if (me.kind === 'operator') throw redirect({ to: '/operator/brands' })
  },
  component: BrandSide,
})

function BrandSide() {
  const { data: me } = useSuspenseQuery(queries.me)
  if (mayManage(me)) return <Outlet />
  return (
    <Page title={texts.noPermission.title} lead={texts.noPermission.lead(me.kind === 'user' ? me.role : '')}>
      <Button component={Link} to="/account" variant="default">
        {texts.account.title}
      </Button>
    </Page>
  )
}

const operatorSide = createRoute({
  getParentRoute: () => inside,
  id: 'operator',
  beforeLoad({ context: { me } }) {
    if (me.kind !== 'operator') throw redirect({ to: '/open-api' })
  },
})

type Redirect = ReturnType<typeof redirect>

/** A row of the table: what stands at an address, for whom, or where it leads instead. Anybody else is sent home. */
interface Row<Search> {
  readonly shows?: RouteComponent
  readonly allowed?: (me: Me, params: Readonly<Record<string, string>>) => boolean
  readonly leadsTo?: (me: Me) => Redirect
  readonly search?: (search: Record<string, unknown>) => Search
}

const below =
  <Parent extends AnyRoute>(parent: Parent) =>
  <Path extends string, Search = object>(path: Path, { shows, allowed, leadsTo: elsewhere, search }: Row<Search>) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch: search!, // where it is absent, `Search` is `object`
      beforeLoad({ context, params }) {
        const { me } = context as { me: Me }
        if (elsewhere) throw elsewhere(me)
        if (!leadsTo(me, path) || (allowed && !allowed(me, params))) throw redirect({ to: '/' })
      },
      component: shows ?? Outlet,
    })

const screen = below(screens)
const page = below(inside)
const ofBrand = below(brandSide)
const ofOperator = below(operatorSide)
const load = lazyRouteComponent

/** What a link to the requests can already filter by. */
const linkedFilter = ({
  status,
  integrator_id,
}: Record<string, unknown>): { status?: string; integrator_id?: string } => ({
  ...(['2xx', '4xx', '429', '5xx'].includes(String(status)) && { status: String(status) }),
  ...(typeof integrator_id === 'string' && { integrator_id }),
})

const operatorOverview = () => import('./pages/operator/operator-overview.tsx')
const audit = () => import('./pages/audit.tsx')
const activity = () => import('./pages/activity.tsx')
const requests = () => import('./pages/activity-requests.tsx')

/** A link can lead to one row. */
const linkedRow = ({ id }: Record<string, unknown>): { id?: string } =>
  typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
/** A link can lead to the form of a row, in its venue, or to that of a new one. */
const linkedForm = ({
  row,
  venue,
  create,
}: Record<string, unknown>): { row?: number; venue?: number; create?: true } => ({
  ...(typeof row === 'number' && { row }),
  ...(typeof venue === 'number' && { venue }),
  ...(create === true && { create }),
})
/** The menu opens at a category, at the ingredients, or with the form of a new product. */
const linkedMenu = ({
  category,
  kind,
  create,
}: Record<string, unknown>): { category?: number | undefined; kind?: 'INGREDIENT'; create?: true } => ({
  ...(typeof category === 'number' && { category }),
  ...(kind === 'INGREDIENT' && { kind }),
  ...(create === true && { create }),
})
/** A product opens at one of its parts. */
const linkedTab = ({ tab }: Record<string, unknown>): { tab?: Tab } => (isTab(tab) ? { tab } : {})
/** The till opens at a table. */
const linkedTable = ({ table }: Record<string, unknown>): { table?: number } => ({
  ...(typeof table === 'number' && { table }),
})
const linkedBrand = ({ brand }: Record<string, unknown>): { brand?: string } =>
  typeof brand === 'string' ? { brand } : {}

const firstTable = (me: Me) => {
  const [resource] = readableBy(me)
  return resource ? redirect({ to: '/data/$resource', params: { resource } }) : redirect({ to: '/' })
}
const firstReport = (me: Me) => {
  const [report] = reportsOf(me)
  return report ? redirect({ to: '/reports/$report', params: { report } }) : redirect({ to: '/' })
}

const tree = root.addChildren([
  signIn,
  invitation,
  setup,
  screens.addChildren([
    screen('/till', {
      allowed: maySell,
      search: linkedTable,
      shows: load(() => import('./pages/till/till.tsx'), 'Till'),
    }),
    screen('/kitchen', { allowed: mayCook, shows: load(() => import('./pages/kitchen/stations.tsx'), 'Stations') }),
    screen('/kitchen/$station', {
      allowed: mayCook,
      shows: load(() => import('./pages/kitchen/kitchen.tsx'), 'Kitchen'),
    }),
  ]),
  inside.addChildren([
    page('/', { leadsTo: (me) => redirect({ to: landingOf(me) }) }),
    page('/office', { leadsTo: (me) => redirect({ to: officeOf(me) }) }),
    page('/today', { allowed: maySeeToday, shows: load(() => import('./pages/today/today.tsx'), 'Today') }),
    page('/account', { shows: load(() => import('./pages/sign-in/account.tsx'), 'Account') }),
    page('/connect', { shows: load(() => import('./pages/sign-in/connect.tsx'), 'Connect') }),
    page('/floor', { allowed: maySell, shows: load(() => import('./pages/floor.tsx'), 'FloorPage') }),
    page('/shift', { allowed: maySeeShifts, shows: load(() => import('./pages/shift/shift.tsx'), 'Shift') }),
    page('/printers', {
      allowed: maySeePrinters,
      shows: load(() => import('./pages/printers/printers.tsx'), 'Printers'),
    }),
    page('/printers/$printer', {
      allowed: maySeePrinters,
      shows: load(() => import('./pages/printers/printer.tsx'), 'Printer'),
    }),
    page('/stock', {
      allowed: (me) => may(me, 'stock:read'),
      shows: load(() => import('./pages/stock/stock.tsx'), 'Stock'),
    }),
    page('/customers', {
      allowed: (me) => may(me, 'customers:read'),
      shows: load(() => import('./pages/customers/customers.tsx'), 'Customers'),
    }),
    page('/reports', { leadsTo: firstReport }),
    page('/reports/$report', {
      allowed: (me, { report }) => reportsOf(me).some((name) => name === report),
      search: reportSearch,
      shows: load(() => import('./pages/reports.tsx'), 'Reports'),
    }),
    page('/menu', {
      allowed: mayChangeMenu,
      search: linkedMenu,
      shows: load(() => import('./pages/menu/menu.tsx'), 'Menu'),
    }),
    page('/menu/products/$product', {
      allowed: mayChangeMenu,
      search: linkedTab,
      shows: load(() => import('./pages/menu/product.tsx'), 'Product'),
    }),
    page('/menu/categories/$category', {
      allowed: mayChangeMenu,
      search: linkedTab,
      shows: load(() => import('./pages/menu/category.tsx'), 'Category'),
    }),
    page('/menu/price-lists', {
      allowed: mayChangeMenu,
      search: linkedForm,
      shows: load(() => import('./pages/menu/prices/price-lists.tsx'), 'PriceLists'),
    }),
    page('/menu/price-lists/$list', {
      allowed: mayChangeMenu,
      shows: load(() => import('./pages/menu/prices/list-prices.tsx'), 'ListPrices'),
    }),
    page('/menu/guest-prices', {
      allowed: mayChangeMenu,
      shows: load(() => import('./pages/menu/prices/guest-prices.tsx'), 'GuestPrices'),
    }),
    page('/menu/problems', {
      allowed: mayChangeMenu,
      shows: load(() => import('./pages/menu/problems/problems.tsx'), 'Problems'),
    }),
    page('/menu/spreadsheet', {
      allowed: mayChangeMenu,
      shows: load(() => import('./pages/menu/sheet/spreadsheet.tsx'), 'Spreadsheet'),
    }),
    page('/stop-list', {
      allowed: maySeeStops,
      shows: load(() => import('./pages/stop-list.tsx'), 'StopList'),
    }),
    page('/settings', { allowed: maySet, shows: load(() => import('./pages/settings/settings.tsx'), 'Settings') }),
    page('/settings/devices', {
      allowed: maySet,
      shows: load(() => import('./pages/settings/devices.tsx'), 'Devices'),
    }),
    page('/settings/$resource', {
      allowed: maySet,
      search: linkedForm,
      shows: load(() => import('./pages/settings/setting.tsx'), 'Setting'),
    }),
    page('/staff', {
      allowed: maySeeStaff,
      search: linkedForm,
      shows: load(() => import('./pages/staff/people.tsx'), 'People'),
    }),
    page('/staff/roles', {
      allowed: maySeeStaff,
      search: linkedForm,
      shows: load(() => import('./pages/staff/roles.tsx'), 'Roles'),
    }),
    page('/data', { leadsTo: firstTable }),
    page('/data/$resource', {
      allowed: ({ kind }) => kind === 'user',
      search: linkedRow,
      shows: load(() => import('./pages/data.tsx'), 'Data'),
    }),
    page('/events', { allowed: mayFollow, shows: load(() => import('./pages/events.tsx'), 'Events') }),
    page('/webhooks', {
      allowed: mayManageWebhooks,
      shows: load(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
    }),
    page('/webhooks/$endpoint', {
      allowed: mayManageWebhooks,
      shows: load(() => import('./pages/webhooks/endpoint.tsx'), 'WebhookEndpoint'),
    }),
    page('/books', { allowed: mayReadBooks, shows: load(() => import('./pages/books.tsx'), 'Books') }),
    brandSide.addChildren([
      ofBrand('/open-api', { shows: load(() => import('./pages/open-api.tsx'), 'OpenApi') }),
      ofBrand('/activity', { shows: load(activity, 'BrandActivity') }),
      ofBrand('/activity/requests', { search: linkedFilter, shows: load(requests, 'BrandRequests') }),
      ofBrand('/audit', { shows: load(audit, 'BrandAudit') }),
    ]),
    operatorSide.addChildren([
      ofOperator('/operator/brands', { shows: load(() => import('./pages/operator/brands.tsx'), 'Brands') }),
      ofOperator('/operator/integrators', {
        shows: load(() => import('./pages/operator/integrators.tsx'), 'Integrators'),
      }),
      ofOperator('/operator/rotation', {
        search: linkedBrand,
        shows: load(() => import('./pages/operator/rotation.tsx'), 'Rotation'),
      }),
      ofOperator('/operator/shared-brands', { shows: load(operatorOverview, 'SharedBrands') }),
      ofOperator('/operator/health', { shows: load(operatorOverview, 'Health') }),
      ofOperator('/operator/backups', { shows: load(() => import('./pages/operator/backups.tsx'), 'Backups') }),
      ofOperator('/operator/webhooks', {
        shows: load(() => import('./pages/operator/webhooks-overview.tsx'), 'OperatorWebhooks'),
      }),
      ofOperator('/operator/sign-ins', { shows: load(operatorOverview, 'SignIns') }),
      ofOperator('/operator/activity', { shows: load(activity, 'OperatorActivity') }),
      ofOperator('/operator/activity/requests', { search: linkedFilter, shows: load(requests, 'OperatorRequests') }),
      ofOperator('/operator/audit', { shows: load(audit, 'OperatorAudit') }),
    ]),
  ]),
])

function NotFound() {
  return (
    <main className="content">
      <Stack align="flex-start">
        <Title order={1}>{texts.errors.notFound}</Title>
        <Text className="quiet">{texts.errors.notFoundLead}</Text>
        <Button component={Link} to="/" variant="default">
          {texts.errors.home}
        </Button>
      </Stack>
    </main>
  )
}

export function makeRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: tree,
    basepath: '/back-office',
    context: { client },
    defaultNotFoundComponent: NotFound,
    defaultPreload: false,
    scrollRestoration: false,
  })
  // The new address is there a moment later, and then the page is loaded again.
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => void (pathChanged && setTimeout(takeNewer)))
  return router
}

/** Goes to the page Sign in, unless this page is open to people who are not signed in. */
export async function askToSignIn(router: ReturnType<typeof makeRouter>): Promise<void> {
  const { location, matches } = router.state
  if (matches.some(({ routeId }) => [signIn.id, invitation.id, setup.id].some((id) => id === routeId))) return
  await router.navigate(toSignIn(location))
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
