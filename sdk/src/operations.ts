import { ServerError } from './errors.ts'
import type { Method } from './http/exchange.ts'
import type { Http } from './http/http.ts'
import type { CallOptions } from './option-types.ts'
import { namedOptions } from './options.ts'
import { listFrom, type Page, type WalkPage, walkFrom } from './pages.ts'
import { listParameters, type UncheckedQuery } from './query.ts'

// The methods of resources.ts, which is generated: one function here for each shape that an operation can have.

/** A function that can stand for every generated one. Callers see the generated signature. */
type Made = (...given: unknown[]) => never

interface Particulars {
  /** Values of the path that are texts; all others are ids, integers from 1. */
  readonly texts?: readonly string[]
  /** The whole answer is given, not its `data`. */
  readonly whole?: boolean
  readonly body?: boolean
  /** Parameters of the query, and headers, that are among the options. */
  readonly query?: readonly string[]
  readonly headers?: readonly string[]
}

export function operations(http: Http) {
  const read = (route: string, path: string, query: UncheckedQuery, options: CallOptions | undefined) =>
    http.call({ ...namedOptions(options), method: 'GET', route, path, query: listParameters(query) })

  return {
    /** A list with pages, or a walk when `after` is given. */
    list(route: string, { texts }: Particulars = {}): Made {
      return (...given) => {
        const { values, rest } = splitAt(given, countValues(route))
        const [query = {}, options] = rest as [UncheckedQuery?, CallOptions?]
        const page = async <Answer>(place: UncheckedQuery) =>
          member<Answer>(await read(route, fill(route, values, texts), { ...query, ...place }, options), 'pagination')
        const { after } = query
        return (
          after === undefined
            ? listFrom(query.page ?? 1, (number) => page<Page<unknown>>({ page: number }))
            : walkFrom(after, (next) => page<WalkPage<unknown>>({ after: next }))
        ) as never
      }
    },

    /** A read without an id: a total, a catalogue, a list without pages. */
    read(route: string, { whole = false }: Particulars = {}): Made {
      const make = async (query: UncheckedQuery = {}, options?: CallOptions) =>
        contentOf(await read(route, route, query, options), whole)
      return make as Made
    },

    /** Everything else: the values of its path, then its body, then options. */
    send(method: Method, route: string, particulars: Particulars = {}): Made {
      const { texts, whole = false, query = [], headers = [] } = particulars
      const make = async (...given: unknown[]) => {
        const { values, rest } = splitAt(given, countValues(route))
        const [body, options] = particulars.body ? rest : [undefined, rest[0]]
        const parameters = partition(options, query)
        const sent = partition(parameters.others, headers.map(camel))
        const answer = await http.call({
          ...namedOptions(sent.others, ...(method === 'GET' ? [] : (['idempotencyKey'] as const))),
          method,
          route,
          path: fill(route, values, texts),
          body,
          query: listParameters(parameters.picked),
          headers: Object.fromEntries(headers.map((name) => [name, sent.picked[camel(name)]])),
        })
        return contentOf(answer, whole)
      }
      return make as unknown as Made
    },
  }
}

/** D3.1. What is no id is refused here: in a path it could mean another one. */
export function checkId(id: unknown): number {
  if (!Number.isSafeInteger(id) || (id as number) < 1)
    throw new TypeError(`An id is an integer from 1, not ${JSON.stringify(id)}`)
  return id as number
}

function checkText(value: unknown, name: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} is a text that is not empty, not ${JSON.stringify(value)}`)
  return encodeURIComponent(value)
}

const countValues = (route: string) => route.split('{').length - 1

function fill(route: string, values: readonly unknown[], texts: readonly string[] = []): string {
  const left = [...values]
  return route.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    texts.includes(name) ? checkText(left.shift(), name) : String(checkId(left.shift())),
  )
}

const splitAt = (given: readonly unknown[], count: number) => ({
  values: given.slice(0, count),
  rest: given.slice(count),
})

function partition(options: unknown, names: readonly string[]) {
  const entries = Object.entries(Object(options) as object)
  const part = (isPicked: boolean) => Object.fromEntries(entries.filter(([name]) => names.includes(name) === isPicked))
  return { picked: part(true), others: part(false) }
}

const camel = (name: string) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

// §2.1: the resource is the envelope's `data`.
const contentOf = (answer: unknown, whole: boolean) => (whole ? answer : member<{ data: unknown }>(answer, 'data').data)

/** A proxy may answer 200 too, with something else. */
function member<Envelope>(answer: unknown, name: string): Envelope {
  if (typeof answer === 'object' && answer !== null && name in answer) return answer as Envelope
  throw new ServerError(`The answer has no ${name}: it does not come from Comptoir`, { status: 200 })
}
