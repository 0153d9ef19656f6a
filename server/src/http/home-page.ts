import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { once, sendable, staticFile } from './static-file.ts'

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}'

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** GET /: for a person who opens the server's address, what is to be found here. `base` is the API's path. */
export function serveHomePage(app: FastifyInstance, base: string): void {
  const page = once(() => staticFile('text/html; charset=utf-8', htmlOf(base)))
  app.get('/', async (request, reply) => {
    reply.headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
    return reply.send(sendable(request, reply, await page(), 'no-cache'))
  })
}

const htmlOf = (base: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Comptoir</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Comptoir</h1>
<p>The point-of-sale API is at <code>${base}</code>.</p>
<ul>
<li><a href="/docs/">API reference</a></li>
<li><a href="/back-office/">Back office</a></li>
<li><a href="/health/ready">Health check</a></li>
</ul>
</main>
</body>
</html>
`
