import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { onEmbeddedEngine } from '../../test/database/engines.ts'
import { overTheWire } from '../../test/over-the-wire.ts'
import { services } from '../../test/service.ts'

onEmbeddedEngine('GET /', (make) => {
  const service = services(make)

  test('leads to the reference, the back office and the health check, each of which is there', async () => {
    const { app } = await service()
    const { statusCode, headers, payload } = await overTheWire(app, { url: '/' })
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'])
    const links = [...payload.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
    assert.deepEqual(links, ['/docs/', '/back-office/', '/health/ready'])
    for (const url of links) assert.equal((await overTheWire(app, { url })).statusCode, 200, url)
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
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.doesNotMatch(payload, /\bsrc=|<script|<link|https?:/)
  })
})
