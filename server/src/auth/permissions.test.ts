import assert from 'node:assert/strict'
import test from 'node:test'
import Fastify from 'fastify'
import { may, refuseReadRightForWrite, requirePermission } from './permissions.ts'

test('the server refuses to start if a route of the API declares no permission', () => {
  const app = Fastify()
  app.addHook('onRoute', requirePermission)
  app.get('/declared', { config: { permission: 'products:read' } }, async () => ({}))
  assert.throws(() => app.get('/forgotten', async () => ({})), /GET \/forgotten declares no permission/)
})

test('the server refuses to start if a route that publishes a change declares a right to read', () => {
  const app = Fastify()
  app.addHook('onRoute', refuseReadRightForWrite)
  const route = (permission: string, events: 'none' | ['waiter_call.done']) =>
    app.post(`/${permission}/${events}`, { config: { permission, events } }, async () => ({}))
  route('receipts:write', ['waiter_call.done'])
  route('orders:read', 'none') // a search
  assert.throws(() => route('orders:read', ['waiter_call.done']), /writes by orders:read/)
})

test('a role allows what it lists, or everything with *', () => {
  assert.equal(may(new Set(['products:read']), 'products:read'), true)
  assert.equal(may(new Set(['products:read']), 'customers:write'), false)
  assert.equal(may(new Set(['*']), 'customers:write'), true)
})
