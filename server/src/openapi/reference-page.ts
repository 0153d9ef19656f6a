import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { once, type StaticFile, sendable, staticFile } from '../http/static-file.ts'

const PAGE = '/docs/'
const SCRIPT = '/docs/js/scalar.js'
const TOKEN = 'token-of-this-page' // where the page has the demo's token, or none

/**
 * GET /docs: the reference page, from the installed package alone. The package is megabytes, so it is loaded by the first who asks
 * and not at the start; then its bytes are held. `signIn` gives the page a token to try calls with, in the demo only.
 */
export function serveReferencePage(
  app: FastifyInstance,
  signIn: ((request: FastifyRequest) => Promise<string | undefined>) | undefined,
): void {
  const reference = once(loadReference)
  const script = once(async () => staticFile('text/javascript; charset=utf-8', (await reference()).script))
  let page = once(() => pageWith(''))
  let shownToken = ''

  async function pageWith(token: string): Promise<Page> {
    const html = (await reference()).page.replace(TOKEN, token)
    return { file: await staticFile('text/html; charset=utf-8', html), policy: policyFor(html) }
  }

  async function currentPage(request: FastifyRequest): Promise<Page> {
    const token = (await signIn?.(request)) ?? ''
    if (token !== shownToken) {
      shownToken = token
      page = once(() => pageWith(token))
    }
    return page()
  }

  app.get('/docs', async (_request, reply) => reply.redirect(PAGE, 301))
  app.get(PAGE, async (request, reply) => {
    const { file, policy } = await currentPage(request)
    reply.headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
    return reply.send(sendable(request, reply, file, 'no-cache'))
  })
  app.get(SCRIPT, async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    return reply.send(sendable(request, reply, await script(), 'public, max-age=3600'))
  })
}

interface Page {
  file: StaticFile
  policy: string
}

// Our own origin only, and of inline scripts the page's own. Scalar writes style attributes, which a policy can only allow all together.
function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script type="text\/javascript">([\s\S]*?)<\/script>/g)]
  const hashes = inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The texts that the package would serve itself. */
async function loadReference() {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Comptoir API',
      // Switched off, because they call other hosts: fonts, telemetry, the assistant, developer tools.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      authentication: { preferredSecurityScheme: 'x-token', securitySchemes: { 'x-token': { value: TOKEN } } },
    },
  })
  return { page: (await server.inject(PAGE)).payload, script: (await server.inject(SCRIPT)).payload }
}
