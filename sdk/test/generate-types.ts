import { readFileSync, writeFileSync } from 'node:fs'

// `node sdk/test/generate-types.ts` writes src/types.ts from docs/openapi.json, which is made from the schemas that the server validates with.

export const TYPES = new URL('../src/types.ts', import.meta.url)
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url)

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  description?: string
}

/** What the SDK exports, in the order of the contract; a schema of another name stands behind its colon. */
const EXPORTS: Readonly<Record<string, string>> = {
  Credentials: 'What POST /auth takes (§4.1).',
  'Authentication:SignedIn': 'What POST /auth gives (§4.1).',
  Pagination: 'Where a page stands in its list (§2.1).',
  NewCustomer: 'What POST /customers takes (§4.2).',
  Customer: 'Somebody who buys (§2.2).',
  Balance: 'What a customer has paid in advance, or owes.',
  CashbackBalance: 'What a customer has earned.',
  CustomerGroup: 'Customers with a discount in common.',
  Product: 'Something sold, made or used (§2.3). A member without a value is absent.',
  Modification: 'A variant of a product.',
  ModificatorGroup: 'Choices that go with a product.',
  Modificator: 'One of these choices; `ingredient` is the product it uses.',
  RecipeItem: 'An ingredient of a recipe.',
  Package: 'How a product is packed, and how many of it that is.',
  Tax: 'A tax on a product.',
  Tag: 'A label on a product.',
  PriceList: 'A named set of prices (§2.4). Its prices are there when they are included.',
  PriceEntry: 'The price of one product on one list.',
  ProductSummary: 'What a price entry shows of its product.',
  Receipt: 'A sale (§2.5). A member without a value is absent: an open receipt has no closed_at.',
  StockOperation: 'A single movement of stock (§2.6).',
}

/** Absent only where `fields` leaves it out, and there the type of the result does too (PriceListOf). */
const ALWAYS: Readonly<Record<string, readonly string[]>> = { PriceList: ['name'] }

export function generateTypes(): string {
  const { components, paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  const listed = paths['/products'].get.responses['200'].content['application/json'].schema
  const schemas: Record<string, Schema> = { ...components.schemas, Pagination: listed.properties.pagination }
  const productTypes = schemas.Product!.properties!.type!

  const typeOf = (schema: Schema): string => {
    const { $ref, type, enum: values, anyOf, items } = schema
    if ($ref) return $ref.slice($ref.lastIndexOf('/') + 1)
    if (anyOf) return anyOf.map(typeOf).join(' | ')
    if (values) return String(values) === String(productTypes.enum) ? 'ProductType' : union(values)
    if (schema.const !== undefined) return union([schema.const])
    if (type === 'array') return `${typeOf(items!)}[]`
    if (type === 'object') return `{ ${members(schema).join('; ')} }`
    return type === 'integer' ? 'number' : type!
  }
  const members = ({ properties = {}, required = [] }: Schema) =>
    Object.entries(properties).map(
      ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
    )

  const interfaces = Object.entries(EXPORTS).map(([names, about]) => {
    const [name = '', source = name] = names.split(':')
    const { properties = {}, required = [] } = schemas[source]!
    const lines = members({ properties, required: [...required, ...(ALWAYS[name] ?? [])] })
    const notes = Object.values(properties).map(described)
    const body = lines.flatMap((line, index) => [...(notes[index] ? [`  /** ${notes[index]} */`] : []), `  ${line}`])
    return [`/** ${about} */`, `export interface ${name} {`, ...body, '}'].join('\n')
  })
  const header = '// Written by sdk/test/generate-types.ts from docs/openapi.json: change the server’s schemas instead.'
  return `${[header, `export type ProductType = ${union(productTypes.enum!)}`, ...interfaces].join('\n\n')}\n`
}

const union = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')

/** What is said of a member, or of what it is made of. */
const described = ({ description, anyOf = [], properties = {} }: Schema): string | undefined =>
  description ?? [...anyOf, ...Object.values(properties)].map(described).find(Boolean)

if (import.meta.main) writeFileSync(TYPES, generateTypes())
