import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'

/**
 * GET /docs: the reference page, from the installed package alone. The package is megabytes, so it is loaded by the first who asks
 * and not at the start. `signIn` gives the page a token to try calls with, in the demo only.
 */
export function serveReferencePage(
  app: FastifyInstance,
  signIn: (() => Promise<string | undefined>) | undefined,
): void {
  let loaded: Promise<Page> | undefined
  const serve = async (url: string) => {
    loaded ??= loadPage()
    const page = await loaded
    if (signIn && url === '/docs/') page.prefill((await signIn()) ?? '')
    return page.get(url)
  }
  for (const url of ['/docs', '/docs/', '/docs/js/scalar.js'])
    app.get(url, async (_request, reply) => {
      const { statusCode, headers, rawPayload } = await serve(url)
      return reply.status(statusCode).headers(headers).send(rawPayload)
    })
}

interface Page {
  get(url: string): Promise<LightMyRequestResponse>
  prefill(token: string): void
}

async function loadPage(): Promise<Page> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const token = { value: '' }
  const page = Fastify()
  await page.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Comptoir API',
      // What would ask another host: fonts, counting, an assistant, tools of the maker's.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      authentication: { preferredSecurityScheme: 'x-token', securitySchemes: { 'x-token': token } },
    },
  })
  return {
    get: (url) => page.inject(url),
    prefill(value) {
      token.value = value
    },
  }
}
