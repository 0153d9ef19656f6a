import { RESOURCES } from '../../server/src/resources/catalogue.ts'
import type { Database } from '../../server/src/storage/database.ts'
import type { Reply, Service } from '../harness/in-process.ts'
import type { ReportFailure } from '../harness/trial.ts'

// Texts that go in, and secrets that the service makes up; where they may come out, and where not.

const CANARY = /canary\d{9}/g

// Where a person's data is meant to be, and what people call things by.
const PERSONAL = ['customers', 'orders', 'receipts', 'waiter_calls', 'idempotency_keys']
const LABELLED = [
  'brands',
  'credentials',
  'devices',
  'integrators',
  'audit',
  'events',
  'idempotency_keys',
  'receipt_lines',
  ...RESOURCES.map(({ table }) => table),
]

// Refusals that say which thing of the house stands in the way.
const NAMES_THINGS = /^{"error":"printer_off"/

// Where a secret is shown again to a person who knows the password.
const SHOWS_AGAIN = 'POST /back-office/api/credentials/:client_id/secret'

export type Canaries = ReturnType<typeof openCanaries>

export function openCanaries(reportFailure: ReportFailure) {
  let canaries = 0
  let sent = 0
  const echoed = new Set<string>()
  const labels = new Set<string>()
  const hidden = new Set<string>()
  const minted = new Set<string>()
  const succeeded = new Set<string>()
  const next = (kind?: Set<string>) => {
    const canary = `canary${100_000_000 + ++canaries}`
    kind?.add(canary)
    return canary
  }
  const hide = (secret: string) => {
    hidden.add(secret)
    return secret
  }

  /** What an answer may not hold: in a refusal nothing that was sent, and nowhere a secret that is known already. */
  function check(route: string, { status, text, headers }: Reply): void {
    sent++
    if (status < 300) succeeded.add(route)
    const shown = text + JSON.stringify(headers)
    const isNamed = NAMES_THINGS.test(text)
    if (status >= 400)
      for (const [canary] of shown.matchAll(CANARY))
        if (!echoed.has(canary) && !(isNamed && labels.has(canary)))
          reportFailure(`${route} was answered with a canary: ${status} ${around(shown, canary)}`)
    if (route === SHOWS_AGAIN && status < 300) return
    for (const secret of hidden)
      if (holds(shown, secret)) reportFailure(`${route} was answered with a secret: ${status} ${around(shown, secret)}`)
  }

  /** What a text may not hold that is written down; `table`: where, if it is a table. */
  function search(where: string, text: string, table?: string): void {
    for (const secret of hidden)
      if (holds(text, secret)) reportFailure(`${where} has a secret: ${around(text, secret)}`)
    for (const [canary] of text.matchAll(CANARY)) {
      const meant = labels.has(canary) ? LABELLED : PERSONAL
      if (!(table && meant.includes(table))) reportFailure(`${where} has a canary: ${around(text, canary)}`)
    }
  }

  return {
    /** A secret or personal data: stored with customers or nowhere. */
    canary: () => next(),
    /** An unknown name, which the refusal repeats (D1.4, D2.2). */
    echoed: () => next(echoed),
    /** What people call a thing: it is stored and shown, and not logged. */
    label: () => next(labels),
    hide,
    check,
    /** Checks an answer, and from then on looks for the secrets that it gave out. */
    note(route: string, reply: Reply): void {
      if (reply.status >= 500) reportFailure(`${route}: ${reply.status} ${reply.text}`)
      check(route, reply)
      for (const [name, secret] of [...secretsIn(jsonOf(reply)), ...cookieOf(reply)]) {
        minted.add(name)
        hide(secret)
      }
    },
    search,
    /** Breaks for what did not happen, and so was not tried. */
    expect(routes: readonly string[], made: readonly string[]): void {
      for (const route of routes)
        if (!succeeded.has(route)) reportFailure(`${route} never succeeded, so that was not tried`)
      for (const name of made)
        if (!minted.has(name)) reportFailure(`no ${name} was ever given out, so that was not tried`)
    },
    summary: () => `${canaries} canaries and ${hidden.size} secrets in ${sent} requests`,
  }
}

/** Everything that was written down: the log, the metrics, and every table of both stores. */
export async function searchAll({ lines, deps }: Service, db: Database, { search }: Canaries): Promise<void> {
  search('the log', lines.join(''))
  search('the metrics', await deps.metrics.registry.metrics())
  for (const store of [db, deps.activity])
    for (const { name } of await store.rows<{ name: string }>(store.dialect.tableNames, []))
      search(`table ${name}`, JSON.stringify(await store.rows(`select * from ${name}`, [])), name)
}

const SECRET = /(secret|token|password|totp|uri|link|ticket)$/i

/** The texts under members that are called like a secret. */
function secretsIn(value: unknown, name = ''): [name: string, secret: string][] {
  if (typeof value === 'string') return SECRET.test(name) ? [[name, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, part]) => secretsIn(part, Array.isArray(value) ? name : member))
}

const jsonOf = ({ text }: Reply): unknown => (text.startsWith('{') ? JSON.parse(text) : undefined)

function cookieOf({ headers }: Reply): [name: string, secret: string][] {
  const value = /=([^;]+)/.exec(String(headers['set-cookie'] ?? '').split(';')[0]!)?.[1]
  return value ? [['set-cookie', value]] : []
}

/** A code of six digits is also part of many a number, so it has to stand alone. */
const holds = (text: string, secret: string) =>
  /^\d{6}$/.test(secret) ? new RegExp(`\\b${secret}\\b`).test(text) : text.includes(secret)

const around = (text: string, found: string) => {
  const index = text.indexOf(found)
  return text.slice(Math.max(0, index - 120), index + found.length + 40)
}
