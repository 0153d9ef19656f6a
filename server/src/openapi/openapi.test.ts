import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { ask, committed, DOCUMENT, EXAMPLES } from '../../test/openapi.ts'

test('the committed description and its examples are what the service and the demo restaurant say (npm run openapi writes them)', async () => {
  const { examples, document } = await ask()
  assert.deepEqual(examples, committed(EXAMPLES))
  assert.deepEqual(document, committed(DOCUMENT))
})

test('the description passes Redocly’s recommended rules without a warning', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: readFileSync(DOCUMENT, 'utf8'),
    absoluteRef: DOCUMENT.pathname,
    config,
  })
  assert.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  )
})

test('the description has every endpoint and status of the contract, the security scheme and the limit headers', () => {
  const { info, paths, components } = committed(DOCUMENT)
  assert.equal(info.version, '2.0.0')
  const statuses = Object.entries<Record<string, { responses: object }>>(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => `${method} ${path} ${Object.keys(responses).join(' ')}`),
  )
  assert.deepEqual(statuses.sort(), [
    'get /price-lists 200 400 401 403 429 500 503',
    'get /products 200 400 401 403 429 500 503',
    'get /receipts/{id} 200 400 401 403 404 429 500 503',
    'get /stock-operations/{id} 200 400 401 403 404 429 500 503',
    'get /whoami 200 400 401 403 429 500 503',
    'post /auth 200 400 401 403 413 415 429 500 503',
    'post /customers 200 400 401 403 409 413 415 422 429 500 503',
  ])
  assert.deepEqual(components.securitySchemes['x-token'].name, 'x-token')
  for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) assert.ok(components.headers[name])
})
