import { readFileSync } from 'node:fs'
import type { Client } from '@comptoir/sdk'
import { Argument, type Command } from 'commander'
import { CLIENT_NAMES } from '../config.ts'
import { CommandError, type Context, printResult, table } from './context.ts'
import { integer } from './options.ts'
import { clientOf, PROFILE } from './profile.ts'
import { progressBar } from './progress.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type Row = Readonly<Record<string, unknown>>

interface CallOptions {
  fields?: string
  filters?: string
  sort?: string
  include?: string
  limit?: number
  page?: number
  all?: true
  venue?: number
  body?: string
  idempotencyKey?: string
  profile: string
}

/** A list (§2.1), or the envelope of one object. */
interface Answered {
  data?: unknown
  pagination?: { page: number; total: number; total_pages: number }
}

const ENVIRONMENT = `
The environment may name the client in place of the profile: ${Object.values(CLIENT_NAMES).join(', ')}, all of
them or none. The secret is never an argument. A profile's token is kept beside it until it expires.`

export function callCommand(program: Command, context: Context): void {
  program
    .command('call')
    .description('call the API of a service, here or elsewhere, as the profile says')
    .addArgument(new Argument('<method>').choices(METHODS))
    .argument('<path>', 'such as /products or /receipts/1')
    .option('--fields <names>', 'members to return: name,price')
    .option('--filters <json>', 'what must hold: [["price",">=",10]]')
    .option('--sort <keys>', 'name:asc, or several: price:desc,name:asc')
    .option('--include <names>', 'related data: prices')
    .option('--limit <n>', 'rows on a page', integer)
    .option('--page <n>', 'which page', integer)
    .option('--all', 'that page and all that follow, as one list')
    .option('--venue <id>', "another venue than the token's", integer)
    .option('--body <json>', 'what to send (- reads standard input)')
    .option('--idempotency-key <key>', 'makes a repeated write one write (default: a new key)')
    .option('--profile <file>', 'file with the server address and credentials', PROFILE)
    .addHelpText('after', ENVIRONMENT)
    .action(async (method: Method, path: string, options: CallOptions) => {
      if (path === '/auth')
        throw new CommandError('every call signs in by itself; a secret has no place among arguments')
      if (options.all && method !== 'GET') throw new CommandError('--all goes with GET')
      const body = options.body === undefined ? undefined : parsed(options.body)
      const brand = await clientOf(options.profile)
      const call = caller(brand, method, path, options, body)
      show(context, await (options.all ? everyPage(context, path, options.page ?? 1, call) : call(options.page)))
    })
}

/** The call, for one page or another; what goes wrong with it is a sentence. */
function caller(brand: Client, method: Method, path: string, options: CallOptions, body: unknown) {
  const { fields, filters, sort, include, limit, venue, idempotencyKey } = options
  return async (page: number | undefined): Promise<Answered> => {
    try {
      const client = venue === undefined ? brand : brand.venue(venue)
      const query = { fields, filters, include, ...sortParameters(sort), limit, page }
      return (await client.request(method, path, { query, body, idempotencyKey })) as Answered
    } catch (error) {
      throw new CommandError(explained(error as Error & Row))
    }
  }
}

async function everyPage(
  context: Context,
  path: string,
  first: number,
  call: (page: number | undefined) => Promise<Answered>,
): Promise<Answered> {
  const opening = await call(first === 1 ? undefined : first) // what is no list takes no page
  if (!opening.pagination) throw new CommandError(`${path} is not a list: call it without --all`)
  const rows = [...(opening.data as Row[])]
  const bar = progressBar(context, `GET ${path}`, opening.pagination.total)
  try {
    let last = opening.pagination.total_pages
    for (let page = first + 1; page <= last; page++) {
      const { data, pagination } = await call(page)
      rows.push(...(data as Row[]))
      last = pagination!.total_pages // rows come and go while we read
      bar.show(rows.length)
    }
  } finally {
    bar.end()
  }
  return { data: rows }
}

/** `price:desc,name` is sort[0][0]=price&sort[0][1]=desc&sort[1][0]=name&sort[1][1]=asc. */
function sortParameters(keys: string | undefined): Record<string, string> {
  const pairs = keys?.split(',').flatMap((key, index) => {
    const [field = '', direction = 'asc', ...rest] = key.split(':')
    if (rest.length > 0) throw new CommandError(`--sort takes name:asc or name:desc, not ${key}`)
    return [
      [`sort[${index}][0]`, field],
      [`sort[${index}][1]`, direction],
    ]
  })
  return Object.fromEntries(pairs ?? [])
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body === '-' ? readFileSync(0, 'utf8') : body)
  } catch (error) {
    throw new CommandError(`--body is not JSON: ${(error as Error).message}`)
  }
}

/** What was refused, where, and under which name the operator finds it. The SDK keeps secrets out of all of it. */
function explained({ message, details, requestId }: Error & Row): string {
  return [message, details && JSON.stringify(details), requestId && `(request ${requestId})`].filter(Boolean).join(' ')
}

function show(context: Context, answered: Answered): void {
  const { data = answered, pagination } = answered
  if (Array.isArray(data)) printResult(context, answered, data.length > 0 ? rowsAsTable(data) : 'Nothing found.')
  else printResult(context, answered, JSON.stringify(data, null, 2))
  if (pagination && pagination.page < pagination.total_pages && !context.json)
    context.err.write(`Page ${pagination.page} of ${pagination.total_pages}; --page or --all gives more.\n`)
}

function rowsAsTable(rows: readonly Row[]): string[] {
  const columns = [...new Set(rows.flatMap(Object.keys))]
  return table(
    columns,
    rows.map((row) => columns.map((column) => cell(row[column]))),
  )
}

const WIDEST_NESTED = 48

/** One line, and nothing that a terminal would obey. What is nested is shown in short; `--json` has it whole. */
function cell(value: unknown): string {
  const text = inShort(value).replaceAll(/\p{Cc}/gu, '�')
  if (typeof value !== 'object' || text.length <= WIDEST_NESTED) return text
  return `${text.slice(0, WIDEST_NESTED)}…${Array.isArray(value) ? ` (${value.length})` : ''}`
}

/** A list is its items, an object its name or, where it has none, its members but the ids. */
function inShort(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(inShort).join('; ')
  if (typeof value !== 'object') return String(value)
  if ('name' in value) return inShort(value.name)
  const members = Object.entries(value).filter(([member]) => !/(^|_)id$/.test(member))
  return members.map(([member, each]) => `${member} ${inShort(each)}`).join(' ')
}
