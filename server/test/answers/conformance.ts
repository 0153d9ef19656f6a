import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

// Every answer that a test sees is held against the committed description: a status or a member that it does not know fails the test.

type Json = Record<string, unknown>

/** A header of an answer, or a place that describes it. */
type Header = { schema: Json } | { $ref: string }

interface Answered {
  headers: Record<string, Header>
  /** Absent where the answer has no body. */
  content?: { 'application/json': { schema: Json } }
}

/** What tests read of a body's schema. */
export interface BodySchema {
  $ref?: string
  type?: string
  format?: string
  properties?: Record<string, BodySchema>
  required?: string[]
}

/** One operation as the description has it. */
export interface Operation {
  operationId: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Empty where no token is asked for. */
  security?: unknown[]
  description: string
  parameters: { name?: string; in?: string; description?: string; example?: unknown; $ref?: string }[]
  requestBody?: { content: { 'application/json': { schema: BodySchema; example?: Json } } }
  responses: Record<string, Answered>
}

interface Described {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: { schemas: Record<string, Json>; headers: Record<string, { schema: Json }> }
}

const description = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Described

export const operations: readonly Operation[] = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase() as Operation['method'],
    path,
  })),
)
export const resolved = (schema: BodySchema): BodySchema =>
  schema.$ref === undefined ? schema : (description.components.schemas[schema.$ref.split('/').at(-1)!] as BodySchema)

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
const routes = operations
  .map((operation) => ({ operation, pattern: patternOf(operation.path) }))
  .sort((one, other) => Number(one.operation.path.includes('{')) - Number(other.operation.path.includes('{'))) // as the router

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, // D3.3
    date: /^\d{4}-\d\d-\d\d$/,
    'idn-email': /^[^@]+@[^@]+$/,
    uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  },
})
ajv.addSchema({ $id: 'description', components: closed(description.components) })
const validators = new Map<string, ValidateFunction>()

/** The description allows more members to come later; a test does not. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  if (typeof copy.$ref === 'string') return { $ref: copy.$ref.replace(/^#/, 'description#') }
  return copy.type === 'object' && copy.properties && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy
}

/** Fails unless the description has this answer. Addresses and methods that it does not describe are refused with 404 or 405. */
export function assertDescribed(method: string, url: string, status: number, text: string): void {
  const path = url.split('?', 1)[0]!
  const matching = routes.filter(({ pattern }) => pattern.test(path))
  const operation = matching.map((route) => route.operation).find((each) => each.method === method)
  if (!operation) {
    assert.ok([404, 405, 429, 503].includes(status), `${method} ${path}: ${status} ${text}`)
    return
  }
  const name = `${method} ${operation.path} ${status}`
  const response = operation.responses[status]
  assert.ok(response, `${name} is not described: ${text}`)
  if (!response.content) {
    assert.equal(text, '', name)
    return
  }
  let validate = validators.get(name)
  if (!validate) {
    validate = ajv.compile(closed(response.content['application/json'].schema) as Json)
    validators.set(name, validate)
  }
  assert.ok(validate(JSON.parse(text)), `${name}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`)
}

/** Fails unless each header that the description has for this answer came, and reads as described. */
export function assertHeaders(
  { method, path, responses }: Operation,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  except: readonly string[] = [],
): void {
  const described = Object.entries(responses[status]!.headers).filter(([name]) => !except.includes(name))
  for (const [name, header] of described) {
    const { schema } = '$ref' in header ? description.components.headers[header.$ref.split('/').at(-1)!]! : header
    const text = String(headers[name.toLowerCase()] ?? '')
    const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text
    assert.ok(text !== '' && ajv.validate(schema, value), `${method} ${path} ${status}: ${name} is "${text}"`)
  }
}
