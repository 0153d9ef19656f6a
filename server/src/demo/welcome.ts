import { normalize } from 'node:path'
import type { Config } from '../config.ts'
import { DEMO, DEMO_PEOPLE } from './fill.ts'

const IS_CHECKOUT = import.meta.url.endsWith('.ts')

/** What the console says when the demo is served: every line can be believed and pasted. */
export function welcome(
  origin: string,
  { COMPTOIR_BASE_PATH, COMPTOIR_DATA }: Pick<Config, 'COMPTOIR_BASE_PATH' | 'COMPTOIR_DATA'>,
  colour: boolean,
): string {
  const paint = (code: string, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const bold = (text: string) => paint('1', text)
  const link = (text: string) => paint('36', text)
  const api = `${origin}${COMPTOIR_BASE_PATH}`
  const line = (name: string, value: string) => `  ${name.padEnd(14)} ${value}`
  const { username, operator, password } = DEMO_PEOPLE
  return [
    '',
    bold('Comptoir serves the demo restaurant Le Comptoir: three venues, a menu, a month of receipts.'),
    '',
    bold('Sign in and list three products:'),
    '',
    curl(api),
    '',
    ...(IS_CHECKOUT ? [bold('The same with the SDK:'), '', sdk(api), ''] : []),
    ...Object.entries(DEMO).map(([name, value]) => line(name, value)),
    '',
    'Next: docs/quick-start.md. Stop with Ctrl-C; the data stays.',
    `Other commands reach it by COMPTOIR_DATA=${normalize(COMPTOIR_DATA)}. A restaurant of your own: npx comptoir serve`,
    '',
    line('API', link(api)),
    line('Reference', link(`${origin}/docs`)),
    line('Till', link(`${origin}/back-office/till`)),
    line('Kitchen', link(`${origin}/back-office/kitchen`)),
    line('Back office', link(`${origin}/back-office`)),
    line('', `brand ${DEMO.brand}: ${username} / ${password}; operator: ${operator} / ${password}`),
    '',
    '',
  ].join('\n')
}

/** One line that signs in and lists three products, with nothing but curl and sed. */
export function curl(api: string): string {
  const token = `$(curl -s ${api}/auth -H 'content-type: application/json' -d '${JSON.stringify(DEMO)}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`
  return `curl -s "${api}/products?limit=3&fields=name,price" -H "x-token: ${token}"`
}

/** The same by the SDK, in a checkout: npx finds its Node there, and Node the package. */
export function sdk(api: string): string {
  const settings = {
    baseUrl: api,
    clientId: DEMO.client_id,
    clientSecret: DEMO.client_secret,
    brand: DEMO.brand,
    integratorId: DEMO.integrator_id,
  }
  const written = Object.entries(settings).map(([name, value]) => `${name}: '${value}'`)
  const list = `(await new Comptoir({ ${written.join(', ')} }).products.list({ limit: 3, fields: ['name', 'price'] }).page()).data`
  return `npx node --input-type=module -e "import { Comptoir } from '@comptoir/sdk'; console.table(${list})"`
}
