import { type Document, nameOf, type Parameter, resolved, type Schema } from './document.ts'
import { camel, capital, isList, type Method } from './names.ts'
import { comment, typesOf, union } from './types.ts'

/** Parameters of the list language (D2), which sdk/src/query.ts writes; all others go over the wire under their own names. */
const LANGUAGE = /^(filters|fields|include|sort\[0\]\[[01]\]|date\[[01]\])$/

const COLUMN_TYPES: Readonly<Record<string, string>> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  instant: 'Instant',
  text: 'string',
  key: 'string',
}

/** Parameters that sdk/src/query.ts gives to every list. */
const PAGING = ['page', 'limit', 'after']

/** What of the answer a method gives: pages of a list, `data`, or the whole of it. */
export type Shape = 'list' | 'data' | 'whole'

/** Members of an envelope that are not its content (§2.1, P2). */
const ENVELOPE = ['success', 'data', 'message', 'time', 'timestamp', 'unix', 'total', 'pagination']

/** Writes the types that methods need, each once. */
export function queryWriter(document: Document) {
  const typeOf = typesOf(document)
  const declarations = new Map<string, string>()
  const columnTypes = new Map<string, string>()
  const declare = (name: string, about: string, declaration: string) => {
    if (!declarations.has(name)) declarations.set(name, `${comment(about)}\nexport ${declaration}`)
  }
  const queryOf = ({ parameters }: Method) => parameters.filter((each) => each.in === 'query')
  const answerOf = ({ answer }: Method) => resolved(document, answer).properties ?? {}

  /** `Product` of client.products.list(), `FinanceTaxesReport` of client.finance.taxes.report(). */
  function baseOf({ container, name, answer }: Method): string {
    const { $ref } = resolved(document, answer).properties?.data?.items ?? {}
    const item = $ref && nameOf($ref)
    if (name === 'list' && item && !declarations.has(`${item}Listing`)) return item
    return [...container, name].map(capital).join('')
  }

  function shapeOf(method: Method): Shape {
    const answer = answerOf(method)
    if (answer.pagination && isList(document, method)) return 'list'
    const isEnvelope = answer.data && Object.keys(answer).every((name) => ENVELOPE.includes(name))
    return isEnvelope ? 'data' : 'whole'
  }

  /** One of a list. */
  function itemOf(method: Method, base: string): string {
    const { items = {} } = answerOf(method).data!
    if (items.$ref) return nameOf(items.$ref)
    declare(`${base}Item`, `One of ${method.method} ${method.path}.`, `type ${base}Item = ${typeOf(items)}`)
    return `${base}Item`
  }

  /** The type of what a method gives that takes no query of its own. */
  function contentOf(method: Method): string {
    const { data } = answerOf(method)
    return shapeOf(method) === 'whole' ? typeOf(method.answer) : typeOf(data!)
  }

  /** A list that takes the whole list language: its description, from which sdk/src/query.ts makes query and result. */
  function listing(method: Method): string | undefined {
    const query = queryOf(method)
    const find = (name: string) => query.find((each) => each.name === name)
    const [filters, fields, sort, after] = ['filters', 'fields', 'sort[0][0]', 'after'].map(find)
    if (shapeOf(method) !== 'list' || !filters || !fields || !sort || !after) return undefined
    const base = baseOf(method)
    const item = itemOf(method, base)
    const { properties = {} } = document.components.schemas[item] ?? {}
    const include = Object.entries(find('include')?.['x-include'] ?? {}).map(
      ([name, members]) => `${name}: ${union(members.filter((each) => each in properties))}`,
    )
    const own = query.filter(({ name }) => !LANGUAGE.test(name) && !PAGING.includes(name)).flatMap(parameterLines)
    const more = [...(find('date[0]') ? ['Dated'] : []), ...(own.length > 0 ? [`{\n${own.join('\n')}\n}`] : [])]
    const columns = columnsOf(method, filters)
    if (columns.startsWith('{')) columnTypes.set(columns, `${base}Listing['filters']`)
    const lines = [
      `item: ${item}`,
      `always: ${union(fields['x-always'] ?? ['id'])}`,
      `filters: ${columns}`,
      `sort: ${union(sort.schema.enum ?? [])}`,
      ...(include.length > 0 ? [`include: { ${include.join('; ')} }`] : []),
      ...(more.length > 0 ? [`more: ${more.join(' & ')}`] : []),
    ]
    const [walk = ''] = /Sorts that a walk knows: .*/.exec(after.description ?? '') ?? []
    declare(
      `${base}Listing`,
      `${method.method} ${method.path}. ${walk}`.trim(),
      `interface ${base}Listing {\n${lines.join('\n')}\n}`,
    )
    return `${base}Listing`
  }

  /** The query of any other read that has no id, and what it gives. */
  function read(method: Method) {
    const base = baseOf(method)
    const query = queryOf(method)
    const shape = shapeOf(method)
    const item = isList(document, method) && shape !== 'whole' ? itemOf(method, base) : undefined
    if (query.length > 0) declareQuery(method, base, query)
    return {
      input: query.length > 0 ? `${base}Query` : 'Record<string, never>',
      isRequired: query.some(({ required }) => required),
      result: item === undefined ? contentOf(method) : shape === 'list' ? item : `(${item})[]`,
    }
  }

  function declareQuery(method: Method, base: string, query: readonly Parameter[]): void {
    const { method: verb, path } = method
    const find = (name: string) => query.find((each) => each.name === name)
    const [filters, sort] = [find('filters'), find('sort[0][0]')]
    const lines: string[] = []
    if (filters) lines.push(`filters?: readonly Filter<${columnsOf(method, filters)}>[] | undefined`)
    if (find('fields')) lines.push('fields?: readonly string[] | undefined')
    if (find('include')) lines.push('include?: readonly string[] | undefined')
    if (sort) lines.push(`sort?: readonly Sort<${union(sort.schema.enum ?? [])}>[] | undefined`)
    lines.push(...query.filter(({ name }) => !LANGUAGE.test(name)).flatMap(parameterLines))
    const dated = find('date[0]') ? ' extends Dated' : ''
    declare(`${base}Query`, `The query of ${verb} ${path}.`, `interface ${base}Query${dated} {\n${lines.join('\n')}\n}`)
  }

  /** The columns that filters may name, with the type of each. A list of the same columns as another names that one. */
  function columnsOf({ answer }: Method, filters: Parameter): string {
    const { items = {} } = resolved(document, answer).properties?.data ?? {}
    const members = resolved(document, items).properties ?? {}
    const lines = Object.entries(filters['x-columns'] ?? {}).map(
      ([name, type]) => `${name}: ${columnType(type, members[name])}`,
    )
    const columns = `{\n${lines.join('\n')}\n}`
    return columnTypes.get(columns) ?? columns
  }

  function columnType(type: string, member: Schema | undefined): string {
    return (type === 'text' || type === 'key') && member?.enum ? typeOf(member) : (COLUMN_TYPES[type] ?? 'unknown')
  }

  function parameterType({ name, schema }: Parameter): string {
    if (LANGUAGE.test(name)) return 'readonly string[]'
    if (schema.type === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`
    return schema.format?.startsWith('date') ? 'Instant' : typeOf(schema)
  }

  /** A parameter that goes over the wire under its own name. */
  const parameterLines = (each: Parameter): string[] => [
    ...(each.description ? [comment(each.description)] : []),
    each.required ? `${each.name}: ${parameterType(each)}` : optional(each),
  ]

  /** A parameter or header among options. */
  const optional = (each: Parameter) =>
    `${each.in === 'header' ? camel(each.name) : each.name}?: ${parameterType(each)} | undefined`

  return { declarations, typeOf, shapeOf, contentOf, listing, read, optional }
}
