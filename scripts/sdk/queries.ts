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

/** What of the answer a method gives: pages of a list, `data`, or the whole of it. */
export type Shape = 'list' | 'data' | 'whole'

/** Members of an envelope that are not its content (§2.1, P2). */
const ENVELOPE = ['success', 'data', 'message', 'time', 'timestamp', 'unix', 'total', 'pagination']

/** Writes the types that methods need, each once. */
export function queryWriter(document: Document) {
  const typeOf = typesOf(document)
  const declarations = new Map<string, string>()
  const declare = (name: string, about: string, declaration: string) => {
    if (!declarations.has(name)) declarations.set(name, `${comment(about)}\nexport ${declaration}`)
  }
  const answerOf = ({ answer }: Method) => resolved(document, answer).properties ?? {}

  /** `Product` of client.products.list(), `FinanceTaxesReport` of client.finance.taxes.report(). */
  function baseOf({ container, name, answer }: Method): string {
    const { $ref } = resolved(document, answer).properties?.data?.items ?? {}
    const item = $ref && nameOf($ref)
    if (name === 'list' && item && !declarations.has(`${item}Query`)) return item
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

  /** The query of a read that has no id, and what it gives. */
  function read(method: Method) {
    const base = baseOf(method)
    const query = method.parameters.filter((each) => each.in === 'query')
    const shape = shapeOf(method)
    const item = isList(document, method) && shape !== 'whole' ? itemOf(method, base) : undefined
    const narrowing = item === undefined ? WHOLE : narrowingOf(base, item, query)
    if (query.length > 0) declareQuery(method, base, query, narrowing)
    const asked = query.length > 0 ? `${base}Query${narrowing.used}` : 'Record<string, never>'
    const result = narrowing.used === '' ? item : `${base}Of${narrowing.used}`
    return {
      generics: narrowing.withDefaults,
      asked,
      isRequired: query.some(({ required }) => required),
      isWalked: shape === 'list' && query.some(({ name }) => name === 'after'),
      shape,
      result: result === undefined ? contentOf(method) : shape === 'list' ? result : `(${result})[]`,
    }
  }

  interface Narrowing {
    /** Type parameters, and how they are passed on. */
    readonly plain: string
    readonly withDefaults: string
    readonly used: string
    readonly related: readonly string[]
  }

  /** Declares how `fields` and `include` narrow an item. */
  function narrowingOf(base: string, item: string, query: readonly Parameter[]): Narrowing {
    const fields = query.find(({ name }) => name === 'fields')
    const include = query.find(({ name }) => name === 'include')?.['x-include'] ?? {}
    if (fields === undefined) return { ...WHOLE, related: Object.keys(include) }
    const always = union(fields['x-always'] ?? ['id'])
    const about = `Narrowed to the fields asked for; ${(fields['x-always'] ?? ['id']).join(', ')} in any case.`
    if (Object.keys(include).length === 0) {
      const plain = `<Field extends keyof ${item}>`
      declare(`${base}Of`, about, `type ${base}Of${plain} = Pick<${item}, ${always} | Field>`)
      return { plain, withDefaults: `<Field extends keyof ${item} = keyof ${item}>`, used: '<Field>', related: [] }
    }
    const { properties = {} } = document.components.schemas[item] ?? {}
    const added = Object.entries(include).map(
      ([name, members]) => [name, members.filter((each) => each in properties)] as const,
    )
    const all = added.flatMap(([, members]) => members)
    const arrays = union(all.filter((name) => properties[name]!.type === 'array'))
    const table = added.map(([name, members]) => `${name}: ${union(members)}`).join('; ')
    const plain = `<Related extends ${base}Related, Field extends ${base}Field<Related>>`
    declare(`${base}Related`, 'What may be included.', `type ${base}Related = ${union(added.map(([name]) => name))}`)
    declare(
      `${base}Field`,
      'What `fields` may name; what is related only when it is included (D2.6).',
      `type ${base}Field<Related extends ${base}Related> =
        Exclude<keyof ${item}, ${union(all)}> | { ${table} }[Related]`,
    )
    declare(
      `${base}Of`,
      `${about} An included array is there; another included member may have no value.`,
      `type ${base}Of${plain} = Pick<${item}, ${always} | Exclude<Field, ${arrays}>>
        & Required<Pick<${item}, Extract<Field, ${arrays}>>>`,
    )
    return {
      plain,
      withDefaults: `<Related extends ${base}Related = never, Field extends ${base}Field<Related> = ${base}Field<Related>>`,
      used: '<Related, Field>',
      related: added.map(([name]) => name),
    }
  }

  function declareQuery(method: Method, base: string, query: readonly Parameter[], narrowing: Narrowing): void {
    const { method: verb, path } = method
    const find = (name: string) => query.find((each) => each.name === name)
    const [filters, fields, sort] = [find('filters'), find('fields'), find('sort[0][0]')]
    const { items = {} } = answerOf(method).data ?? {}
    const members = resolved(document, items).properties ?? {}
    const isNarrowed = narrowing.used !== ''
    const lines: string[] = []
    if (filters) {
      const columns = Object.entries(filters['x-columns'] ?? {})
      declare(
        `${base}Columns`,
        `What filters of ${verb} ${path} may name (D2.4), with the values each takes.`,
        `interface ${base}Columns {\n${columns.map(([name, type]) => `${name}: ${columnType(type, members[name])}`).join('\n')}\n}`,
      )
      lines.push(`filters?: readonly Filter<${base}Columns>[] | undefined`)
    }
    if (fields) {
      lines.push(comment('Members to return; some come in any case.'))
      lines.push(`fields?: readonly ${isNarrowed ? 'Field' : 'string'}[] | undefined`)
    }
    const include = find('include')
    if (include && !include['x-include']) lines.push('include?: readonly string[] | undefined')
    if (narrowing.related.length > 0)
      lines.push(`include?: readonly ${isNarrowed ? 'Related' : `(${union(narrowing.related)})`}[] | undefined`)
    if (sort) {
      lines.push(comment('The id is always the last key.'))
      lines.push(`sort?: readonly Sort<${union(sort.schema.enum ?? [])}>[] | undefined`)
    }
    if (find('date[0]')) {
      lines.push(comment('Both ends included; a date is that whole day in UTC.'))
      lines.push('date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined')
    }
    for (const each of query.filter(({ name }) => !LANGUAGE.test(name))) {
      if (each.description) lines.push(comment(each.description))
      lines.push(each.required ? `${each.name}: ${parameterType(each)}` : optional(each))
    }
    declare(
      `${base}Query`,
      `The query of ${verb} ${path}.`,
      `interface ${base}Query${narrowing.withDefaults} {\n${lines.join('\n')}\n}`,
    )
  }

  function columnType(type: string, member: Schema | undefined): string {
    return (type === 'text' || type === 'key') && member?.enum ? typeOf(member) : (COLUMN_TYPES[type] ?? 'unknown')
  }

  function parameterType({ name, schema }: Parameter): string {
    if (LANGUAGE.test(name)) return 'readonly string[]'
    if (schema.type === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`
    return schema.format?.startsWith('date') ? 'Instant' : typeOf(schema)
  }

  /** A parameter or header among options. */
  const optional = (each: Parameter) =>
    `${each.in === 'header' ? camel(each.name) : each.name}?: ${parameterType(each)} | undefined`

  return { declarations, typeOf, shapeOf, contentOf, read, optional }
}

const WHOLE = { plain: '', withDefaults: '', used: '', related: [] }
