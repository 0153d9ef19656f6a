import { setTimeout as sleep } from 'node:timers/promises'
import { createCredential, setCredentialEnabled } from '../../server/src/directory/credentials.ts'
import { putRows, type Row } from '../../server/test/database/store.ts'
import { waitUntil } from '../harness/client.ts'
import type { Service } from '../harness/in-process.ts'
import type { Engine } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { caller, type Hooks, openHooks, openSending } from './hooks.ts'
import { type Delivery, openReceiver } from './receivers.ts'

const ENDS_MS = 1_000
const WATCHED_MS = 1_000
const PAUSE_MS = 30
const CANARY = 'canary-in-a-url-4711'

const role = (id: number, permissions: string[]): Row => ({ kind: 'role', id, name: `Role ${id}`, permissions })
const user = (id: number, more: object = {}): Row => ({ kind: 'user', id, username: `user${id}`, role_id: id, ...more })
const ALL = ['*']

/** W3, W5, W9: rights, a venue and a credential are taken while events are sent, and secrets are nowhere. */
export async function taken(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const hooks = await openHooks(trial, engine)
  const { installation } = hooks
  const { db, brand_id, keys } = installation
  const rows = [{ kind: 'venue', id: 2, name: 'Stand' }, ...[2, 3, 4].flatMap((id) => [role(id, ALL), user(id)])]
  await putRows(db, brand_id, rows)
  const service = await openSending(trial, hooks)

  const TAKEN: readonly {
    name: string
    from: number
    isTaken(delivery: Delivery): boolean
    take(client_id: string): Promise<unknown>
  }[] = [
    {
      name: 'the permission of a kind',
      from: 2,
      isTaken: ({ type }) => type === 'product.updated',
      take: () => putRows(db, brand_id, [role(2, ['events:read', 'customers:read'])]),
    },
    {
      name: 'a venue',
      from: 3,
      isTaken: ({ body }) => JSON.parse(body).venue_id === 2,
      take: () => putRows(db, brand_id, [user(3, { venue_ids: [1] })]),
    },
    {
      name: 'the credential',
      from: 4,
      isTaken: () => true,
      take: (client_id) => setCredentialEnabled(db, 'trust', client_id, false),
    },
  ]
  const watched = await Promise.all(
    TAKEN.map(async (each) => {
      const credential = await createCredential(db, keys, 'trust', { brand: 'bistro', username: `user${each.from}` })
      const receiver = await openReceiver(trial)
      const { secret } = await hooks.add(receiver.url, { client_id: credential.client_id })
      const seen = { before: 0, late: 0, endsAt: Number.POSITIVE_INFINITY }
      receiver.watch((delivery) => {
        if (!each.isTaken(delivery)) return
        if (performance.now() > seen.endsAt) seen.late++
        else seen.before++
      })
      return { ...each, ...credential, seen, secret }
    }),
  )
  let isOver = false
  const load = publishAll(hooks, service, () => isOver)
  load.catch(() => {}) // it is awaited later
  await waitUntil('it sends', 30_000, () => watched.every(({ seen }) => seen.before > 5))
  for (const { take, client_id, seen } of watched) {
    await take(client_id)
    seen.endsAt = performance.now() + ENDS_MS * trial.sizes.slack
  }
  const last = Math.max(...watched.map(({ seen }) => seen.endsAt))
  await sleep(last - performance.now() + WATCHED_MS)
  isOver = true
  await load
  for (const { name, seen } of watched)
    if (seen.late > 0) reportFailure(`${name} was taken, and ${seen.late} deliveries came after a second`)

  const secrets = [...watched.map(({ secret }) => secret), ...(await misuse(trial, hooks, service, reportFailure))]
  await service.app.close()
  await search(service, hooks, secrets, reportFailure)
  return `${watched.map(({ name, seen }) => `${name} after ${seen.before} deliveries`).join(', ')}: 0 after a second; ${secrets.length} secrets and a url looked for everywhere`
}

async function publishAll(
  { installation: { brand_id } }: Hooks,
  { deps }: Service,
  isOver: () => boolean,
): Promise<void> {
  for (let id = 1; !isOver(); id++) {
    await deps.db.transaction(async (tx) => {
      tx.publish({ brand_id, type: 'product.updated', subject: String(id), data: { id, changed: ['name'] } })
      for (const venue_id of [1, 2])
        tx.publish({
          brand_id,
          type: 'stop_list.changed',
          subject: String(id),
          venue_id,
          data: { product_id: id, limit: 0 },
        })
    })
    await sleep(PAUSE_MS)
  }
}

/** An endpoint with everything that could tell a secret: a key, a rotation, refusals, a failure. Answers its secrets. */
async function misuse(trial: Trial, hooks: Hooks, service: Service, reportFailure: ReportFailure): Promise<string[]> {
  const ask = await caller(service, hooks)
  const receiver = await openReceiver(trial, (response) => response.writeHead(500).end('no'))
  const url = `${receiver.url}?token=${CANARY}`
  const key = { 'idempotency-key': 'an endpoint' }
  const made = await ask('POST', '', { url, name: 'Hub' }, key)
  if (made.status !== 200) reportFailure(`POST: ${made.status} ${JSON.stringify(made.body)}`)
  const again = await ask('POST', '', { url, name: 'Hub' }, key)
  if ('secret' in again.body.data) reportFailure('the answer that is repeated has a secret')
  const { id } = made.body.data
  await waitUntil('it is active', 30_000, async () => (await hooks.row(id)).state === 'active')
  const rotated = await ask('POST', `/${id}/secret`, { overlap_s: 60 }, { 'idempotency-key': 'a rotation' })
  await ask('POST', '', { url: `ftp://example.com/?token=${CANARY}`, name: 'Hub' })
  await ask('POST', '', { url, name: 'Hub' })
  await ask('POST', `/${id}/test`)
  await ask('PATCH', `/${id}`, { url: `${url}&more` })
  await hooks.publish(5, service.deps.db)
  return [made, rotated].map(({ body }) => (body.data as unknown as { secret: string }).secret)
}

async function search(
  { lines, deps }: Service,
  { installation: { db } }: Hooks,
  secrets: readonly string[],
  reportFailure: ReportFailure,
): Promise<void> {
  const texts: [where: string, text: string][] = [
    ['the log', lines.join('')],
    ['the metrics', await deps.metrics.registry.metrics()],
  ]
  for (const store of [db, deps.activity])
    for (const { name } of await store.rows<{ name: string }>(store.dialect.tableNames, []))
      texts.push([`table ${name}`, JSON.stringify(await store.rows(`select * from ${name}`, []))])
  const bare = secrets.flatMap((secret) => [secret, secret.slice('whsec_'.length)])
  for (const [where, text] of texts) {
    for (const secret of bare) if (text.includes(secret)) reportFailure(`${where} has a secret`)
    const isMeant = ['table webhook_endpoints', 'table idempotency_keys'].includes(where)
    if (text.includes(CANARY) !== isMeant) reportFailure(`${where} ${isMeant ? 'lacks' : 'has'} the url`)
  }
}
