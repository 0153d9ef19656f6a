import { type Document, nameOf, type Schema } from './document.ts'
import { camel, capital, type Method, namedMethods } from './names.ts'
import { queryWriter } from './queries.ts'
import { comment } from './types.ts'

/** The SDK's resources: for each operation a method, for each query a type. */
export function generateResources(document: Document): string {
  const writer = queryWriter(document)
  const tree = treeOf(namedMethods(document).map((method) => ({ ...method, ...writeMethod(method, writer) })))
  const body = [...writer.declarations.values(), ...interfacesOf(tree), classOf(tree)].join('\n\n')
  const types = [...Object.keys(document.components.schemas), 'ProductType']
  const code = body.replaceAll(/\/\*\*.*?\*\//g, '')
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).join(', ')
  return [
    '// Written by npm run openapi from docs/openapi.json: change the server’s routes instead.',
    `import type { Http } from './http/http.ts'
import type { ${used(['CallOptions', 'WriteOptions'])} } from './option-types.ts'
     import { operations } from './operations.ts'
     import type { ${used(['List', 'ListMethod'])} } from './pages.ts'
     import type { ${used(['Dated', 'Filter', 'Instant', 'Sort'])} } from './query.ts'
     import type { ${used(types)} } from './types.ts'`,
    body,
  ].join('\n\n')
}

interface Written extends Method {
  about: string
  /** What stands behind its name in an interface. */
  signature: string
  /** The expression that makes it (sdk/src/operations.ts). */
  made: string
}

function writeMethod(method: Method, writer: ReturnType<typeof queryWriter>): Omit<Written, keyof Method> {
  const { method: verb, path, parameters, body, summary } = method
  const about = comment(`${summary} (${verb} ${path}).`)
  const values = parameters.filter((each) => each.in === 'path')
  const texts = values.filter(({ schema }) => schema.type !== 'integer').map(({ name }) => name)
  const positional = values.map(({ name, schema }) => `${camel(name)}: ${writer.typeOf(schema)}`)
  const shape = writer.shapeOf(method)
  const whole = shape === 'whole'

  // Lists, and reads of what has no id, take a query; everything else has the query's members among its options.
  if (verb === 'GET' && (values.length === 0 || shape === 'list')) {
    const listing = writer.listing(method)
    if (listing) {
      const place = positional.length > 0 ? `, [${positional.join(', ')}]` : ''
      return { about, signature: `: ListMethod<${listing}${place}>`, made: `at.list('${path}'${flags({ texts })})` }
    }
    const { input, isRequired, result } = writer.read(method)
    const query = `query${isRequired ? '' : '?'}: ${input}`
    const answer = shape === 'list' ? `List<${result}>` : `Promise<${result}>`
    return {
      about,
      signature: `(${[...positional, query, 'options?: CallOptions'].join(', ')}): ${answer}`,
      made: shape === 'list' ? `at.list('${path}'${flags({ texts })})` : `at.read('${path}'${flags({ whole })})`,
    }
  }

  const query = parameters.filter((each) => each.in === 'query')
  const headers = parameters.filter((each) => each.in === 'header' && each.name !== 'idempotency-key')
  const own = [...query, ...headers].map(writer.optional)
  const base = verb === 'GET' ? 'CallOptions' : 'WriteOptions'
  const options = `options?: ${own.length > 0 ? `${base} & { ${own.join('; ')} }` : base}`
  const given = body ? [`${bodyName(body)}: ${writer.typeOf(body)}`] : []
  const particulars = flags({
    texts,
    whole,
    body: body !== undefined,
    query: query.map(({ name }) => name),
    headers: headers.map(({ name }) => name),
  })
  return {
    about,
    signature: `(${[...positional, ...given, options].join(', ')}): Promise<${writer.contentOf(method)}>`,
    made: `at.send('${verb}', '${path}'${particulars})`,
  }
}

/** What sdk/src/operations.ts must know of an operation, as a further argument; nothing where it is as usual. */
function flags(given: Readonly<Record<string, boolean | readonly string[]>>): string {
  const unusual = Object.entries(given).filter(([, value]) => (typeof value === 'boolean' ? value : value.length > 0))
  return unusual.length > 0 ? `, ${JSON.stringify(Object.fromEntries(unusual))}` : ''
}

/** `customer` for a NewCustomer. */
function bodyName({ $ref }: Schema): string {
  const name = $ref === undefined ? 'body' : nameOf($ref).replace(/^New(?=[A-Z])/, '')
  return name.charAt(0).toLowerCase() + name.slice(1)
}

interface Tree {
  readonly path: readonly string[]
  readonly methods: Written[]
  readonly below: Map<string, Tree>
}

function treeOf(methods: readonly Written[]): Tree {
  const root: Tree = { path: [], methods: [], below: new Map() }
  for (const method of methods) {
    let place = root
    for (const name of method.container) {
      if (!place.below.has(name)) place.below.set(name, { path: [...place.path, name], methods: [], below: new Map() })
      place = place.below.get(name)!
    }
    place.methods.push(method)
  }
  return root
}

const interfaceName = ({ path }: Tree) => `${path.map(capital).join('')}Methods`

const membersOf = (tree: Tree) => [...tree.below].map(([name, below]) => `readonly ${name}: ${interfaceName(below)}`)

function interfacesOf(tree: Tree): string[] {
  return [...tree.below.values()].flatMap((below) => {
    const methods = below.methods.flatMap(({ name, about, signature }) => [about, name + signature])
    const lines = [...membersOf(below), ...methods]
    return [...interfacesOf(below), `export interface ${interfaceName(below)} {\n${lines.join('\n')}\n}`]
  })
}

function objectOf(tree: Tree): string {
  const below = [...tree.below].map(([name, each]) => `${name}: ${objectOf(each)}`)
  const methods = tree.methods.map(({ name, made }) => `${name}: ${made}`)
  return `{ ${[...below, ...methods].join(', ')} }`
}

function classOf(root: Tree): string {
  const own = root.methods.map(({ name, about, signature }) => `${about}\nreadonly ${name}: { ${signature} }`)
  const set = [
    ...[...root.below].map(([name, below]) => `this.${name} = ${objectOf(below)}`),
    ...root.methods.map(({ name, made }) => `this.${name} = ${made}`),
  ]
  return `/** Every operation of the API. */
export class Resources {
${[...membersOf(root), ...own].join('\n')}

/** @internal */
constructor(http: Http) {
const at = operations(http)
${set.join('\n')}
}
}`
}
