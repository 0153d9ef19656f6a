import cluster from 'node:cluster'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Server } from 'node:http'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createServer } from '../http/edge/node-http.ts'
import { type FeedMetrics, feedMetrics } from './feed-metrics.ts'
import { type PrintMetrics, printMetrics } from './print-metrics.ts'
import { answerMetrics } from './response-metrics.ts'
import { type WebhookMetrics, webhookMetrics } from './webhook-metrics.ts'

/** The metrics. Labels have fixed sets of values: with a brand or an address as a label, clients could fill the memory. */
export interface Metrics {
  registry: Registry
  answered(method: string, route: string, status: number, seconds: number): void
  /** Lines of the request log that were lost. */
  linesDropped(lines: number): void
  readonly feed: FeedMetrics
  readonly webhooks: WebhookMetrics
  readonly printing: PrintMetrics
  /** Adds gauges, read at each scrape. */
  watch(states: States): void
}

interface States {
  /** `memory`: this process alone. `shared`: Redis. `local`: Redis fails, and each process counts its part. */
  limiter(): LimiterMode
  overflows(tier: 1 | 2 | 3): number
  connections?: (() => Record<ConnectionState, number>) | undefined
  directoryStaleMs(): number
  /** The age of the embedded database’s last copy; undefined where there is nothing to copy yet. */
  backupAgeMs?: (() => Promise<number | undefined>) | undefined
}

const LIMITER_MODES = ['memory', 'shared', 'local'] as const
const CONNECTION_STATES = ['busy', 'idle', 'waiting'] as const
export type LimiterMode = (typeof LIMITER_MODES)[number]
type ConnectionState = (typeof CONNECTION_STATES)[number]

export function metrics(): Metrics {
  const registry = new Registry()
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries([registry])
    new AggregatorRegistry() // answers the supervisor when it asks
  }
  collectDefaultMetrics({ register: registry })
  const dropped = new Counter({
    name: 'comptoir_request_log_dropped_total',
    help: 'Lines of the request log that were lost, because their queue was full or could not be written',
    registers: [registry],
  })
  return {
    registry,
    linesDropped: (lines) => dropped.inc(lines),
    answered: answerMetrics(registry),
    feed: feedMetrics(registry),
    webhooks: webhookMetrics(registry),
    printing: printMetrics(registry),
    watch: (states) => watch(registry, states),
  }
}

function watch(registry: Registry, { limiter, overflows, connections, directoryStaleMs, backupAgeMs }: States): void {
  const registers = [registry]
  new Gauge({
    name: 'comptoir_limiter_mode',
    help: 'Workers that count the limits this way',
    labelNames: ['mode'],
    registers,
    collect() {
      for (const mode of LIMITER_MODES) this.set({ mode }, mode === limiter() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'comptoir_limiter_overflows',
    help: 'Decisions that fell to the budget shared by keys too many to be tracked',
    labelNames: ['tier'],
    registers,
    collect() {
      for (const tier of [1, 2, 3] as const) this.set({ tier }, overflows(tier))
    },
  })
  new Gauge({
    name: 'comptoir_directory_stale_seconds',
    help: 'For how long changes of the directory could not be asked for; the worst worker',
    aggregator: 'max',
    registers,
    collect() {
      this.set(directoryStaleMs() / 1000)
    },
  })
  if (backupAgeMs)
    new Gauge({
      name: 'comptoir_backup_age_seconds',
      help: 'How old the last copy of the embedded database is; before the first one, its oldest brand',
      registers,
      async collect() {
        const ms = await backupAgeMs().catch(() => undefined)
        if (ms === undefined) this.remove()
        else this.set(ms / 1000)
      },
    })
  if (!connections) return
  new Gauge({
    name: 'comptoir_database_connections',
    help: 'Connections of the pools, busy and idle, and calls that are waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      const now = connections()
      for (const state of CONNECTION_STATES) this.set({ state }, now[state])
    },
  })
}

/** The metrics for a port of their own, apart from the public one. With a token they are read by those who send it. */
export const metricsServer = ({ registry }: Metrics, token?: string): Server =>
  serverOf(() => registry.metrics(), token)

/** The same, added up over all workers, for their supervisor. */
export function workersMetricsServer(token?: string): Server {
  const workers = new AggregatorRegistry()
  return serverOf(() => workers.clusterMetrics(), token)
}

function serverOf(text: () => Promise<string>, token: string | undefined): Server {
  const expected = token === undefined ? undefined : digestOf(`Bearer ${token}`)
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    if (expected && !timingSafeEqual(digestOf(request.headers.authorization ?? ''), expected))
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    const metrics = await text().catch(() => undefined)
    if (metrics === undefined) return void response.writeHead(503).end()
    response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(metrics)
  })
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()
