import '@mantine/core/styles.css'
import 'virtual:theme.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onSignedOut, Refused } from './api.ts'
import { askBeforeLeaving } from './live/outbox/waiting.ts'
import { askToSignIn, makeRouter } from './router.tsx'
import { Asking } from './service/asking.tsx'
import { Lock } from './service/lock.tsx'
import { theme } from './theme.ts'

const client = new QueryClient({
  defaultOptions: {
    // Our own service may run on this machine, without any network; and what waits for one would be done later, also after Cancel.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // Too many searches at once is over soon; any other refusal would be the same again.
      retry: (count, error) =>
        count < 2 &&
        !(error instanceof Refused && error.slug !== 'too_many_searches' && error.status > 0 && error.status < 500),
    },
  },
})
const router = makeRouter(client)
askBeforeLeaving()
// A session can end at any time: the page that notices goes to the sign-in page, which returns here afterwards.
onSignedOut(async () => {
  await askToSignIn(router)
  client.removeQueries({ queryKey: ['me'] })
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {/* Variables come with the build and no component writes style elements: the Content Security Policy refuses them. */}
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Asking />
        <Lock />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
