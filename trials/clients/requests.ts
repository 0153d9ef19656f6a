import fc from 'fast-check'
import type { Sent } from '../harness/in-process.ts'
import { OPERATIONS, type Operation, type Parameter, resolved, type Schema } from '../harness/openapi.ts'

// Requests made from the description: valid ones, almost valid ones and hostile ones.

/** Values that have broken other services; each is tried in every place. */
const HOSTILE = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../etc/passwd',
  '..%2f..%2f',
  '%',
  '%00',
  '%ff',
  "' or 1=1 --",
  '"; drop table customers; --',
  `\${7*7}`,
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\\',
  '%_\\%',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '\ufeff',
  '\u{1f600}'.repeat(64),
  'ı',
  'İ',
  'ß',
  'a\u0301',
  'a'.repeat(255),
  'a'.repeat(256),
  'a'.repeat(5_000),
  '9'.repeat(400),
  '2026-02-30',
  '0000-00-00',
  '+00:00',
  '[["id",1]]',
  '[["id","in",[1,2]]]',
  '[[["id"]]]',
  `${'['.repeat(40)}${']'.repeat(40)}`,
  '[["name","like","%"]]',
]
/** Texts that break databases and parsers first. */
const CHOKING = ['\u0000', 'a\u0000b', '\ud800', 'a\udc00', '%', '__proto__', '9'.repeat(400), '1e400']
const hostileText = fc.oneof(
  fc.constantFrom(...CHOKING),
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
export const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, 0, -0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[]], { constructor: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Values that a schema allows. */
function allowedBy(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map(allowedBy))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 5, 1_000) })
    case 'number':
      return fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(allowedBy(schema.items ?? {}), { maxLength: 3 })
    case 'object':
      return objectOf(schema)
    default:
      return textOf(schema)
  }
}

function textOf({ format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (format === 'date' || format === 'date-time') {
    const days = fc.date({ min: new Date('1920-01-01'), max: new Date('2020-01-01'), noInvalidDate: true })
    return days.map((day) => (format === 'date' ? day.toISOString().slice(0, 10) : day.toISOString()))
  }
  return fc.string({ minLength: Math.max(1, minLength), maxLength: Math.min(maxLength, 40) })
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => [name, allowedBy(schema)])
  return fc.record(Object.fromEntries(members), { requiredKeys: required as never[] })
}

/** The names that a description lists, as in `Fields: id, name.` */
const listed = (description: string, what: string) =>
  new RegExp(`${what}: ([^.]*)\\.`).exec(description)?.[1]?.split(', ') ?? []

/** A query parameter as the description explains it. */
function parameterOf({ name, description = '', schema }: Parameter): fc.Arbitrary<string> {
  const [fields, operators, members] = ['Fields', 'Operators', 'Members'].map((what) => listed(description, what))
  if (fields!.length > 0) {
    const value = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.string({ maxLength: 8 }), fc.constant(null))
    const field = fc.constantFrom(...fields!)
    const filter = fc.oneof(fc.tuple(field, value), fc.tuple(field, fc.constantFrom(...operators!), value))
    return fc.array(filter, { maxLength: 3 }).map((filters) => JSON.stringify(filters))
  }
  if (members!.length > 0) return fc.subarray(members!, { minLength: 1 }).map((names) => names.join(','))
  if (name.startsWith('date[')) return textOf({ format: 'date' })
  return allowedBy(schema).map(String)
}

/** In one of three cases: a request with every parameter at once is nearly always wrong in one of them. */
const rarely = (value: fc.Arbitrary<string>) => fc.oneof({ arbitrary: fc.constant(undefined), weight: 2 }, value)

interface Shape {
  path: Record<string, string>
  query: [string, string][]
  headers: Record<string, string>
  body: unknown
}

/** A request that the description allows, in parts that can still be changed. */
function shapeOf({ parameters, body }: Operation): fc.Arbitrary<Shape> {
  const inPlace = (place: Parameter['in']) => parameters.filter((each) => each.in === place)
  const values = (place: Parameter['in']) =>
    fc.record(
      Object.fromEntries(
        inPlace(place).map((each) => [each.name, each.required ? parameterOf(each) : rarely(parameterOf(each))]),
      ),
    )
  const present = (named: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Record<string, string>
  return fc.record({
    path: values('path').map(present),
    query: values('query').map((named) => Object.entries(present(named))),
    headers: values('header')
      .map(present)
      .map((named) => ('x-venue' in named ? { ...named, 'x-venue': '1' } : named)),
    body: body === undefined ? fc.constant(undefined) : allowedBy(body),
  })
}

const membersOf = ({ body }: Shape) =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined

/** Nothing but what is required, and one hostile text in it: what is refused for another reason tries nothing. */
function stung({ parameters, body, example = {} }: Operation): fc.Arbitrary<Shape> {
  const required = Object.fromEntries((body?.required ?? []).map((name) => [name, example[name]]))
  const query = parameters.filter((each) => each.in === 'query')
  const fields = query.flatMap(({ description = '' }) => listed(description, 'Fields'))
  const plain = { path: pathOf(parameters), query: [], headers: {}, body: body && required }
  const texts = fc.oneof(fc.constantFrom(...CHOKING), hostileText)
  const ways: fc.Arbitrary<Shape>[] = [fc.constant(plain)]
  const members = Object.keys(body?.properties ?? {})
  if (members.length > 0)
    ways.push(
      fc
        .tuple(fc.constantFrom(...members), texts)
        .map(([name, text]) => ({ ...plain, body: { ...required, [name]: text } })),
    )
  if (query.length > 0)
    ways.push(
      fc.tuple(fc.constantFrom(...query), texts).map(([{ name }, text]) => ({ ...plain, query: [[name, text]] })),
    )
  if (fields.length > 0)
    ways.push(
      fc
        .tuple(fc.constantFrom(...fields), fc.constantFrom('=', 'like', 'in', '>'), texts)
        .map(([field, operator, text]) => ({
          ...plain,
          query: [['filters', JSON.stringify([[field, operator, operator === 'in' ? [text] : text]])]],
        })),
    )
  return fc.oneof(...ways)
}

const pathOf = (parameters: readonly Parameter[]) =>
  Object.fromEntries(parameters.filter((each) => each.in === 'path').map(({ name }) => [name, '1']))

/** One thing about a request that is not as it should be. */
function spoiled({ parameters }: Operation): fc.Arbitrary<(shape: Shape) => void> {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const anyName = fc.oneof(fc.constantFrom('page', ...names), hostileText)
  return fc.oneof(
    fc.tuple(anyName, hostileText).map(
      ([name, value]) =>
        (shape: Shape) =>
          void shape.query.push([name, value]),
    ),
    fc.tuple(anyName, fc.string()).map(([name, value]) => (shape: Shape) => {
      shape.query.push([name, value], [name, value]) // twice
    }),
    hostileText.map((value) => (shape: Shape) => {
      for (const name of Object.keys(shape.path)) shape.path[name] = value || '0' // with nothing there it is another address
    }),
    fc.tuple(hostileText, hostileValue).map(([name, value]) => (shape: Shape) => {
      const body = membersOf(shape)
      const own = structuredClone(value)
      if (body === undefined) shape.body = own
      else Object.defineProperty(body, name, { value: own, enumerable: true, configurable: true, writable: true })
    }),
    fc.tuple(fc.nat(), fc.oneof(hostileText, hostileValue)).map(([index, value]) => (shape: Shape) => {
      const body = membersOf(shape)
      const keys = Object.keys(body ?? {})
      if (body && keys.length > 0) body[keys[index % keys.length]!] = structuredClone(value)
    }),
    fc.nat().map((index) => (shape: Shape) => {
      const body = membersOf(shape)
      const keys = Object.keys(body ?? {})
      if (body && keys.length > 0) delete body[keys[index % keys.length]!]
    }),
    hostileValue.map((value) => (shape: Shape) => {
      shape.body = structuredClone(value)
    }),
    fc
      .tuple(fc.constantFrom('x-venue', 'x-token', 'idempotency-key', 'content-type', 'content-encoding'), hostileText)
      .map(([name, value]) => (shape: Shape) => {
        const sendable = value.replaceAll(/[^\x20-\x7e]/g, '?') // what an HTTP client lets through
        shape.headers[name] = name === 'content-type' ? `application/json${sendable}` : sendable
      }),
  )
}

function sentOf({ method, path }: Operation, shape: Shape, token: string | undefined): Sent {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(shape.path[name] ?? ''))
  const query = shape.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  return {
    method,
    path: query === '' ? address : `${address}?${query}`,
    headers: { ...(token !== undefined && { 'x-token': token }), ...shape.headers },
    ...(shape.body !== undefined && { body: JSON.stringify(shape.body) ?? 'undefined' }),
  }
}

/** As browsers do it; a lone surrogate, which they cannot, goes as bytes that are no UTF-8. */
const encoded = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80')

const NESTED = `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
const RAW_BODIES = ['', '{', '{"name":"a"', '"', '\u0000', '[1,', NESTED, `{"name":"${'x'.repeat(70_000)}"}`]

/** Requests of one operation that nobody signs: those of the back office, whose session is a cookie. */
export const unsigned = (operation: Operation): fc.Arbitrary<Sent> =>
  rightOrWrong(operation, shapeOf(operation), { good: undefined, token: fc.constant(undefined) })

interface Tokens {
  good: string | undefined
  token: fc.Arbitrary<string | undefined>
}

function rightOrWrong(operation: Operation, shape: fc.Arbitrary<Shape>, { good, token }: Tokens): fc.Arbitrary<Sent> {
  const allowed = shape.map((each) => sentOf(operation, each, good))
  const sting = stung(operation).map((each) => sentOf(operation, each, good))
  const spoilt = fc
    .tuple(shape, fc.array(spoiled(operation), { minLength: 1, maxLength: 2 }), token)
    .map(([each, changes, given]) => {
      const copy = structuredClone(each)
      for (const change of changes) change(copy)
      return sentOf(operation, copy, given)
    })
  const raw = fc
    .tuple(shape, fc.constantFrom(...RAW_BODIES), fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'))
    .map(([each, body, method]) => ({ ...sentOf(operation, each, good), body, method }))
  return fc.oneof(
    { arbitrary: allowed, weight: 3 },
    { arbitrary: sting, weight: 3 },
    { arbitrary: spoilt, weight: 3 },
    { arbitrary: raw, weight: 1 },
  )
}

export interface Requests {
  /** One request of any operation, right or wrong. */
  any: fc.Arbitrary<Sent>
  /** One that the description allows, by the name of its operation. */
  allowed: ReadonlyMap<string, fc.Arbitrary<Sent>>
}

/**
 * `credentials` are good ones; of the tokens, some are good and some are not. `found` has values of parameters that chance would not
 * find, by `operation parameter`.
 */
export function requests(
  credentials: object,
  tokens: readonly string[],
  found: Readonly<Record<string, readonly string[]>>,
): Requests {
  const operations = OPERATIONS.map((operation) => ({
    ...operation,
    parameters: operation.parameters.map((each) => {
      const values = found[`${operation.name} ${each.name}`]
      return values ? { ...each, required: true, schema: { enum: [...values] } } : each
    }),
  }))
  const [good] = tokens
  const token = fc.constantFrom<string | undefined>(good, good, good, good, undefined, ...tokens)
  // What chance would not find either: what a body says must fit together, and its example does.
  const shapesOf = (operation: Operation) => {
    const { closed, example } = operation
    const shape = shapeOf(operation)
    if (!closed)
      return fc.oneof(shape, fc.constant<Shape>({ path: {}, query: [], headers: {}, body: { ...credentials } }))
    return example
      ? fc.oneof(
          shape,
          shape.map((each): Shape => ({ ...each, body: example })),
        )
      : shape
  }
  const allowedOf = (operation: Operation) =>
    shapesOf(operation).map((each) => sentOf(operation, each, operation.closed ? good : undefined))
  const ofOperation = (operation: Operation) =>
    rightOrWrong(operation, shapesOf(operation), { good: operation.closed ? good : undefined, token })
  const nowhere = hostileText.map((path) => ({ method: 'GET', path: `/${encoded(path)}`, headers: {} }))
  const any = fc.oneof(
    {
      // Operations that take a body weigh more: more in them can be wrong.
      arbitrary: fc.oneof(...operations.map((each) => ({ arbitrary: ofOperation(each), weight: each.body ? 3 : 1 }))),
      weight: 30,
    },
    { arbitrary: nowhere, weight: 1 },
  )
  return { any, allowed: new Map(operations.map((each) => [each.name, allowedOf(each)])) }
}
