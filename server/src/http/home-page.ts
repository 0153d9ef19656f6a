import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { HOME_LANGUAGES, homeTexts } from './home-texts.ts'
import { once, type StaticFile, sendable, staticFile } from './static-file.ts'

// The colours of the back office: bottle green on warm greys.
const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#211e1b,#e9e7e4);--quiet:light-dark(#544e47,#c9c5bf);
--ground:light-dark(#f4f2ef,#191816);--card:light-dark(#fff,#201e1c);--line:light-dark(#e2dfda,#3a3733);--green:light-dark(#2a6b4a,#8ac0a3)}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,"Segoe UI",Roboto,sans-serif}
main{max-width:40rem;margin:0 auto;padding:3rem 1rem}
header{display:flex;align-items:center;gap:.75rem}svg{width:2.5rem;height:2.5rem;flex:none}h1{margin:0;font-size:1.75rem}
p{color:var(--quiet)}code{color:var(--ink)}ul{list-style:none;display:grid;gap:.75rem;margin:1.5rem 0;padding:0}
a{display:block;padding:.875rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:inherit;text-decoration:none}
a:hover,a:focus-visible{border-color:var(--green)}b{color:var(--green)}a span{display:block;color:var(--quiet)}
section{padding:.25rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}h2{font-size:1.125rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:0}dt{color:var(--quiet)}dd{margin:0;font-family:ui-monospace,monospace}
.no{color:light-dark(#8a4b00,#e5b567);font-weight:600}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'", // the icon
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const MARK = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2a6b4a"/><path d="M7 21.5h18M9.5 21.5a6.5 6.5 0 0 1 13 0M16 12.2v2.6" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/><circle cx="16" cy="10.6" r="1.6" fill="#fff"/></svg>`

/** What the page says of the demo, whose passwords everybody knows. */
interface DemoPeople {
  readonly brand: string
  readonly username: string
  readonly operator: string
  readonly password: string
}

export interface HomeOptions {
  /** The path of the API. */
  readonly base: string
  readonly demo: DemoPeople | undefined
  readonly isReady: () => Promise<boolean>
  /** Whether there is a restaurant; asked until there is one. */
  readonly isOpened: () => Promise<boolean>
}

/** What a page says of the service. */
interface Shown {
  readonly language: string
  readonly isReady: boolean
  readonly isOpened: boolean
}

/** GET /: for a person who opens the server's address, what is to be found here and whether it works; and the icon. */
export function serveHomePage(app: FastifyInstance, { base, demo, isReady, isOpened }: HomeOptions): void {
  const pages = new Map<string, Promise<StaticFile>>()
  const pageOf = (shown: Shown) => {
    const name = JSON.stringify(shown)
    let page = pages.get(name)
    if (!page) {
      page = staticFile('text/html; charset=utf-8', htmlOf(shown, base, demo))
      pages.set(name, page)
    }
    return page
  }
  let wasOpened = false
  const opened = async () => {
    wasOpened ||= await isOpened()
    return wasOpened
  }
  app.get('/', async (request, reply) => {
    const ready = await isReady()
    const language = languageOf(request.headers['accept-language'])
    const page = await pageOf({ language, isReady: ready, isOpened: !ready || (await opened().catch(() => true)) })
    reply.headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
    const bytes = sendable(request, reply, page, 'no-cache')
    return reply.header('vary', 'accept-encoding, accept-language').send(bytes)
  })
  const icon = once(async () => staticFile('image/x-icon', await readFile(new URL('favicon.ico', import.meta.url))))
  app.get('/favicon.ico', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    return reply.send(sendable(request, reply, await icon(), 'public, max-age=86400'))
  })
}

/** The first language of a browser that there is; English otherwise. */
function languageOf(accepted = ''): string {
  const wanted = accepted.split(',').map((each) => each.trim().slice(0, 2).toLowerCase())
  return wanted.find((each) => HOME_LANGUAGES.includes(each)) ?? 'en'
}

function htmlOf({ language, isReady, isOpened }: Shown, base: string, demo: DemoPeople | undefined): string {
  const texts = homeTexts(language)
  const link = (href: string, [name, what]: readonly string[]) =>
    `<li><a href="${href}"><b>${name}</b><span>${what}</span></a></li>`
  const account = (members: readonly (readonly [string, string])[]) =>
    `<dl>${members.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`
  const ofDemo = (people: DemoPeople) => `<section>
<h2>${texts.demo.title}</h2>
<p>${texts.demo.lead}</p>
${account([
  [texts.demo.brand, people.brand],
  [texts.demo.username, people.username],
  [texts.demo.password, people.password],
])}
<p>${texts.demo.operator} <code>${people.operator}</code>, <code>${people.password}</code>.</p>
<p>${texts.demo.own} <code>npx comptoir serve</code>.</p>
</section>`
  const notOpened = `<section><h2>${texts.notOpened.title}</h2><p>${texts.notOpened.lead}</p></section>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Comptoir</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
${MARK}
<h1>Comptoir</h1>
</header>
<p>${texts.what} <span${isReady ? '' : ' class="no"'}>${isReady ? texts.ready : texts.notReady}</span></p>
${demo ? ofDemo(demo) : isOpened ? '' : notOpened}
<ul>
${isOpened ? link('/back-office/till', texts.till) : ''}
${isOpened ? link('/back-office/kitchen', texts.kitchen) : ''}
${link('/back-office/', texts.backOffice)}
${link('/docs/', texts.reference)}
${link('/health/ready', texts.health)}
</ul>
<p>${texts.api} <code>${base}</code>. ${texts.quickStart} <code>docs/quick-start.md</code>.</p>
</main>
</body>
</html>
`
}
