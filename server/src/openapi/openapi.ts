import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { JSON_TYPE } from '../http/body.ts'
import { ErrorBody } from '../http/envelope.ts'
import { once, sendable, staticFile } from '../http/static-file.ts'
import { definedOnly } from '../values/defined-only.ts'

// §9: the machine-readable description, made from the very schemas that the routes declare.

type Json = Record<string, unknown>

/** One example of a call and its answer, by operation id; they come from the demo restaurant. */
export type Examples = Record<string, { request?: unknown; response: unknown }>

interface Operation {
  method: string
  path: string
  schema: FastifySchema & { operationId?: string; summary?: string; description?: string; tags?: readonly string[] }
  permission: string | undefined
  etag: boolean
}

const TAGS = {
  Authentication: 'Credentials for a short-lived token.',
  Venues: 'The brand’s places, their tills and tables.',
  Users: 'The brand’s staff.',
  Customers: 'The brand’s customers, their groups and balances.',
  Menu: 'How the menu is ordered, and what it is measured in.',
  Stations: 'Where dishes and drinks are prepared.',
  Products: 'What is sold, with variants, modifiers, recipes, packages and taxes.',
  'Price Lists': 'Named sets of product prices.',
  Sales: 'How something is sold, and what it is paid with.',
  Orders: 'What guests order through integrators, until staff accept it.',
  Receipts: 'Sales, by venue.',
  Printing: 'The printers of a venue, and what is printed where.',
  Inventory: 'Storages, suppliers, what is in stock, what moved it, and the documents about it.',
  Finance: 'Taxes, and what money comes in and goes out for.',
  Events: 'The change feed: every change once, in order.',
  Webhooks: 'The same events, sent to an address of yours.',
}

const DESCRIPTION = `Read and write a restaurant brand's venues, staff, customers, menu, price lists, receipts, stock and finance.

Sign in with POST /auth and send the token in the header \`x-token\`. The staff user behind the credentials bounds what a call may do. Three
rate-limit tiers apply, each a sliding minute; every answer tells where you stand in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`. After a 429, wait \`RateLimit-Reset\` seconds, then double the wait on each consecutive failure.

Before a request reaches any endpoint, an address and headers beyond 16 KiB together are answered 431 (\`headers_too_large\`), and a request
that takes too long to arrive 408 (\`request_timeout\`), both with the body of \`Error\`.

A page above 16 MiB is answered 400 (\`page_too_large\`); with the limit in its \`details\` it fits. A page of one row, products and price
lists are always answered.`

/** GET /openapi.json (D1.1): the routes under the base path, noted as they are registered after this, and schemas that webhooks refer to. */
export function serveDescription(
  app: FastifyInstance,
  base: string,
  examples: Examples,
  webhooks: Json,
  schemas: readonly TSchema[],
): void {
  const operations: Operation[] = []
  app.addHook('onRoute', ({ method, url, schema, config }: RouteOptions) => {
    if (!schema || !url.startsWith(`${base}/`)) return
    const path = url.slice(base.length)
    const { permission, etag = false } = config ?? {}
    operations.push({ method: String(method).toLowerCase(), path, schema, permission, etag })
  })
  const file = once(() =>
    staticFile(JSON_TYPE, JSON.stringify(documentOf(operations, base, examples, webhooks, schemas))),
  )
  app.get('/openapi.json', async (request, reply) => reply.send(sendable(request, reply, await file(), 'no-cache')))
}

function documentOf(
  operations: readonly Operation[],
  base: string,
  examples: Examples,
  webhooks: Json,
  others: readonly TSchema[],
): Json {
  const schemas: Json = {}
  const refer = references(schemas)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    const example = examples[operation.schema.operationId ?? '']
    paths[path] = { ...paths[path], [operation.method]: describe(operation, refer, example) }
  }
  others.forEach(refer)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Comptoir',
      summary: 'Restaurant point-of-sale integration API',
      version: '2.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base, description: 'This service' }],
    security: [{ 'x-token': [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: refer(webhooks),
    components: {
      securitySchemes: {
        'x-token': { type: 'apiKey', in: 'header', name: 'x-token', description: 'The JWT from POST /auth, verbatim' },
      },
      parameters: { 'x-venue': VENUE, 'x-request-id': REQUEST_ID },
      headers: HEADERS,
      schemas,
    },
  }
}

const VENUE = {
  name: 'x-venue',
  in: 'header',
  description: 'The active venue for this request, instead of the token’s',
  schema: { type: 'integer', minimum: 1 },
}

const REQUEST_ID = {
  name: 'x-request-id',
  in: 'header',
  description: 'Your own name for this call, logged beside ours when it has 8 to 64 letters, digits and hyphens',
  schema: { type: 'string' },
}

const HEADERS = {
  'x-request-id': { description: 'Leads to this request’s line in the log', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Requests allowed in the current minute', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests still allowed before throttling', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until one more request fits', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  ETag: {
    description: 'The version, for If-Match or, of the menu, for If-None-Match; a stored answer has none',
    schema: { type: 'string', examples: ['"1"'] },
  },
  'idempotency-replayed': { description: 'true on a stored answer', schema: { type: 'string', const: 'true' } },
}

function describe(operation: Operation, refer: Refer, example: Examples[string] | undefined): Json {
  const { schema, permission } = operation
  const { operationId, summary, description, tags, params, querystring, headers, body } = schema
  const parameters = [
    ...given(params, 'path', refer),
    ...given(querystring, 'query', refer),
    ...given(headers, 'header', refer),
  ]
  if (permission) parameters.push({ $ref: '#/components/parameters/x-venue' })
  parameters.push({ $ref: '#/components/parameters/x-request-id' })
  const needs = permission && permission !== 'anyone' && `Needs the permission \`${permission}\`.`
  return {
    operationId,
    summary,
    description: [description, needs].filter(Boolean).join(' '),
    tags,
    ...(!permission && { security: [] }),
    parameters: publishedFirst(parameters),
    ...(body !== undefined && { requestBody: { required: true, content: content(refer(body), example?.request) } }),
    responses: responses(operation, refer, example?.response),
  }
}

/** Generated clients number parameters: one that is added stands after all that were published. */
const publishedFirst = (parameters: readonly Json[]): Json[] =>
  [...parameters.filter((each) => !each['x-later']), ...parameters.filter((each) => each['x-later'])].map(
    ({ 'x-later': _, ...parameter }) => parameter,
  )

/** The members of an object schema as parameters of that place. */
function given(schema: unknown, place: 'path' | 'query' | 'header', refer: Refer): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, example, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...definedOnly({ description }),
    schema: refer(rest),
    ...definedOnly({ example }),
    ...Object.fromEntries(Object.entries(rest).filter(([member]) => member.startsWith('x-'))), // what the SDK is made from
  }))
}

/** §5.4: what authenticated endpoints answer with 401. */
const IdentityRefusal = Type.Object(
  {
    success: Type.Boolean({ const: false }),
    error: Type.Enum([
      'Headers are missing',
      'Invalid token',
      'Token expired',
      'Invalid integrator_id',
      'Integrator is in test mode. But brand is not in test mode',
    ]),
    expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'With “Token expired”' })),
    brand: Type.Optional(Type.String({ description: 'With the mismatch of modes' })),
    integrator: Type.Optional(Type.String({ description: 'With the mismatch of modes' })),
  },
  { $id: 'IdentityRefusal', additionalProperties: false },
)

/** D5.1: what POST /auth answers where §5.4 has no body of its own. */
const SignInRefusal = Type.Object(
  { success: Type.Boolean({ const: false }), error: Type.String(), message: Type.String() },
  { $id: 'SignInRefusal', additionalProperties: false },
)

const MEANINGS: Record<string, string> = {
  200: 'Done',
  304: 'It is what If-None-Match names',
  400: 'The request is not valid',
  401: 'The caller is not known, or may no longer call',
  403: 'The staff user lacks the permission or may not enter the venue, or the call came over plain HTTP',
  404: 'There is none with this id, for this brand and venue',
  410: 'The cursor is older than what is kept, or of another history: read the lists again',
  409: 'It collides with something that is there, or is still running',
  413: 'The body is larger than 64 KiB',
  415: 'The body is not application/json',
  412: 'It has another version by now than If-Match names',
  422: 'The Idempotency-Key was used with another body',
  429: 'A rate-limit tier is exceeded',
  500: 'A fault of the server; quote the request id',
  503: 'The service cannot answer now; try again',
}

function responses({ method, schema, permission, etag }: Operation, refer: Refer, example: unknown): Json {
  const authenticated = permission !== undefined
  // Answers that every operation can give, beside those that its route declares.
  const common = [
    ...(authenticated ? ['400'] : []), // x-venue
    '401',
    '403', // D1.2: also over plain HTTP
    ...(method === 'get' ? [] : ['413', '415']), // also without a body schema: a body that is sent is read
    '429',
    '500',
    '503',
  ]
  const error = authenticated ? ErrorBody : SignInRefusal
  const bodies: Record<string, unknown> = { ...(schema.response as Json) }
  for (const status of common) bodies[status] ??= authenticated && status === '401' ? IdentityRefusal : error
  return Object.fromEntries(
    Object.entries(bodies).map(([status, body]) => {
      const names = ['x-request-id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
      if (status === '429' || status === '503') names.push('Retry-After')
      if ((status === '200' || status === '304') && etag) names.push('ETag')
      if (status === '200' && isWrite(schema)) names.push('idempotency-replayed')
      const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
      return [
        status,
        {
          description: MEANINGS[status],
          headers,
          ...(status !== '304' && { content: content(refer(body), status === '200' ? example : undefined) }),
        },
      ]
    }),
  )
}

/** Whether its answer is stored with an Idempotency-Key. */
const isWrite = ({ headers }: FastifySchema) =>
  'idempotency-key' in ((headers as { properties?: Json } | undefined)?.properties ?? {})

const content = (schema: unknown, example: unknown) => ({
  'application/json': { schema, ...definedOnly({ example }) },
})

type Refer = (schema: unknown) => unknown

/** Replaces each schema that has an `$id` by a reference, and puts the schema itself among the components, once. */
function references(schemas: Json): Refer {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const { $id, ...rest } = value as Json
    if (typeof $id !== 'string') return members(rest)
    if (!Object.hasOwn(schemas, $id)) {
      schemas[$id] = {} // its place first, so that the order is that of first mention
      schemas[$id] = members(rest)
    }
    return { $ref: `#/components/schemas/${$id}` }
  }
  // Rules of our own (`x-…`) are for our reader only, except what the SDK is made from.
  const members = (object: Json): Json =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([name]) => !name.startsWith('x-') || name === 'x-present')
        .map(([name, value]) => [name, walk(value)]),
    )
  return walk
}
