import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { compressedFile, once, type StaticFile, sendable, staticFile } from '../http/static-file.ts'

const PAGE = '/docs/'
const SCRIPT = '/docs/js/scalar.js'
/** Scalar's standalone script, written by scripts/reference.ts. */
const SCALAR = new URL('./reference/scalar.js.gz', import.meta.url)

/**
 * GET /docs: the reference page and its one script, which asks no other host. The script is megabytes, so it is read by the first who
 * asks and not at the start; then its bytes are held. `signIn` gives the page a token to try calls with, in the demo only.
 */
export function serveReferencePage(
  app: FastifyInstance,
  signIn: ((request: FastifyRequest) => Promise<string | undefined>) | undefined,
): void {
  const script = once(async () => compressedFile('text/javascript; charset=utf-8', await readFile(SCALAR)))
  let page = once(() => pageWith(''))
  let shownToken = ''

  async function pageWith(token: string): Promise<Page> {
    const html = htmlWith(token)
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

const htmlWith = (token: string) => `<!doctype html>
<html lang="en">
  <head>
    <title>Comptoir API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="js/scalar.js"></script>
    <script type="text/javascript">Scalar.createApiReference('#app', ${JSON.stringify(configurationWith(token))})</script>
  </body>
</html>
`

const configurationWith = (token: string) => ({
  url: '/openapi.json',
  // Switched off, because they call other hosts: fonts, telemetry, the assistant, developer tools.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'x-token', securitySchemes: { 'x-token': { value: token } } },
})
