import { Button, Stack, Text, Title } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import { useSuspenseQuery } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Me } from '../../server/src/back-office/schema.ts'
import { queries, Refused } from './api.ts'
import { Page } from './components/layout/page.tsx'
import { Failure } from './components/layout/states.tsx'
import {
  landingOf,
  may,
  mayCook,
  mayFollow,
  mayManage,
  mayReadBooks,
  maySeeShifts,
  maySell,
  officeOf,
  readableBy,
  reportsOf,
} from './me.ts'
import { SignIn } from './pages/sign-in/sign-in.tsx'
import { reportSearch } from './report-search.ts'
import { texts } from './texts/texts.ts'

// Every address of the pages, and who may stand there. The server decides what they are answered; this only spares them a refusal.
// All pages but the sign-in page are loaded when they are first visited.

const operatorOverview = () => import('./pages/operator/operator-overview.tsx')
const audit = () => import('./pages/audit.tsx')
const activity = () => import('./pages/activity.tsx')
const requests = () => import('./pages/activity-requests.tsx')

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Only a path of our own: an address in a link must not lead elsewhere.
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' && /^\/[a-z]/.test(next) ? { next } : {}),
  component: SignIn,
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/sign-in/invitation.tsx'), 'Invitation'),
})

/** The sign-in page, which returns to where one was. */
const toSignIn = ({ pathname }: { pathname: string }) =>
  ({ to: '/sign-in', search: pathname === '/' ? {} : { next: pathname } }) as const

async function signedIn({ context, location }: { context: { client: QueryClient }; location: { pathname: string } }) {
  try {
    return { me: await context.client.ensureQueryData(queries.me) }
  } catch (error) {
    if (!(error instanceof Refused && error.slug === 'signed_out')) throw error
    throw redirect(toSignIn(location))
  }
}

/** The pages for signed-in people. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'in',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./components/layout/frame.tsx'), 'Frame'),
  errorComponent: ({ error, reset }) => (
    <div className="content">
      <Failure error={error as Error} again={reset} />
    </div>
  ),
})

/** Screens that fill the window: no navigation around them. */
const screens = createRoute({
  getParentRoute: () => root,
  id: 'screens',
  beforeLoad: signedIn,
  errorComponent: ({ error, reset }) => (
    <div className="content">
      <Failure error={error as Error} again={reset} />
    </div>
  ),
})

const till = createRoute({
  getParentRoute: () => screens,
  path: '/till',
  beforeLoad({ context: { me } }) {
    if (!maySell(me)) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./pages/till/till.tsx'), 'Till'),
})

const cooksOnly = ({ context: { me } }: { context: { me: Me } }) => {
  if (!mayCook(me)) throw redirect({ to: '/' })
}

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad({ context: { me } }) {
    throw redirect({ to: landingOf(me) })
  },
})

const office = createRoute({
  getParentRoute: () => inside,
  path: '/office',
  beforeLoad({ context: { me } }) {
    throw redirect({ to: officeOf(me) })
  },
})

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

const rotation = createRoute({
  getParentRoute: () => operatorSide,
  path: '/operator/rotation',
  validateSearch: ({ brand }): { brand?: string } => (typeof brand === 'string' ? { brand } : {}),
  component: lazyRouteComponent(() => import('./pages/operator/rotation.tsx'), 'Rotation'),
})

/** What a link to the requests can already filter by. */
const linkedFilter = ({
  status,
  integrator_id,
}: Record<string, unknown>): { status?: string; integrator_id?: string } => ({
  ...(['2xx', '4xx', '429', '5xx'].includes(String(status)) && { status: String(status) }),
  ...(typeof integrator_id === 'string' && { integrator_id }),
})

const data = createRoute({
  getParentRoute: () => inside,
  path: '/data',
  beforeLoad({ context: { me } }) {
    const [first] = readableBy(me)
    throw redirect(first ? { to: '/data/$resource', params: { resource: first } } : { to: '/' })
  },
})

const reports = createRoute({
  getParentRoute: () => inside,
  path: '/reports',
  beforeLoad({ context: { me } }) {
    const [first] = reportsOf(me)
    throw redirect(first ? { to: '/reports/$report', params: { report: first } } : { to: '/' })
  },
})

const tree = root.addChildren([
  signIn,
  invitation,
  screens.addChildren([
    till,
    createRoute({
      getParentRoute: () => screens,
      path: '/kitchen',
      beforeLoad: cooksOnly,
      component: lazyRouteComponent(() => import('./pages/kitchen/stations.tsx'), 'Stations'),
    }),
    createRoute({
      getParentRoute: () => screens,
      path: '/kitchen/$station',
      beforeLoad: cooksOnly,
      component: lazyRouteComponent(() => import('./pages/kitchen/kitchen.tsx'), 'Kitchen'),
    }),
  ]),
  inside.addChildren([
    home,
    office,
    createRoute({
      getParentRoute: () => inside,
      path: '/account',
      component: lazyRouteComponent(() => import('./pages/sign-in/account.tsx'), 'Account'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/shift',
      beforeLoad({ context: { me } }) {
        if (!maySeeShifts(me)) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/shift/shift.tsx'), 'Shift'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/stock',
      beforeLoad({ context: { me } }) {
        if (!may(me, 'stock:read')) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/stock/stock.tsx'), 'Stock'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/customers',
      beforeLoad({ context: { me } }) {
        if (!may(me, 'customers:read')) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/customers/customers.tsx'), 'Customers'),
    }),
    reports,
    createRoute({
      getParentRoute: () => inside,
      path: '/reports/$report',
      validateSearch: reportSearch,
      beforeLoad({ context: { me }, params: { report } }) {
        if (!reportsOf(me).some((name) => name === report)) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/reports.tsx'), 'Reports'),
    }),
    data,
    createRoute({
      getParentRoute: () => inside,
      path: '/data/$resource',
      // A link can lead to one row.
      validateSearch: ({ id }): { id?: string } =>
        typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {},
      beforeLoad({ context: { me } }) {
        if (me.kind === 'operator') throw redirect({ to: '/operator/brands' })
      },
      component: lazyRouteComponent(() => import('./pages/data.tsx'), 'Data'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/events',
      beforeLoad({ context: { me } }) {
        if (!mayFollow(me)) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/events.tsx'), 'Events'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/books',
      beforeLoad({ context: { me } }) {
        if (!mayReadBooks(me)) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/books.tsx'), 'Books'),
    }),
    brandSide.addChildren([
      createRoute({
        getParentRoute: () => brandSide,
        path: '/open-api',
        component: lazyRouteComponent(() => import('./pages/open-api.tsx'), 'OpenApi'),
      }),
      createRoute({
        getParentRoute: () => brandSide,
        path: '/activity',
        component: lazyRouteComponent(activity, 'BrandActivity'),
      }),
      createRoute({
        getParentRoute: () => brandSide,
        path: '/activity/requests',
        validateSearch: linkedFilter,
        component: lazyRouteComponent(requests, 'BrandRequests'),
      }),
      createRoute({
        getParentRoute: () => brandSide,
        path: '/audit',
        component: lazyRouteComponent(audit, 'BrandAudit'),
      }),
    ]),
    operatorSide.addChildren([
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/brands',
        component: lazyRouteComponent(() => import('./pages/operator/brands.tsx'), 'Brands'),
      }),
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/integrators',
        component: lazyRouteComponent(() => import('./pages/operator/integrators.tsx'), 'Integrators'),
      }),
      rotation,
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/shared-brands',
        component: lazyRouteComponent(operatorOverview, 'SharedBrands'),
      }),
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/health',
        component: lazyRouteComponent(operatorOverview, 'Health'),
      }),
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/sign-ins',
        component: lazyRouteComponent(operatorOverview, 'SignIns'),
      }),
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/activity',
        component: lazyRouteComponent(activity, 'OperatorActivity'),
      }),
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/activity/requests',
        validateSearch: linkedFilter,
        component: lazyRouteComponent(requests, 'OperatorRequests'),
      }),
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/audit',
        component: lazyRouteComponent(audit, 'OperatorAudit'),
      }),
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

export const makeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: '/back-office',
    context: { client },
    defaultNotFoundComponent: NotFound,
    defaultPreload: false,
    scrollRestoration: false,
  })

/** From wherever somebody has to be signed in. */
export async function askToSignIn(router: ReturnType<typeof makeRouter>): Promise<void> {
  const { location, matches } = router.state
  if (matches.some(({ routeId }) => routeId === signIn.id || routeId === invitation.id)) return
  await router.navigate(toSignIn(location))
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
