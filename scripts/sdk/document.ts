// The parts of docs/openapi.json that the SDK is made from.

export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  /** Absent only where `fields` leaves it out, and there the type of the result does too (PriceListOf). */
  'x-present'?: readonly string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Readonly<Record<string, Schema>>
  format?: string
  description?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  /** What a filter may name, with the type of each (server/src/lists/column-values.ts). */
  'x-columns'?: Readonly<Record<string, string>>
  /** The members that `fields` cannot leave out. */
  'x-always'?: readonly string[]
  /** What `include` may name, with the members that each adds. */
  'x-include'?: Readonly<Record<string, readonly string[]>>
}

interface Content {
  content?: { 'application/json'?: { schema: Schema } }
}

interface Described {
  summary?: string
  description?: string
  security?: readonly unknown[]
  parameters?: readonly (Parameter | { $ref: string })[]
  requestBody?: Content
  responses: Readonly<Record<string, Content>>
}

export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

export interface Operation {
  method: string
  path: string
  summary: string
  parameters: readonly Parameter[]
  body: Schema | undefined
  answer: Schema
}

/** What the SDK has methods for: everything but signing in, which the client does by itself. */
export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, { summary = '', parameters = [], requestBody, responses }]) => ({
        method: method.toUpperCase(),
        path,
        summary,
        // References are to headers that the client sets by itself.
        parameters: parameters.filter((each): each is Parameter => !('$ref' in each)),
        body: schemaOf(requestBody),
        answer: schemaOf(responses['200']) ?? {},
      })),
  )
}

const schemaOf = (content: Content | undefined) => content?.content?.['application/json']?.schema

export const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

export function resolved({ components }: Document, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {})
}

/** The names of the schemas that a schema is made of, itself included, in the order in which they are first mentioned. */
export function* mentioned(document: Document, value: unknown, seen = new Set<string>()): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const { $ref } = value as Schema
  if (typeof $ref === 'string') {
    const name = nameOf($ref)
    if (seen.has(name)) return
    seen.add(name)
    yield name
    yield* mentioned(document, document.components.schemas[name], seen)
  } else for (const part of Object.values(value)) yield* mentioned(document, part, seen)
}
