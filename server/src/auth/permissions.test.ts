import assert from 'node:assert/strict'
import test from 'node:test'
import Fastify from 'fastify'
import { may, requirePermission } from './permissions.ts'

test('the server refuses to start if a route of the API declares no permission', () => {
  const app = Fastify()
  app.addHook('onRoute', requirePermission)
  app.get('/declared', { config: { permission: 'products:read' } }, async () => ({}))
  assert.throws(() => app.get('/forgotten', async () => ({})), /GET \/forgotten declares no permission/)
})

test('a role allows what it lists, or everything with *', () => {
  assert.equal(may(new Set(['products:read']), 'products:read'), true)
  assert.equal(may(new Set(['products:read']), 'customers:write'), false)
  assert.equal(may(new Set(['*']), 'customers:write'), true)
})
