import assert from 'node:assert/strict'
import test from 'node:test'
import Fastify from 'fastify'
import { refusalFor } from './errors.ts'
import { loadShedder } from './shed.ts'

test('a request beyond the cap in flight is answered 503 with Retry-After, and the next one after a slot frees is served', async () => {
  const app = Fastify()
  const shedder = loadShedder(2)
  app.addHook('onRequest', shedder.enter)
  app.addHook('onResponse', shedder.leave)
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = refusalFor(error, request.id, 0)
    return reply.status(status).headers(headers).send(body)
  })
  const waiting: (() => void)[] = []
  app.get('/slow', () => new Promise((resolve) => waiting.push(() => resolve('done'))))

  const served = [app.inject('/slow'), app.inject('/slow')]
  while (waiting.length < 2) await new Promise(setImmediate)
  const refused = await app.inject('/slow')
  assert.deepEqual(
    [refused.statusCode, refused.json().error, refused.headers['retry-after']],
    [503, 'unavailable', '5'],
  )
  for (const finish of waiting) finish()
  assert.deepEqual(
    (await Promise.all(served)).map(({ statusCode }) => statusCode),
    [200, 200],
  )
  const later = app.inject('/slow')
  while (waiting.length < 3) await new Promise(setImmediate)
  waiting[2]!()
  assert.equal((await later).statusCode, 200)
})
