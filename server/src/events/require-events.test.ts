import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { requireEvents } from './require-events.ts'

test('the server refuses to start if a writing route declares no events; `none` is allowed', async () => {
  const app = Fastify()
  app.addHook('onRoute', requireEvents)
  app.get('/read', async () => '')
  app.post('/session', { config: { events: 'none' } }, async () => '')
  app.put('/product', { config: { events: ['product.updated'] } }, async () => '')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const route = () => app.route({ method, url: `/${method}`, handler: async () => '' })
    assert.throws(route, new RegExp(`${method} /${method} declares no events`))
  }
  const empty = () => app.post('/empty', { config: { events: [] as never } }, async () => '')
  assert.throws(empty, /declares no events/)
  await app.ready()
})
