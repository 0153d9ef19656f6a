import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { once, sendable, staticFile } from './static-file.ts'

// The colours of the back office: bottle green on warm greys.
const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#211e1b,#e9e7e4);--quiet:light-dark(#544e47,#c9c5bf);
--ground:light-dark(#f4f2ef,#191816);--card:light-dark(#fff,#201e1c);--line:light-dark(#e2dfda,#3a3733);--green:light-dark(#2a6b4a,#8ac0a3)}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,"Segoe UI",Roboto,sans-serif}
main{max-width:40rem;margin:0 auto;padding:3rem 1rem}
header{display:flex;align-items:center;gap:.75rem}svg{width:2.5rem;height:2.5rem;flex:none}h1{margin:0;font-size:1.75rem}
p{color:var(--quiet)}code{color:var(--ink)}ul{list-style:none;display:grid;gap:.75rem;margin:1.5rem 0;padding:0}
a{display:block;padding:.875rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:inherit;text-decoration:none}
a:hover,a:focus-visible{border-color:var(--green)}b{color:var(--green)}a span{display:block;color:var(--quiet)}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'", // the icon
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** GET /: for a person who opens the server's address, what is to be found here; and the icon. `base` is the API's path. */
export function serveHomePage(app: FastifyInstance, base: string): void {
  const page = once(() => staticFile('text/html; charset=utf-8', htmlOf(base)))
  app.get('/', async (request, reply) => {
    reply.headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
    return reply.send(sendable(request, reply, await page(), 'no-cache'))
  })
  const icon = once(async () => staticFile('image/x-icon', await readFile(new URL('favicon.ico', import.meta.url))))
  app.get('/favicon.ico', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    return reply.send(sendable(request, reply, await icon(), 'public, max-age=86400'))
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
<header>
<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2a6b4a"/><path d="M7 21.5h18M9.5 21.5a6.5 6.5 0 0 1 13 0M16 12.2v2.6" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/><circle cx="16" cy="10.6" r="1.6" fill="#fff"/></svg>
<h1>Comptoir</h1>
</header>
<p>The point of sale of this restaurant. The API for integrations is at <code>${base}</code>.</p>
<ul>
<li><a href="/back-office/till"><b>Till</b><span>Sell and take payments</span></a></li>
<li><a href="/back-office/kitchen"><b>Kitchen</b><span>Tickets of each station</span></a></li>
<li><a href="/back-office/"><b>Back office</b><span>Menu, stock, staff and reports</span></a></li>
<li><a href="/docs/"><b>API reference</b><span>For those who connect a program</span></a></li>
<li><a href="/health/ready"><b>Health check</b><span>Whether everything works</span></a></li>
</ul>
</main>
</body>
</html>
`
