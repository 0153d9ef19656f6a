import { type Document, type Operation, operationsOf, resolved } from './document.ts'

/** An operation with its place in the client: `client.finance.taxes.report()` is `report` of `['finance', 'taxes']`. */
export interface Method extends Operation {
  container: readonly string[]
  name: string
}

/** What a client has besides its resources. */
const TAKEN = ['venue', 'request', 'toJSON']

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }
const RESERVED = ['list', 'get', ...Object.values(VERBS)]

/**
 * The rule that gives every operation a name; sdk/README.md explains it. Two operations of one name stop the generator: the rule then
 * needs a word for what is new about one of them.
 */
export function namedMethods(document: Document): Method[] {
  const operations = operationsOf(document)
  const named = operations.map((operation) => ({ ...operation, ...placeOf(document, operation, operations) }))
  const taken = new Map<string, string>(TAKEN.map((name) => [name, 'a method of every client']))
  for (const { method, path, container, name } of named) {
    const call = [...container, name].join('.')
    const other = taken.get(call)
    if (other) throw new Error(`${method} ${path} would be client.${call}(), which is ${other}`)
    taken.set(call, `${method} ${path}`)
  }
  return named
}

function placeOf(document: Document, operation: Operation, operations: readonly Operation[]) {
  const { method, path } = operation
  const paths = operations.map((other) => other.path)
  const segments = path.slice(1).split('/')
  // The resource is the first part of the path that is an operation or has one by id; what comes before it only groups.
  const isResource = (length: number) => {
    const part = `/${segments.slice(0, length).join('/')}`
    return paths.some((other) => other === part || other.startsWith(`${part}/{`))
  }
  const depth = segments.findIndex((_, index) => isResource(index + 1)) + 1
  const container = segments.slice(0, depth).map(camel)
  const rest = segments.slice(depth)
  const isAlone = !paths.some((other) => other.startsWith(`${path}/`))
  if (rest.length === 0 && method === 'GET' && !isList(document, operation))
    return isAlone ? { container: container.slice(0, -1), name: container.at(-1)! } : { container, name: 'get' }
  const isRead = operations.some((other) => other.path === path && other.method === 'GET')
  return { container, name: nameOf(method, rest, isRead) }
}

/** Method name from the part of the path after the resource; `isRead` when the same path can be read. */
function nameOf(method: string, rest: readonly string[], isRead: boolean): string {
  const words = rest.filter((segment) => !segment.startsWith('{'))
  const last = rest.at(-1)
  const value = last?.startsWith('{') ? last.slice(1, -1) : undefined
  const verb = VERBS[method] ?? (rest.length === 0 ? 'list' : 'get')
  if (words.length === 0) return verb
  const name = camel(words.join('-'))
  if (method === 'GET' && value === words.at(-1)) return `by${capital(name)}`
  const isPlain = value === undefined && (method === 'GET' || (method === 'POST' && !isRead)) // POST: an action, such as close
  if (isPlain && !RESERVED.includes(name)) return name
  return `${verb}${capital(name)}`
}

/** Whether it answers several: `data` is an array. */
export const isList = (document: Document, { answer }: Operation) =>
  resolved(document, answer).properties?.data?.type === 'array'

export const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
export const camel = (name: string) => name.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())
