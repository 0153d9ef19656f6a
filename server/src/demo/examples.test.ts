import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Comptoir } from '@comptoir/sdk'
import { comptoirJson, type Serving, serving } from '../../test/command.ts'
import { type Installation, onEmbeddedEngine } from '../../test/database/engines.ts'
import { until } from '../../test/until.ts'
import { newSecret } from '../webhooks/secrets.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))

interface Item {
  id: number
  name: string
  /** Absent when it is sold in variants, each with its own. */
  price?: number
  variants: { id: number; price: number }[]
  options: { least: number; most: number; choices: object[] }[]
}

onEmbeddedEngine('examples/', (make) => {
  let here: Installation
  let server: Serving

  const run = async (name: string, ...words: string[]) => {
    const env = { PATH: process.env.PATH, COMPTOIR_URL: `${server.url}/v2` }
    return (await promisify(execFile)(process.execPath, [fileOf(name), ...words], { env })).stdout
  }

  before(async () => {
    here = await make('demo')
    server = await serving(here, ['--demo'])
  })

  test('menu-sync.ts makes a menu at the prices of the delivery list', async () => {
    const { menu, items } = JSON.parse(await run('menu-sync.ts')) as { menu: string; items: Item[] }
    const delivered = new Map(
      (await run('price-lists-to-csv.ts'))
        .split('\r\n')
        .filter((row) => row.startsWith('"Livraison",'))
        .map((row) => [Number(row.split(',')[2]), Number(row.split(',').at(-1))]),
    )
    assert.equal(menu, 'Livraison')
    assert.ok(items.length > 20, `${items.length} items`)
    const priced = items.flatMap<Pick<Item, 'id' | 'price'>>((item) => (item.variants[0] ? item.variants : [item]))
    assert.ok(priced.length > items.length, 'no variants')
    for (const { id, price } of priced) assert.equal(price, delivered.get(id), `product ${id}`)
    assert.ok(items.some(({ options }) => options.some(({ most, choices }) => most > 0 && choices.length > 1)))
    await assert.rejects(run('menu-sync.ts', 'Nowhere'), /There is no price list named Nowhere/)
  })

  test('price-lists-to-csv.ts writes every price, and nothing that a spreadsheet would run', async () => {
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', 'Tarte; =1', 'Tarte, "maison"']
    const id = (index: number) => 900_001 + index
    const rows = names.flatMap((name, index) => [
      { kind: 'product', id: id(index), name, type: 'PRODUCT', status: 1, price: 1 },
      { kind: 'price', id: id(index), list_id: 2, product_id: id(index), price: 2 },
    ])
    const ndjson = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    await comptoirJson(here, ['import', '--brand', 'demo', '-'], ndjson)

    const csv = await run('price-lists-to-csv.ts')
    const headings = ['price list', 'active', 'product id', 'product', 'type', 'price', 'list price']
    assert.ok(csv.startsWith(`${headings.map((name) => `"${name}"`).join(',')}\r\n`))
    assert.match(csv, /\r\n"Livraison",true,/)
    assert.match(csv, /\r\n"Sur place",true,1,"Limonade artisanale","PRODUCT",4\.2,4\.5\r\n/)
    for (const [index, name] of ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "Tarte; '=1", 'Tarte, ""maison""'].entries())
      assert.ok(csv.includes(`\r\n"Livraison",true,${id(index)},"${name}","PRODUCT",1,2\r\n`), name)
    assert.doesNotMatch(csv, /(^|,|\n)"?[=+\-@\t]/)
  })

  test('receiver.ts, word for word in docs/webhooks.md, answers its challenge and keeps each event once', async (t) => {
    const code = readFileSync(fileOf('receiver.ts'), 'utf8')
    const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
    assert.equal(/```ts\n(.*?)```/s.exec(page)?.[1], code)
    assert.ok(code.trim().split('\n').length <= 30)

    const secret = newSecret()
    const placeholder = createServer().listen(0, '127.0.0.1') // its port is free a moment later
    await once(placeholder, 'listening')
    const { port } = placeholder.address() as AddressInfo
    placeholder.close()
    const file = join(mkdtempSync(join(tmpdir(), 'comptoir-receiver-')), 'events.db')
    const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRETS: `${newSecret()} ${secret}` }
    const program = spawn(process.execPath, [fileOf('receiver.ts'), file], { env, stdio: 'inherit' })
    t.after(() => program.kill())
    const url = `http://127.0.0.1:${port}/`
    await until(() =>
      fetch(url, { method: 'POST' }).then(
        ({ status }) => status === 401,
        () => false,
      ),
    )

    const client = new Comptoir({
      baseUrl: `${server.url}/v2`,
      brand: 'demo',
      integratorId: 'demo-integrator',
      clientId: 'demo-client',
      clientSecret: 'demo-secret',
    })
    const { webhookEndpoints } = client
    const { id } = await webhookEndpoints.create({ url, name: 'Receiver', types: ['customer.*'], secret })
    await until(async () => (await webhookEndpoints.get(id)).state === 'active')
    assert.equal((await webhookEndpoints.test(id)).status, 204)
    const guest = await client.customers.create({ name: 'Guest' })
    const db = new DatabaseSync(file, { timeout: 5_000 })
    t.after(() => db.close())
    const kept = () =>
      db.prepare('select id, type, data from events').all() as { id: string; type: string; data: string }[]
    await until(() => kept().length === 1)
    const [event] = kept()
    assert.deepEqual([event!.type, JSON.parse(event!.data).id], ['customer.created', guest.id])

    const replay = await webhookEndpoints.createReplays(id, { event: event!.id })
    await until(async () => (await webhookEndpoints.getReplays(id, replay.id)).state === 'done')
    const { data } = await webhookEndpoints.deliveries(id, { event: event!.id })
    assert.deepEqual(data.map(({ cause, status }) => [cause, status]).toSorted(), [
      ['live', 204],
      ['replay', 204],
    ])
    assert.equal(kept().length, 1)
  })

  test('each is shorter than 60 lines', () => {
    for (const name of ['menu-sync.ts', 'price-lists-to-csv.ts'])
      assert.ok(readFileSync(fileOf(name), 'utf8').split('\n').length < 60, name)
  })
})
