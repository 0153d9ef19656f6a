import { inspect, isDeepStrictEqual } from 'node:util'
import type { Database, Queries } from '../../server/src/storage/database.ts'
import type { Reply, Service } from '../harness/in-process.ts'
import type { Engine } from '../harness/installation.ts'
import type { Office } from '../harness/office/back-office.ts'
import type { ReportFailure } from '../harness/trial.ts'
import type { Canaries } from './canaries.ts'

// Errors that quote what was to be stored, as databases like to.

/** A database whose next transactions can be made to fail, and what the last one failed with. */
interface QuotingDatabase extends Database {
  fails: { with: Error | undefined; last: unknown }
}

export function quotingDatabase(db: Database): QuotingDatabase {
  const fails: QuotingDatabase['fails'] = { with: undefined, last: undefined }
  const transaction: Database['transaction'] = async (work, source) => {
    try {
      if (fails.with) throw fails.with
      return await db.transaction(work, source)
    } catch (error) {
      fails.last = error
      throw error
    }
  }
  return { ...db, transaction, fails }
}

// What the engine itself says when it refuses a row, with the row in it.
const TRIGGERS: Record<Engine, (table: string) => string[]> = {
  SQLite: (table) => [
    `create trigger quoting_${table} before insert on ${table}
     begin select raise(abort, 'Key (name)=(' || new.name || ') already exists'); end`,
  ],
  PostgreSQL: (table) => [
    `create or replace function quoting() returns trigger language plpgsql as $$ begin
     raise exception 'no %', new.name using detail = 'Key (name)=(' || new.name || ') already exists', hint = new.name;
     end $$`,
    `create trigger quoting_${table} before insert on ${table} for each row execute function quoting()`,
  ],
}

const quoteRows = async (tx: Queries, engine: Engine) => {
  for (const table of ['customers', 'brands']) for (const text of TRIGGERS[engine](table)) await tx.run(text, [])
}

// With a code and without, and behind another error.
const ERRORS: readonly ((quoted: string) => Error)[] = [
  (quoted) =>
    Object.assign(new Error(`no ${quoted}`), { code: '23514', detail: quoted, where: quoted, parameters: [quoted] }),
  (quoted) => Object.assign(new Error(`Key (phone)=(${quoted}) already exists`), { detail: quoted }),
  (quoted) => new SyntaxError(`"${quoted}" is not valid JSON`),
  (quoted) => new TypeError('not stored', { cause: new Error(quoted) }),
]

/** A write of the API and one of the back office, each refused by the store in words that hold what was to be written. */
export async function meetQuotingErrors(
  service: Service,
  { db, token, office, engine }: { db: Database; token: string; office: Office; engine: Engine },
  { canary, hide, check }: Canaries,
  reportFailure: ReportFailure,
): Promise<void> {
  const { fails } = service.deps.db as QuotingDatabase
  const operator = office.routes.find(({ method, url }) => method === 'POST' && url.endsWith('/operator/brands'))!
  const cookie = await office.cookieFor(operator)
  const writes: Record<string, (name: string) => Promise<Reply>> = {
    'POST /customers': (name) =>
      service.call({
        method: 'POST',
        path: '/customers',
        headers: { 'x-token': token },
        body: JSON.stringify({ name }),
      }),
    'POST /operator/brands': (name) => office.ask('POST', operator.url, cookie, { slug: 'quoted', name, test: false }),
  }
  for (const error of [...ERRORS, undefined]) {
    if (!error) await db.transaction((tx) => quoteRows(tx, engine))
    for (const [name, write] of Object.entries(writes)) {
      const bird = hide(canary())
      const quoted = `${bird}\n    at ${bird}` // as a line of a stack begins
      Object.assign(fails, { with: error?.(quoted), last: undefined })
      const reply = await write(bird) // a name has one line (D4.3)
      fails.with = undefined
      if (!inspect(fails.last).includes(bird)) reportFailure(`${name}: no error quoted anything, so that was not tried`)
      check(name, reply)
      const request_id = reply.headers['x-request-id']
      if (reply.status !== 500 || !isDeepStrictEqual(JSON.parse(reply.text), { ...FIXED, details: { request_id } }))
        reportFailure(`${name}, refused by the store: ${reply.status} ${reply.text}`)
      const failed = service.lines.find((line) => line.includes(`"${request_id}"`) && line.includes('"failed"'))
      if (!failed || JSON.parse(failed).error.at.length === 0)
        reportFailure(`${name} failed, and the log does not say where`)
    }
  }
}

// D6: what an answer says about an internal error.
const FIXED = {
  error: 'internal_error',
  message: 'Something went wrong on our side. Quote the request id when you report it.',
}
