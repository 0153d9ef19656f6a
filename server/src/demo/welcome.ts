import { DEMO } from './fill.ts'

/** What the console says when the demo is served: every line can be believed and pasted. */
export function welcome(origin: string, basePath: string, colour: boolean): string {
  const paint = (code: string, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const bold = (text: string) => paint('1', text)
  const link = (text: string) => paint('36', text)
  const api = `${origin}${basePath}`
  const credentials = Object.entries(DEMO).map(([name, value]) => `  ${name.padEnd(14)} ${value}`)
  return [
    '',
    bold('Comptoir serves the demo restaurant Le Comptoir: three venues, a menu, thirty days of receipts.'),
    '',
    `  ${'API'.padEnd(14)} ${link(api)}`,
    `  ${'Reference'.padEnd(14)} ${link(`${origin}/docs`)}`,
    ...credentials,
    '',
    bold('Sign in and list three products:'),
    '',
    curl(api),
    '',
    `Next: docs/quick-start.md. Stop with Ctrl-C; the data stays.`,
    '',
    '',
  ].join('\n')
}

/** One line that signs in and lists three products, with nothing but curl and sed. */
export function curl(api: string): string {
  const token = `$(curl -s ${api}/auth -H 'content-type: application/json' -d '${JSON.stringify(DEMO)}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`
  return `curl -s "${api}/products?limit=3&fields=name,price" -H "x-token: ${token}"`
}
