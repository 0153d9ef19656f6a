import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../server/src/config.ts'
import type { Deps } from '../../server/src/deps.ts'
import { type Database, StoreUnavailable } from '../../server/src/storage/database.ts'
import { putEndpoint } from '../../server/src/webhooks/endpoint-fixture.ts'
import type { EndpointRow } from '../../server/src/webhooks/endpoints.ts'
import { newSecret, sealed } from '../../server/src/webhooks/secrets.ts'
import { waitUntil } from '../harness/client.ts'
import { openService, type Service, untilFree } from '../harness/in-process.ts'
import { type Engine, type Installation, install, sqlOn } from '../harness/installation.ts'
import { type Env, type Process, start } from '../harness/server.ts'
import { shuffled, type Trial } from '../harness/trial.ts'
import type { Feed } from './receivers.ts'

// A brand whose feed is written here, and endpoints of it at receivers on loopback.

export const LOOPBACK = { COMPTOIR_WEBHOOK_ALLOW: '127.0.0.0/8' }

export interface Hooks {
  readonly installation: Installation
  /** The objects of what was published, by position. */
  readonly feed: Feed
  /** Adds an active endpoint that begins at the end of the feed. */
  add(url: string, more?: Partial<EndpointRow>): Promise<{ id: string; secret: string }>
  /** Publishes events about products, and a few about nothing in particular; by the database of a service it hears of them at once. */
  publish(count: number, by?: Database): Promise<void>
  rows(): Promise<EndpointRow[]>
  row(id: string): Promise<EndpointRow>
  /** Waits until an endpoint has had all that was published. */
  caughtUp(id: string): Promise<void>
}

const PRODUCTS = 60
const A_COMMIT = 20
const WITHOUT_OBJECT_PERCENT = 5
const STANDS_MS = 120_000 // after which an endpoint that gets no nearer to the end counts as stuck
const LOOK_MS = 50
const MAX_TRIES = 10
const STARTS_MS = 180_000

export async function openHooks(trial: Trial, engine: Engine): Promise<Hooks> {
  const installation = await install(trial, engine)
  const { db, keys, brand_id, credentials } = installation
  const { client_id, integrator_id } = credentials
  const random = trial.random(`webhooks ${engine}`)
  const products = Array.from({ length: PRODUCTS }, (_, index) => index + 1)
  const feed = new Map<number, string>()
  const head = async () =>
    (
      await db.rows<{ position: number; nonce: number }>(
        'select position, nonce from events where brand_id = ? order by position desc limit 1',
        [brand_id],
      )
    )[0]!
  const ids: string[] = []
  const rows = () =>
    db.rows<EndpointRow>('select * from webhook_endpoints where brand_id = ? order by created_at, id', [brand_id])
  const row = async (id: string) => (await rows()).find((each) => each.id === id)!

  /** Once more where the store says that nothing was done, as it may on a busy machine. */
  async function commit(count: number, by: Database): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await commitOnce(count, by)
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || tries === MAX_TRIES) throw error
        await sleep(LOOK_MS)
      }
  }

  async function commitOnce(count: number, by: Database): Promise<void> {
    await by.transaction(async (tx) => {
      for (const id of shuffled(products, random).slice(0, count))
        tx.publish({ brand_id, type: 'product.updated', subject: String(id), data: { id, changed: ['name'] } })
      if (random.percent(WITHOUT_OBJECT_PERCENT * count))
        tx.publish({
          brand_id,
          type: 'stock.moved',
          subject: '',
          venue_id: 1,
          data: { first_id: 1, last_id: 1, count: 1 },
        })
    })
  }

  return {
    installation,
    feed,
    async add(url, more = {}) {
      const secret = newSecret()
      const id = `we_${String(ids.length).padStart(22, '0')}`
      ids.push(id)
      const { position, nonce } = await head()
      const secrets = sealed(keys, brand_id, id, secret)
      await putEndpoint(db, { brand_id, client_id, integrator_id, id, url, secrets, position, nonce, ...more })
      return { id, secret }
    },
    async publish(count, by = db) {
      const { position } = await head()
      for (let left = count; left > 0; left -= A_COMMIT) await commit(Math.min(left, A_COMMIT), by)
      const added = await db.rows<{ position: number; type: string; subject: string }>(
        'select position, type, subject from events where brand_id = ? and position > ? order by position',
        [brand_id, position],
      )
      for (const each of added) if (!each.type.startsWith('webhook_endpoint.')) feed.set(each.position, each.subject)
    },
    rows,
    row,
    async caughtUp(id) {
      let left = Number.POSITIVE_INFINITY
      for (let since = performance.now(); left > 0; await sleep(LOOK_MS)) {
        const [{ position }, { waiting }] = [
          await row(id),
          (
            await db.rows<{ waiting: number }>(
              `select count(*) as waiting from webhook_held where endpoint_id = ? and state = 'waiting'`,
              [id],
            )
          )[0]!,
        ]
        const now = waiting + (await head()).position - position
        if (now < left) since = performance.now()
        else if (performance.now() - since > STANDS_MS)
          throw new Error(`endpoint ${id} still lacks ${now} events, as ${STANDS_MS} ms ago`)
        left = now
      }
    },
  }
}

/** The service in this process, which sends; its wall clock may be another. */
export async function openSending(
  trial: Trial,
  { installation }: Hooks,
  replaced: (deps: Deps) => Partial<Deps> = () => ({}),
): Promise<Service> {
  const config = loadConfig({ ...installation.env, ...LOOPBACK })
  return openService(trial, { config }, replaced, { sends: true })
}

/** What a service has counted by a metric of webhooks. */
export async function counted({ deps }: Service, name: 'attempts' | 'leases_lost'): Promise<number> {
  const metric = await deps.metrics.registry.getSingleMetric(`comptoir_webhook_${name}_total`)!.get()
  return metric.values.reduce((sum, { value }) => sum + value, 0)
}

/** Calls the routes of the API about endpoints. */
export async function caller({ call, token }: Service, { installation: { credentials } }: Hooks) {
  const headers = { 'x-token': await token(credentials) }
  return async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const text = body && JSON.stringify(body)
    const ask = () =>
      call({
        method,
        path: `/webhook-endpoints${path}`,
        headers: { ...headers, ...more },
        ...(text !== undefined && { body: text }),
      })
    const reply = await untilFree(ask)
    return { status: reply.status, body: JSON.parse(reply.text) as Record<string, unknown> & { data: EndpointRow } }
  }
}

/** A process that sends webhooks and does nothing else. */
export async function startSender(trial: Trial, { env }: { env: Env }, settings: Env = {}): Promise<Process> {
  const sender = start({ ...env, ...LOOPBACK, COMPTOIR_WEBHOOKS: 'only', ...settings }, ['serve'])
  trial.after(() => sender.stop('SIGKILL'))
  await Promise.race([
    waitUntil('it sends', STARTS_MS, () => sender.said().includes('webhooks are sent from here')),
    sender.exited.then((code) =>
      Promise.reject(new Error(`the sender ended with ${code}: ${sender.said().slice(-2_000)}`)),
    ),
  ])
  return sender
}

/** What several senders need that serve one database. */
export const shared = async (trial: Trial, senders: number): Promise<Env> => ({
  REDIS_URL: (await trial.redis()).url,
  COMPTOIR_FLEET: String(senders),
})

/** Lets the leases of a process end now, as 30 s without it would. */
export const endLeases = ({ installation: { db } }: Hooks, pid: number) =>
  db.transaction((tx) =>
    tx.run('update webhook_endpoints set lease_until = 0 where lease_holder like ?', [`% ${pid} %`]),
  )

/** Another database of the same server with the same rows, as after pg_dump and psql. */
export async function copyOf(trial: Trial, url: string): Promise<string> {
  const [from, name] = [new URL(url).pathname.slice(1), `trust_copy_${process.pid}`]
  const server = new URL('/postgres', url).href
  await sqlOn(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from])
  await sqlOn(server, `create database ${name} template ${from}`)
  trial.after(() => sqlOn(server, `drop database ${name} with (force)`))
  return new URL(`/${name}`, url).href
}
