import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
/** What a restaurant works with all day, and the other pages. */
const MAX_KB = { daily: 200, other: 250 }
const DAILY = /^(today|till|kitchen|stations|invitation|shift|stock|customers)-/
/** They stand by themselves, without the frame. */
const SCREENS = ['till', 'kitchen', 'stations', 'invitation']
/** Charts are not counted, nor a page's own texts, which are 3 kB at most. */
const CHART = /^BarChart-/
const IMPORT = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g
const LAZY = /import\(\s*[`"']\.\/([\w.-]+\.js)[`"']\s*\)/g

const textOf = (file: string) => readFileSync(`${DIST}assets/${file}`, 'utf8')
const named = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, file]) => file!)

/** A file of the build, and everything that is loaded because of it. What is only loaded on demand, as charts are, is not. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const other of named(IMPORT, textOf(file))) withImports(other, found)
  return found
}

test('the till, the kitchen, the shift, the stock room and the customers load less than 200 kB of JavaScript, compressed', {
  skip: !existsSync(DIST) && 'the pages are not built',
}, (t) => {
  const [entry] = named(/src="\/back-office\/assets\/([\w.-]+\.js)"/g, readFileSync(`${DIST}index.html`, 'utf8'))
  const app = named(LAZY, textOf(entry!)).find((file) => file.startsWith('app-'))!
  const language = readdirSync(`${DIST}assets`).find((file) => /^en-.*\.js$/.test(file))!
  const pages = named(LAZY, textOf(app))
  const frame = pages.find((file) => file.startsWith('frame-'))
  assert.ok(pages.length > 15 && frame, `what the app loads on demand: ${pages.join(', ')}`)
  const isScreen = (page: string) => SCREENS.some((name) => page.startsWith(`${name}-`))
  const kilobytes = (page: string) => {
    const roots = [entry!, language, app, ...(isScreen(page) ? [] : [frame]), page]
    const files = new Set(roots.flatMap((file) => [...withImports(file)]).filter((file) => !CHART.test(file)))
    return Math.round([...files].reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0) / 1000)
  }
  const sizes = pages.map((page) => [page, kilobytes(page)] as const)
  t.diagnostic(sizes.map(([page, size]) => `${page.replace(/\.js$/, '')} ${size} kB`).join(', '))
  assert.equal(sizes.filter(([page]) => isScreen(page)).length, SCREENS.length)
  for (const [page, size] of sizes)
    assert.ok(size < (DAILY.test(page) ? MAX_KB.daily : MAX_KB.other), `${page}: ${size} kB`)
})
