import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

// Every answer that a test sees is held against the committed description: a status or a member that it does not know fails the test.

type Json = Record<string, unknown>
interface Described {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: { 'application/json': { schema: Json } } }> }>
  >
  components: { schemas: Record<string, Json> }
}

const description = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as Described
const routes = Object.keys(description.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
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
  const route = routes.find(({ pattern }) => pattern.test(path))
  const operation = route && description.paths[route.path]![method.toLowerCase()]
  if (!route || !operation) {
    assert.ok([404, 405, 429, 503].includes(status), `${method} ${path}: ${status} ${text}`)
    return
  }
  const name = `${method} ${route.path} ${status}`
  const response = operation.responses[status]
  assert.ok(response, `${name} is not described: ${text}`)
  let validate = validators.get(name)
  if (!validate) {
    validate = ajv.compile(closed(response.content['application/json'].schema) as Json)
    validators.set(name, validate)
  }
  assert.ok(validate(JSON.parse(text)), `${name}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`)
}
