import { readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS } from '../server/src/config.ts'

const BEGIN = '<!-- settings: written by npm run docs -->\n'
const END = '<!-- end of settings -->'

/** The settings as docs/operating.md prints them. */
export function settingsTable(): string {
  const rows = Object.entries<{ default?: unknown; description: string }>(SETTINGS).map(
    ([name, { default: value, description }]) =>
      `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${description} |`,
  )
  return `${BEGIN}| Setting | Default | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n${END}`
}

if (import.meta.main) {
  const file = new URL('../docs/operating.md', import.meta.url)
  const page = readFileSync(file, 'utf8')
  const [before, rest = ''] = page.split(BEGIN)
  writeFileSync(file, `${before}${settingsTable()}${rest.slice(rest.indexOf(END) + END.length)}`)
}
