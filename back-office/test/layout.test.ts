import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { BRAND_PAGES, OPERATOR_PAGES } from './every-page.ts'

const SRC = new URL('../src/', import.meta.url)
const textOf = (file: string) => readFileSync(new URL(file, SRC), 'utf8')

test('styles say start and end, so that a language that is written from the right needs words alone', () => {
  const sided =
    /(?<![-\w])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:left|right)(?:-\w+)*\s*:|(?:text-align|float|clear):\s*(?:left|right)|border-(?:top|bottom)-(?:left|right)/
  for (const file of globSync('**/*.css', { cwd: SRC }))
    for (const line of textOf(file).split('\n')) assert.doesNotMatch(line, sided, file)
  const props =
    /\s(?:ml|mr|pl|pr)=|(?:margin|padding|border)(?:Left|Right)\b|textAlign: '(?:left|right)'|\sta="(?:left|right)"/
  for (const file of globSync('**/*.tsx', { cwd: SRC }))
    for (const line of textOf(file).split('\n')) assert.doesNotMatch(line, props, file)
})

test('flows and screenshots visit every page that the router has', () => {
  const routes = [
    ...textOf('router.tsx').matchAll(/(?:page|screen|ofBrand|ofOperator)\('(\/[^']*)', \{\s*([a-zA-Z]+)/g),
  ]
    .filter(([, , first]) => first !== 'leadsTo')
    .map(([, path]) => path!)
  assert.ok(routes.length > 40)
  const visited = [...BRAND_PAGES, ...OPERATOR_PAGES].map((path) => path.split('?')[0]!.split('/'))
  const isVisited = (route: string) =>
    visited.some((path) => {
      const parts = route.split('/')
      return parts.length === path.length && parts.every((part, index) => part.startsWith('$') || part === path[index])
    })
  assert.deepEqual(
    routes.filter((route) => !isVisited(route)),
    ['/webhooks/$endpoint'], // the demo has none: webhooks.flow.ts makes one
  )
})
