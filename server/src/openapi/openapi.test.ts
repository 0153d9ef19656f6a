import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { ask, committed, DOCUMENT, EXAMPLES } from '../../../scripts/openapi.ts'
import published from './published-parameters.json' with { type: 'json' }

test('the committed description and its examples are what the service and the demo restaurant say (npm run openapi writes them)', async () => {
  const { examples, document } = await ask()
  assert.deepEqual(examples, committed(EXAMPLES))
  assert.deepEqual(document, committed(DOCUMENT))
})

// Redocly's own types would cost the type check a third of its time.
interface Redocly {
  createConfig(given: { extends: string[]; rules: Record<string, 'off'> }): Promise<unknown>
  lintFromString(given: {
    source: string
    absoluteRef: string
    config: unknown
  }): Promise<{ ruleId: string; message: string }[]>
}
const REDOCLY: string = '@redocly/openapi-core'

test('the description passes Redocly’s recommended rules without a warning', async () => {
  const { createConfig, lintFromString }: Redocly = await import(REDOCLY)
  // An id is a number, so /receipts/{id}/close is not /receipts/cid/{cid}. EventData is used by its members, one a webhook.
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'no-ambiguous-paths': 'off', 'no-unused-components': 'off' },
  })
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

test('parameters stand as they were published, and new ones after them: generated clients number them', () => {
  interface Described {
    operationId: string
    parameters: { name?: string; $ref?: string }[]
  }
  const paths = Object.values<Record<string, Described>>(committed(DOCUMENT).paths)
  const current = new Map(
    paths.flatMap((item) =>
      Object.values(item).map(({ operationId, parameters }) => [
        operationId,
        parameters.map(({ name, $ref }) => name ?? $ref!.split('/').at(-1)).join(' '),
      ]),
    ),
  )
  for (const [operation, names] of Object.entries(published))
    assert.ok(`${current.get(operation)} `.startsWith(`${names} `), `${operation}: ${current.get(operation)}`)
})

test('a page’s figures are one schema: a union hides its members from generated clients', () => {
  const { Pagination } = committed(DOCUMENT).components.schemas
  assert.deepEqual(Object.keys(Pagination.properties), ['page', 'per_page', 'total', 'total_pages', 'next'])
  assert.deepEqual(Pagination.required, ['per_page'])
})

test('the description has every endpoint and status of the contract, the security scheme and the limit headers', () => {
  const { info, paths, components } = committed(DOCUMENT)
  assert.equal(info.version, '2.0.0')
  const statuses = Object.entries<Record<string, { responses: object }>>(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => `${method} ${path} ${Object.keys(responses).join(' ')}`),
  )
  assert.deepEqual(statuses.sort(), [
    'delete /operations/{id} 200 400 401 403 404 409 413 415 422 429 500 503',
    'delete /webhook-endpoints/{id} 200 400 401 403 404 413 415 422 429 500 503',
    'delete /webhook-endpoints/{id}/replays/{replay} 200 400 401 403 404 413 415 422 429 500 503',
    'get /categories 200 400 401 403 429 500 503',
    'get /categories/{id} 200 400 401 403 404 429 500 503',
    'get /courses 200 400 401 403 429 500 503',
    'get /customer-groups 200 400 401 403 429 500 503',
    'get /customers 200 400 401 403 429 500 503',
    'get /customers/{id} 200 400 401 403 404 429 500 503',
    'get /events 200 400 401 403 410 429 500 503',
    'get /events/types 200 400 401 403 429 500 503',
    'get /events/{id} 200 400 401 403 404 429 500 503',
    'get /finance/balances 200 400 401 403 429 500 503',
    'get /finance/balances/customer 200 400 401 403 429 500 503',
    'get /finance/balances/date-states 200 400 401 403 429 500 503',
    'get /finance/balances/list 200 400 401 403 429 500 503',
    'get /finance/balances/transactions 200 400 401 403 429 500 503',
    'get /finance/balances/{id} 200 400 401 403 404 429 500 503',
    'get /finance/cash-shifts 200 400 401 403 429 500 503',
    'get /finance/cash-shifts/{id} 200 400 401 403 404 429 500 503',
    'get /finance/cash-shifts/{id}/report 200 400 401 403 404 429 500 503',
    'get /finance/categories 200 400 401 403 429 500 503',
    'get /finance/categories/{id} 200 400 401 403 404 429 500 503',
    'get /finance/taxes 200 400 401 403 429 500 503',
    'get /finance/taxes/report 200 400 401 403 429 500 503',
    'get /finance/taxes/total 200 400 401 403 429 500 503',
    'get /finance/taxes/types 200 400 401 403 429 500 503',
    'get /finance/taxes/{id} 200 400 401 403 404 429 500 503',
    'get /finance/transactions 200 400 401 403 429 500 503',
    'get /finance/transactions/{id} 200 400 401 403 404 429 500 503',
    'get /halls 200 400 401 403 429 500 503',
    'get /menu 200 304 400 401 403 429 500 503',
    'get /menu/entries 200 400 401 403 429 500 503',
    'get /menu/problems 200 400 401 403 429 500 503',
    'get /operation-items 200 400 401 403 429 500 503',
    'get /operation-items/total 200 400 401 403 429 500 503',
    'get /operations 200 400 401 403 429 500 503',
    'get /operations/statuses 200 400 401 403 429 500 503',
    'get /operations/total 200 400 401 403 429 500 503',
    'get /operations/{id} 200 400 401 403 404 429 500 503',
    'get /operations/{id}/items 200 400 401 403 404 429 500 503',
    'get /orders 200 400 401 403 429 500 503',
    'get /orders/{id} 200 400 401 403 404 429 500 503',
    'get /payment-methods 200 400 401 403 429 500 503',
    'get /price-lists 200 400 401 403 429 500 503',
    'get /price-lists/prices 200 400 401 403 429 500 503',
    'get /print-routes 200 400 401 403 429 500 503',
    'get /printers 200 400 401 403 429 500 503',
    'get /products 200 400 401 403 429 500 503',
    'get /products/stop-list 200 400 401 403 429 500 503',
    'get /products/{id} 200 400 401 403 404 429 500 503',
    'get /reasons 200 400 401 403 429 500 503',
    'get /receipts 200 400 401 403 429 500 503',
    'get /receipts/cid/{cid} 200 400 401 403 404 429 500 503',
    'get /receipts/{id} 200 400 401 403 404 429 500 503',
    'get /receipts/{id}/acts 200 400 401 403 404 429 500 503',
    'get /receipts/{id}/stock-operations 200 400 401 403 404 429 500 503',
    'get /sale-types 200 400 401 403 429 500 503',
    'get /stations 200 400 401 403 429 500 503',
    'get /stations/{id} 200 400 401 403 404 429 500 503',
    'get /stock 200 400 401 403 429 500 503',
    'get /stock-operations 200 400 401 403 429 500 503',
    'get /stock-operations/products 200 400 401 403 429 500 503',
    'get /stock-operations/total 200 400 401 403 429 500 503',
    'get /stock-operations/{id} 200 400 401 403 404 429 500 503',
    'get /stock/info 200 400 401 403 429 500 503',
    'get /stock/product 200 400 401 403 429 500 503',
    'get /stock/product-group 200 400 401 403 429 500 503',
    'get /stock/total 200 400 401 403 429 500 503',
    'get /stock/{id} 200 400 401 403 404 429 500 503',
    'get /storages 200 400 401 403 429 500 503',
    'get /storages/{id} 200 400 401 403 404 429 500 503',
    'get /suppliers 200 400 401 403 429 500 503',
    'get /suppliers/total 200 400 401 403 429 500 503',
    'get /suppliers/{id} 200 400 401 403 404 429 500 503',
    'get /tables 200 400 401 403 429 500 503',
    'get /terminals 200 400 401 403 429 500 503',
    'get /units 200 400 401 403 429 500 503',
    'get /users 200 400 401 403 429 500 503',
    'get /users/{id} 200 400 401 403 404 429 500 503',
    'get /venues 200 400 401 403 429 500 503',
    'get /webhook-endpoints 200 400 401 403 429 500 503',
    'get /webhook-endpoints/{id} 200 400 401 403 404 429 500 503',
    'get /webhook-endpoints/{id}/deliveries 200 400 401 403 404 429 500 503',
    'get /webhook-endpoints/{id}/held 200 400 401 403 404 429 500 503',
    'get /webhook-endpoints/{id}/replays 200 400 401 403 404 429 500 503',
    'get /webhook-endpoints/{id}/replays/{replay} 200 400 401 403 404 429 500 503',
    'get /whoami 200 400 401 403 429 500 503',
    'patch /operations/{id} 200 400 401 403 404 409 413 415 422 429 500 503',
    'patch /receipts/{id} 200 400 401 403 404 409 412 413 415 422 429 500 503',
    'patch /webhook-endpoints/{id} 200 400 401 403 404 409 413 415 422 429 500 503',
    'post /auth 200 400 401 403 413 415 429 500 503',
    'post /customers 200 400 401 403 409 413 415 422 429 500 503',
    'post /operations 200 400 401 403 413 415 422 429 500 503',
    'post /operations/{id}/publish 200 400 401 403 404 409 413 415 422 429 500 503',
    'post /operations/{id}/reverse 200 400 401 403 404 409 413 415 422 429 500 503',
    'post /orders 200 400 401 403 409 413 415 422 429 500 503',
    'post /receipts/{id}/close 200 400 401 403 404 409 412 413 415 422 429 500 503',
    'post /waiter-call 200 400 401 403 413 415 422 429 500 503',
    'post /webhook-endpoints 200 400 401 403 409 410 413 415 422 429 500 503',
    'post /webhook-endpoints/{id}/held/discard 200 400 401 403 404 413 415 422 429 500 503',
    'post /webhook-endpoints/{id}/held/retry 200 400 401 403 404 413 415 422 429 500 503',
    'post /webhook-endpoints/{id}/pause 200 400 401 403 404 409 413 415 422 429 500 503',
    'post /webhook-endpoints/{id}/replays 200 400 401 403 404 409 410 413 415 422 429 500 503',
    'post /webhook-endpoints/{id}/resume 200 400 401 403 404 409 410 413 415 422 429 500 503',
    'post /webhook-endpoints/{id}/secret 200 400 401 403 404 409 413 415 422 429 500 503',
    'post /webhook-endpoints/{id}/test 200 400 401 403 404 413 415 429 500 503',
    'post /webhook-endpoints/{id}/verify 200 400 401 403 404 409 413 415 429 500 503',
    'put /orders/{id} 200 400 401 403 404 409 413 415 422 429 500 503',
  ])
  assert.deepEqual(components.securitySchemes['x-token'].name, 'x-token')
  for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) assert.ok(components.headers[name])
  const versioned = Object.entries<Record<string, { responses: { 200: { headers: object } } }>>(paths).flatMap(
    ([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) =>
        'ETag' in responses[200].headers ? [`${method} ${path}`] : [],
      ),
  )
  assert.deepEqual(versioned.sort(), [
    'get /menu',
    'get /receipts/cid/{cid}',
    'get /receipts/{id}',
    'patch /receipts/{id}',
    'post /receipts/{id}/close',
  ])
  assert.ok(components.headers.ETag)
})
