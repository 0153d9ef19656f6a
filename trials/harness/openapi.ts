import { readFileSync } from 'node:fs'

// What the committed description says of each operation, with its references resolved: experiments that go through it meet a new
// operation without being told.

export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  format?: string
  'x-phone'?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  $ref?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  example?: string
  schema: Schema
  $ref?: string
}

export interface Operation {
  method: string
  path: string
  name: string
  /** Whether it asks for a token. */
  closed: boolean
  parameters: Parameter[]
  body: Schema | undefined
  example: Record<string, unknown> | undefined
}

interface Described {
  operationId: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema; example?: Record<string, unknown> } } }
}

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Described>>
}

/** What a `$ref` stands for. */
export function resolved<Part extends { $ref?: string }>(part: Part): Part {
  if (part.$ref === undefined) return part
  const steps = part.$ref.slice(2).split('/')
  return resolved(steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document) as Part)
}

/** A product that is cooked at a station and that no stop list has: it never runs out. */
export const DISH = 9

/** What is asked of the rows that there are, where the example speaks of others: nothing remains to be paid of them. */
const ASKED: Readonly<Record<string, Record<string, unknown>>> = {
  closeReceipt: { payment_methods: [] },
  placeOrder: { sale_type_id: 1, products: [{ product_id: DISH, count: 1 }] },
  callWaiter: { table_id: 1, type: 'PAY' },
}

/** Webhook endpoints are few, and acting on them sends requests: server/src/webhooks/webhooks.test.ts asks for what these trials ask. */
const isWebhook = (path: string) => path.startsWith('/webhook-endpoints')

const paths = Object.entries(document.paths).filter(([path]) => !isWebhook(path))

export const OPERATIONS: readonly Operation[] = paths.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody }]) => {
    const { schema: body, example } = requestBody?.content['application/json'] ?? {}
    return {
      method: method.toUpperCase(),
      path,
      name: operationId,
      closed: security?.length !== 0,
      parameters: parameters.map(resolved),
      body: body && resolved(body),
      example: ASKED[operationId] ?? example,
    }
  }),
)

/** What an operation cannot be asked without, though its description must call it optional. */
const NEEDED: Readonly<Record<string, string>> = {
  listEvents: '?after=oldest',
  getMenu: '?sale_type_id=1',
  listMenuProblems: '?sale_type_id=1',
}

/** The cid of an example row (server/test/example-rows.ts). */
export const cidOf = (id: number | string) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`

/** A request of an operation that is right: its example, with the id that is given. */
export function plainRequest({ method, path, name, parameters, example }: Operation, id: number | string = 1) {
  const isUuid = (given: string) =>
    given === 'cid' || parameters.some((each) => each.name === given && each.schema.format === 'uuid')
  const named = path.replaceAll(/\{(\w+)\}/g, (_, given) => (isUuid(given) ? cidOf(id) : String(id)))
  return {
    method,
    path: named + (NEEDED[name] ?? ''),
    ...(example && { body: JSON.stringify(example) }),
  }
}
