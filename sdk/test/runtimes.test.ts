import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { type Package, pack, run } from './package.ts'
import { CREDENTIALS, open, restaurant } from './restaurant.ts'

// Bun, Deno and workers are not at hand, but what they have in common is: the web's own globals. Here is a scope that has
// those and nothing of Node, dressed as each of them.

let sdk: Package
before(async () => {
  sdk = await pack()
})

const codeOf = (dist: string) =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))

test('it imports nothing but itself', () => {
  for (const name of codeOf(sdk.dist)) {
    const code = readFileSync(join(sdk.dist, name), 'utf8')
    const specifiers = [...code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1])
    for (const specifier of specifiers) assert.match(specifier!, /^\.{1,2}\/[a-z/-]+\.js$/, name)
    assert.doesNotMatch(code, /\b(require|process|Buffer|__dirname)\b\s*[.(]/, name)
  }
})

/** Runs the build in a scope with the web's globals and those given, and tells what became of it. */
const harness = (dist: string, baseUrl: string, globals: string) => `
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createContext, SourceTextModule } from 'node:vm'

const { fetch, Request, Response, Headers, URL, URLSearchParams, AbortController, AbortSignal, TextEncoder, TextDecoder } = globalThis
const { crypto, setTimeout, clearTimeout, queueMicrotask, structuredClone, performance } = globalThis
const told = []
const scope = createContext({
  fetch, Request, Response, Headers, URL, URLSearchParams, AbortController, AbortSignal, TextEncoder, TextDecoder,
  crypto, setTimeout, clearTimeout, queueMicrotask, structuredClone, performance,
  tell: (...words) => told.push(words.join(' ')),
})
const modules = new Map()
const load = (name) => {
  if (!modules.has(name)) {
    const code = readFileSync(${JSON.stringify(dist)} + '/' + name, 'utf8')
    modules.set(name, new SourceTextModule(code, { context: scope, identifier: name }))
  }
  return modules.get(name)
}
const program = new SourceTextModule(${JSON.stringify(program(baseUrl, globals))}, { context: scope, identifier: 'program' })
await program.link((specifier, { identifier }) => load(join(dirname(identifier), specifier)))
await program.evaluate()
console.log(told.join('\\n'))
`

const program = (baseUrl: string, globals: string) => `
import { Comptoir, ConflictError } from './index.js'
${globals}
let client
try {
  client = new Comptoir(${JSON.stringify({ ...CREDENTIALS, baseUrl })})
} catch (error) {
  tell(error.message)
}
if (client) {
  let total = 0
  for await (const { price } of client.products.list({ fields: ['price'], limit: 100 })) total += price ?? 0
  await client.customers.create({ name: 'Aysel', phone: '+994501112233' })
  const conflict = await client.customers.create({ name: 'Leyla', phone: '+994501112233' }).catch((error) => error)
  const { venue_id } = await client.venue(2).receipts.get(1)
  const stopped = await client.receipts.get(1, { signal: AbortSignal.abort('enough') }).catch((reason) => reason)
  tell(total, conflict instanceof ConflictError, venue_id, stopped, typeof process, typeof Buffer)
}
`

const WORKS = '8340 true 2 enough undefined undefined\n'
const REFUSES = /^@comptoir\/sdk does not run in a browser/

for (const [where, globals, told] of [
  ['the web alone', '', WORKS],
  [
    'Bun',
    "globalThis.Bun = {}; globalThis.self = globalThis; globalThis.navigator = { userAgent: 'Bun/1.3.0' }",
    WORKS,
  ],
  [
    'Deno',
    "globalThis.Deno = {}; globalThis.self = globalThis; globalThis.navigator = { userAgent: 'Deno/2.5.0' }",
    WORKS,
  ],
  ['Deno 1, which had a window', 'globalThis.Deno = {}; globalThis.window = globalThis', WORKS],
  [
    'a Cloudflare worker',
    "globalThis.self = globalThis; globalThis.WorkerGlobalScope = class {}; globalThis.navigator = { userAgent: 'Cloudflare-Workers' }",
    WORKS,
  ],
  ['a browser’s page', 'globalThis.window = globalThis; globalThis.document = {}', REFUSES],
  [
    'a browser’s worker',
    "globalThis.self = globalThis; globalThis.WorkerGlobalScope = class {}; globalThis.navigator = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }",
    REFUSES,
  ],
] as const)
  test(`it ${told === WORKS ? 'works' : 'refuses to work'} among the globals of ${where}`, async (t) => {
    const file = join(sdk.dist, '..', 'harness.mjs')
    await writeFile(file, harness(sdk.dist, await open(t, restaurant()), globals))
    const { stdout } = await run(process.execPath, ['--experimental-vm-modules', '--no-warnings', file])
    if (typeof told === 'string') assert.equal(stdout, told)
    else assert.match(stdout, told)
  })
