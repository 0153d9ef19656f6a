import { Button, Stack, Text, Title } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, Link, Outlet, redirect } from '@tanstack/react-router'
import { queries, Refused } from './api.ts'
import { Frame, mayManage } from './components/frame.tsx'
import { Page } from './components/page.tsx'
import { Failure } from './components/states.tsx'
import { Audit } from './pages/audit.tsx'
import { Brands } from './pages/brands.tsx'
import { Integrators } from './pages/integrators.tsx'
import { Invitation } from './pages/invitation.tsx'
import { OpenApi } from './pages/open-api.tsx'
import { Rotation } from './pages/rotation.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Health, SharedBrands, SignIns } from './pages/watch.tsx'
import { texts } from './texts/texts.ts'

// Every address of the pages, and who may stand there. The server decides what they are answered; this only spares them a refusal.

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Only a path of our own: an address in a link must not lead elsewhere.
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' && /^\/[a-z]/.test(next) ? { next } : {}),
  component: SignIn,
})

const invitation = createRoute({ getParentRoute: () => root, path: '/invitation', component: Invitation })

/** Everything behind the door. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'in',
  async beforeLoad({ context, location }) {
    try {
      return { me: await context.client.ensureQueryData(queries.me) }
    } catch (error) {
      if (!(error instanceof Refused && error.slug === 'signed_out')) throw error
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.pathname } })
    }
  },
  component: Frame,
  errorComponent: ({ error, reset }) => (
    <div className="content">
      <Failure error={error as Error} again={reset} />
    </div>
  ),
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad({ context: { me } }) {
    throw redirect({ to: me.kind === 'operator' ? '/operator/brands' : '/open-api' })
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
      {null}
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
  component: Rotation,
})

const tree = root.addChildren([
  signIn,
  invitation,
  inside.addChildren([
    home,
    brandSide.addChildren([
      createRoute({ getParentRoute: () => brandSide, path: '/open-api', component: OpenApi }),
      createRoute({ getParentRoute: () => brandSide, path: '/audit', component: () => <Audit side="" /> }),
    ]),
    operatorSide.addChildren([
      createRoute({ getParentRoute: () => operatorSide, path: '/operator/brands', component: Brands }),
      createRoute({ getParentRoute: () => operatorSide, path: '/operator/integrators', component: Integrators }),
      rotation,
      createRoute({ getParentRoute: () => operatorSide, path: '/operator/shared-brands', component: SharedBrands }),
      createRoute({ getParentRoute: () => operatorSide, path: '/operator/health', component: Health }),
      createRoute({ getParentRoute: () => operatorSide, path: '/operator/sign-ins', component: SignIns }),
      createRoute({
        getParentRoute: () => operatorSide,
        path: '/operator/audit',
        component: () => <Audit side="/operator" />,
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

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
