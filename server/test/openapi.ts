import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { DEMO, fillDemo } from '../src/demo/fill.ts'
import { closeDeps, openDeps } from '../src/deps.ts'
import { openKeyRing } from '../src/directory/keys.ts'
import type { Examples } from '../src/openapi/openapi.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openDatabase } from '../src/storage/open.ts'

// The description's examples are calls of the demo restaurant as it was on this day, so that they are the same for everybody.
const THE_DAY = Date.parse('2026-03-14T19:30:00.000Z')

export const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url)
export const EXAMPLES = new URL('../src/demo/examples.json', import.meta.url)

const NEW_CUSTOMER = { name: 'Camille Durand', phone: '+33 6 39 98 00 01', email: 'camille@example.com' }

/** Asks the demo restaurant for one example of each operation, and the service for its description. */
export async function ask(): Promise<{ examples: Examples; document: Record<string, unknown> }> {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-openapi-'))
  const config = loadConfig({ COMPTOIR_DATA: folder })
  const db = await openDatabase(config, 'command')
  await migrate(db)
  await fillDemo(db, await openKeyRing(db, config.COMPTOIR_KEYS), { now: new Date(THE_DAY) })
  await db.close()
  const deps = { ...(await openDeps(config, pino({ level: 'silent' }))), now: () => THE_DAY }
  const app = buildApp(deps)
  try {
    const signedIn = (await app.inject({ method: 'POST', url: '/v2/auth', payload: DEMO })).json()
    const headers = { 'x-token': signedIn.token as string }
    const get = async (url: string) => (await app.inject({ url: `/v2${url}`, headers })).json()
    const created = (await app.inject({ method: 'POST', url: '/v2/customers', headers, payload: NEW_CUSTOMER })).json()
    const examples: Examples = {
      signIn: {
        request: DEMO,
        response: {
          ...signedIn,
          token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IkV4In0.e30.c2ln',
          expires_at: THE_DAY / 1000 + 3600,
        },
      },
      whoAmI: { response: await whoAmI(get) },
      createCustomer: { request: NEW_CUSTOMER, response: { ...created, time: 2 } },
      listProducts: { response: await get('/products?limit=2&filters=[["type","DISH"]]') },
      listPriceLists: { response: trimmed(await get('/price-lists?include=prices&limit=1')) },
      getReceipt: { response: { ...(await get('/receipts/1')), time: 1 } },
      getStockOperation: { response: await get('/stock-operations/1') },
    }
    return { examples, document: (await app.inject('/openapi.json')).json() }
  } finally {
    await app.close()
    await closeDeps(deps)
    rmSync(folder, { recursive: true })
  }
}

/** The tiers run on a clock that nobody sets: how long until one more is that moment's alone. */
async function whoAmI(get: (url: string) => Promise<{ data: { expires_at: number; tiers: Record<string, object> } }>) {
  const { data, ...rest } = await get('/whoami')
  const tiers = Object.fromEntries(
    Object.entries(data.tiers).map(([name, tier]) => [name, { ...tier, reset: name === 'failures' ? 0 : 60 }]),
  )
  return { ...rest, data: { ...data, expires_at: THE_DAY / 1000 + 3600, tiers } }
}

/** Two entries of a price list show as much as all of them. */
const trimmed = (answer: { data: { prices: unknown[] }[] }) => ({
  ...answer,
  data: answer.data.map((list) => ({ ...list, prices: list.prices.slice(0, 2) })),
})

export const committed = (file: URL) => JSON.parse(readFileSync(file, 'utf8'))

// `npm run openapi`: first the examples, then, in a process that has read them, the description that holds them.
if (import.meta.main) {
  const { examples, document } = await ask()
  const [file, content] = process.argv[2] === 'examples' ? [EXAMPLES, examples] : [DOCUMENT, document]
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
