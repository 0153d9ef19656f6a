import { createHash } from 'node:crypto'
import { encode } from 'uqr'
import type { Authority } from './lan.ts'
import { connectTexts, type System } from './texts/texts.ts'

// The page Connect a device: one answer without files of its own, because a device that trusts nothing yet reads it in plain HTTP.

// The colours of the back office: bottle green on warm greys.
const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#211e1b,#e9e7e4);--quiet:light-dark(#544e47,#c9c5bf);
--ground:light-dark(#f4f2ef,#191816);--card:light-dark(#fff,#201e1c);--line:light-dark(#e2dfda,#3a3733);--green:light-dark(#2a6b4a,#8ac0a3);--amber:light-dark(#8a4b00,#e5b567)}
*{box-sizing:border-box}[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:42rem;margin:0 auto;padding:2rem 1rem 4rem}h1{margin:0 0 .25rem;font-size:1.75rem}h2{margin:0 0 .5rem;font-size:1.125rem}
section{margin:1.25rem 0 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}
p{margin:.25rem 0 .75rem}.quiet{color:var(--quiet)}.yes{color:var(--green);font-weight:600}.no{color:var(--amber);font-weight:600}
a{color:var(--green)}.button,button{display:inline-block;min-height:2.75rem;padding:.625rem 1rem;border:1px solid var(--green);border-radius:.375rem;background:none;color:var(--green);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
.main{background:#2a6b4a;border-color:#2a6b4a;color:#fff}
details{border-top:1px solid var(--line)}summary{padding:.75rem 0;font-weight:600;cursor:pointer}ol,ul{margin:.25rem 0 1rem;padding-left:1.5rem}li{margin:.375rem 0}
dl{margin:0}dt{color:var(--quiet)}dd{margin:0 0 .5rem;font-family:ui-monospace,monospace}
svg{display:block;width:12rem;height:12rem;max-width:100%;border-radius:.375rem;background:#fff}.large{font-size:1.125rem;font-weight:600}`

// A request without CORS is answered only over a connection that the browser trusts; what is answered does not matter.
const SCRIPT = `const { origin, now } = document.querySelector('main').dataset
const states = document.querySelectorAll('[data-state]')
let state
const show = (next) => { state = next; for (const each of states) each.hidden = each.dataset.state !== next }
const check = async () => {
  if (state === 'checking') return
  show('checking')
  const options = { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(8000) }
  await fetch(origin + '/health/live', options).then(() => show('trusted'), () => show('untrusted'))
}
document.querySelector('button').onclick = check
document.onvisibilitychange = () => { if (!document.hidden && state !== 'trusted') check() }
document.querySelector('#clock').hidden = Math.abs(Date.now() - now) < 3600000
if (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1) {
  document.querySelector('#ios').open = true
  document.querySelector('#macos').open = false
}
check()`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Headers of the page; `origin` is the address that it checks. */
export const connectHeaders = (origin: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    `connect-src ${origin}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'content-type': 'text/html; charset=utf-8',
})

/** Where each file is served. */
export const FILES = {
  der: '/comptoir.crt',
  pem: '/comptoir.pem',
  profile: '/comptoir.mobileconfig',
} as const

const FILE_OF: Record<System, keyof typeof FILES> = {
  android: 'der',
  ios: 'profile',
  windows: 'der',
  macos: 'der',
  chromeos: 'der',
  firefox: 'pem',
}

/** What the page is about. */
export interface Connection {
  readonly authority: Authority
  /** The service, by the name or address that the device used. */
  readonly origin: string
  /** Other addresses of the service. */
  readonly others: readonly string[]
  /** The address by which the next device opens this page. */
  readonly page: string
  readonly now: number
}

export function connectPage(
  { authority, origin, others, page, now }: Connection,
  { language: asked, userAgent = '' }: { language: string | undefined; userAgent: string | undefined },
): string {
  const { language, texts } = connectTexts(asked)
  const { check, steps, compare, other, help } = texts
  const open = systemOf(userAgent)
  const written = (text: string) => markup(text.replaceAll('{authority}', authority.title))
  const system = ([id, { name, steps: each }]: [string, { name: string; steps: string[] }]) => {
    const file = FILE_OF[id as System]
    const download = file === 'profile' ? steps.downloadProfile : steps.download
    return `<details id="${id}"${id === open ? ' open' : ''}><summary>${written(name)}</summary>
<ol><li><a href="${FILES[file]}" download>${written(download)}</a></li>
${[...each, steps.last].map((step) => `<li>${written(step)}</li>`).join('\n')}</ol></details>`
  }
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${written(texts.title)} · Comptoir</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main data-origin="${origin}" data-now="${now}">
<h1>${written(texts.title)}</h1>
<p class="quiet">${written(texts.lead)}</p>
<section>
<h2>${written(check.title)}</h2>
<p id="clock" class="no" hidden>${written(check.clock)}</p>
<div role="status">
<p data-state="checking" hidden>${written(check.checking)}</p>
<p data-state="trusted" class="yes" hidden>${written(check.trusted)}</p>
<p data-state="untrusted" class="no" hidden>${written(check.untrusted)}</p>
</div>
<a class="button main" data-state="trusted" href="${origin}/back-office/" hidden>${written(check.signIn)}</a>
<button type="button" data-state="untrusted" hidden>${written(check.again)}</button>
<noscript><p>${written(check.noScript)} <a href="${origin}/back-office/">${origin}</a></p></noscript>
</section>
<section>
<h2>${written(steps.title)}</h2>
<p class="quiet">${written(steps.lead)}</p>
${Object.entries(steps.systems).map(system).join('\n')}
<p class="quiet">${written(steps.tried)}</p>
</section>
<section>
<h2>${written(compare.title)}</h2>
<p class="quiet">${written(compare.lead)}</p>
<dl><dt>${written(compare.name)}</dt><dd>${written(authority.title)}</dd>
<dt>${written(compare.fingerprint)}</dt><dd>${authority.fingerprint}</dd>
<dt>${written(compare.files)}</dt><dd>${Object.values(FILES)
    .map((file) => `<a href="${file}" download>${file.slice(1)}</a>`)
    .join(' ')}</dd></dl>
</section>
<section>
<h2>${written(other.title)}</h2>
<p class="quiet">${written(other.lead)}</p>
${qrCode(page, written(other.picture(page)))}
<p class="large">${page}</p>
${others.length > 0 ? `<p class="quiet">${written(other.alsoAt)}<br>${others.join('<br>')}</p>` : ''}
</section>
<section>
<h2>${written(help.title)}</h2>
<ul>${help.items.map((item) => `<li>${written(item)}</li>`).join('\n')}</ul>
</section>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}

/** The system whose steps are unfolded at first. An iPad calls itself a Mac; the page’s script tells it by its touch screen. */
function systemOf(userAgent: string): System | undefined {
  const found: [RegExp, System][] = [
    [/Firefox/, 'firefox'],
    [/Android/, 'android'],
    [/iPhone|iPad|iPod/, 'ios'],
    [/Windows/, 'windows'],
    [/Macintosh/, 'macos'],
    [/CrOS|Linux/, 'chromeos'],
  ]
  return found.find(([pattern]) => pattern.test(userAgent))?.[1]
}

function qrCode(text: string, label: string): string {
  const modules = encode(text, { ecc: 'M', border: 0 }).data
  const squares = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return `<svg viewBox="-4 -4 ${modules.length + 8} ${modules.length + 8}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${squares.join('')}" fill="#000"/></svg>`
}

const markup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
