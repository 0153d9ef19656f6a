import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { onEmbeddedEngine } from '../../test/database/engines.ts'
import { overTheWire } from '../../test/over-the-wire.ts'
import { services } from '../../test/service.ts'
import { addBrand } from '../directory/registry.ts'
import { serveHomePage } from './home-page.ts'

onEmbeddedEngine('GET /', (make) => {
  const service = services(make)

  test('leads to the till, the kitchen, the back office, the reference and the health check, each of which is there', async () => {
    const { app, deps } = await service()
    await addBrand(deps.db, 'test', { slug: 'bistro', test: false })
    const { statusCode, headers, payload } = await overTheWire(app, { url: '/' })
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'])
    const links = [...payload.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
    assert.deepEqual(links, ['/back-office/till', '/back-office/kitchen', '/back-office/', '/docs/', '/health/ready'])
    for (const url of links) assert.equal((await overTheWire(app, { url })).statusCode, 200, url)
  })

  test('says how the first restaurant is opened, until there is one', async () => {
    const { app, deps } = await service()
    const page = async () => (await overTheWire(app, { url: '/' })).payload
    const before = await page()
    assert.match(before, /No restaurant is open here yet.*the link that this service printed/s)
    assert.doesNotMatch(before, /back-office\/till/, 'nobody can sign in there')
    await addBrand(deps.db, 'test', { slug: 'bistro', test: false })
    assert.doesNotMatch(await page(), /No restaurant/)
  })

  test('says whether the service works', async () => {
    const { app, deps } = await service()
    assert.match((await overTheWire(app, { url: '/' })).payload, /Everything works/)
    deps.db.ping = () => Promise.reject(new Error('no database'))
    assert.match((await overTheWire(app, { url: '/' })).payload, /Not ready/)
  })

  test('speaks the language of the browser', async () => {
    const { app } = await service()
    const { headers, payload } = await overTheWire(app, { url: '/', headers: { 'accept-language': 'de, fr-CA;q=0.8' } })
    assert.match(payload, /<html lang="fr">.*La caisse de ce restaurant/s)
    assert.equal(headers.vary, 'accept-encoding, accept-language')
  })

  test('says who can sign in to the demo, and how to open a restaurant, and nothing of it elsewhere', async () => {
    const app = fastify()
    const demo = { brand: 'demo', username: 'owner', operator: 'operator', password: 'demo' }
    serveHomePage(app, { base: '/v2', demo, isReady: async () => true, isOpened: async () => true })
    const { payload } = await app.inject({ url: '/' })
    assert.match(payload, /<dd>demo<\/dd>.*<dd>owner<\/dd>.*npx comptoir serve/s)
    const other = await service()
    assert.doesNotMatch((await overTheWire(other.app, { url: '/' })).payload, /owner|npx/)
  })

  test('has an icon, which browsers ask for by themselves', async () => {
    const { app } = await service()
    const { statusCode, headers, rawPayload } = await overTheWire(app, { url: '/favicon.ico' })
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/x-icon'])
    assert.deepEqual([...rawPayload.subarray(0, 6)], [0, 0, 1, 0, 1, 0], 'an icon file with one picture')
  })

  test('names the base path of the API', async () => {
    const { app } = await service({ COMPTOIR_BASE_PATH: '/pos/v2' })
    assert.match((await overTheWire(app, { url: '/' })).payload, /<code>\/pos\/v2<\/code>/)
  })

  test('loads nothing, and its policy allows its own style only', async () => {
    const { app } = await service()
    const { headers, payload } = await overTheWire(app, { url: '/' })
    const [, style] = /<style>(.*)<\/style>/s.exec(payload)!
    const hash = createHash('sha256').update(style!).digest('base64')
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.doesNotMatch(payload, /\bsrc=|<script|<link|https?:/)
  })
})
