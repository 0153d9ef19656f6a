import { type Document, mentioned, nameOf, operationsOf, type Schema } from './document.ts'

/** What is said of a schema, where it says nothing itself; a schema of another name stands behind its colon. These come first. */
const ABOUT: Readonly<Record<string, string>> = {
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
  EventData: 'What each type of event has as its data.',
}

/** The types of what goes over the wire: every schema that a body or a success is made of. */
export function generateTypes(document: Document): string {
  const typeOf = typesOf(document)
  const { schemas } = document.components

  const told = Object.keys(ABOUT).map((names) => names.split(':').at(-1)!)
  const inUse = operationsOf(document).flatMap(({ body, answer }) => [...mentioned(document, [body, answer])])
  const others = [...new Set(inUse)].filter((name) => !told.includes(name)).map((name) => [name, undefined] as const)
  const interfaces = [...Object.entries(ABOUT), ...others].flatMap(([names, about]) => {
    const [name = '', source = name] = names.split(':')
    const schema = schemas[source]
    if (schema === undefined) return [] // a document of other paths
    const heading = about ?? schema.description
    return [heading && comment(heading), declaration(name, schema)].filter(Boolean).join('\n')
  })

  function declaration(name: string, schema: Schema): string {
    const { properties, required = [], 'x-present': present = [] } = schema
    if (properties === undefined) return `export type ${name} = ${typeOf(schema)}`
    const always = [...required, ...present]
    const lines = Object.entries(properties).flatMap(([member, part]) => {
      const note = described(part)
      return [...(note ? [comment(note)] : []), memberOf(member, part, always, typeOf)]
    })
    return `export interface ${name} {\n${lines.join('\n')}\n}`
  }

  const header = '// Written by npm run openapi from docs/openapi.json: change the server’s schemas instead.'
  const types = productTypes(document)
  return [header, ...(types ? [`export type ProductType = ${union(types)}`] : []), ...interfaces].join('\n\n')
}

/** A schema as a type. */
export function typesOf(document: Document): (schema: Schema) => string {
  const productTypesText = String(productTypes(document))
  const typeOf = (schema: Schema): string => {
    const { $ref, type, enum: values, items, properties, additionalProperties, patternProperties } = schema
    const either = schema.anyOf ?? schema.oneOf
    if ($ref) return nameOf($ref)
    if (either) return either.map(typeOf).join(' | ')
    if (schema.allOf) return schema.allOf.map(typeOf).join(' & ')
    if (values) return String(values) === productTypesText ? 'ProductType' : union(values)
    if (schema.const !== undefined) return union([schema.const])
    if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ')
    if (type === 'array') return `(${typeOf(items ?? {})})[]`
    if (properties) {
      const members = Object.entries(properties).map(([name, part]) => memberOf(name, part, schema.required, typeOf))
      return `{ ${members.join('; ')} }`
    }
    const [values_] = [...Object.values(patternProperties ?? {}), additionalProperties]
    if (type === 'object') return `Record<string, ${typeof values_ === 'object' ? typeOf(values_) : 'unknown'}>`
    return type === undefined ? 'unknown' : type === 'integer' ? 'number' : (type as string)
  }
  return typeOf
}

const memberOf = (name: string, schema: Schema, required: readonly string[] = [], typeOf: (schema: Schema) => string) =>
  `${/^\w+$/.test(name) ? name : `'${name}'`}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`

const productTypes = ({ components }: Document) => components.schemas.Product?.properties?.type?.enum

export const union = (values: readonly unknown[]) =>
  values.length === 0
    ? 'never'
    : values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')

export const comment = (text: string) => `/** ${text.replaceAll('*/', '*∕').replaceAll('\n', ' ')} */`

/** What is said of a member, or of what it is made of. */
const described = ({ description, anyOf = [], properties = {} }: Schema): string | undefined =>
  description ?? [...anyOf, ...Object.values(properties)].map(described).find(Boolean)
