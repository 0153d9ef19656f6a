import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { type AddressInfo, isIP, Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { fillDemo, hasDemo } from './demo/fill.ts'
import { welcome } from './demo/welcome.ts'
import { closeDeps, type Deps, openDeps } from './deps.ts'
import { openKeyRing } from './directory/keys.ts'
import { MERGE_RULES } from './events/merge.ts'
import { readTls } from './http/edge/tls.ts'
import type { Lifecycle } from './http/health.ts'
import { loggedError, openLog } from './observe/log.ts'
import { metricsServer, workersMetricsServer } from './observe/metrics.ts'
import { OutcomeUnknown, StoreUnavailable } from './storage/database.ts'
import { isNew, type Migration, migrate } from './storage/migrate.ts'
import { lockEngine, openDatabase, placeOf } from './storage/open.ts'
import { awaitSuccessor, beat, supervise } from './supervise.ts'

const FINISH_MS = 20_000
const LINGER_MS = 500
const STORE_PAUSE_MS = 500

/** Shows how far the making of the demo has come. */
interface Progress {
  show(share: number): void
  end(): void
}

/** Serves until asked to stop, alone or, with more than one worker, as the supervisor of several. */
export async function serve(config: Config, demo: boolean, progress: Progress): Promise<void> {
  readTls(config) // before anything is opened: each of several workers would fail by itself
  process.stdout.removeAllListeners('error').on('error', () => {}) // a server that nobody reads, or whose log is full, goes on
  const { log, flush } = await openLog(config.COMPTOIR_LOG_LEVEL, process.stdout)
  let release = () => {}
  try {
    if (cluster.isWorker) return await serveRequests(config, log, demo)
    release = await lockEngine(config)
    await prepare(config, log, demo ? progress : undefined)
    if (config.COMPTOIR_WORKERS === 1) await serveRequests(config, log, demo)
    else
      await withMetrics(config, workersMetricsServer(config.COMPTOIR_METRICS_TOKEN), () =>
        supervise(config.COMPTOIR_WORKERS, log),
      )
  } finally {
    release()
    log.info('stopped')
    flush()
    cluster.worker?.disconnect() // the channel to the supervisor would keep the process alive
  }
}

/** What is done once, before anybody serves: the schema, the key ring, and the demo restaurant if it is wanted and the database empty. */
async function prepare(config: Config, log: FastifyBaseLogger, demo: Progress | undefined): Promise<void> {
  const db = await openDatabase(config, 'command', MERGE_RULES) // a migration may take longer than a request may wait
  try {
    const progress = ({ version, name }: Migration, rows: number) => log.info({ version, name, rows }, 'migrating')
    const applied = await migrate(db, undefined, progress)
    const place = placeOf(config)
    if (isNew(applied)) log.info({ engine: db.dialect.engine, place, migrations: applied.length }, 'database created')
    else for (const { version, name } of applied) log.info({ version, name }, 'migrated')
    const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
    if (demo) await fillDemo(db, keys, { now: new Date(), progress: (done, total) => demo.show(done / total) })
  } finally {
    demo?.end()
    await db.close()
  }
}

/** One process that answers requests: opens the stores, listens, and leaves in good order. */
async function serveRequests(config: Config, log: FastifyBaseLogger, demo: boolean): Promise<void> {
  const lifecycle: Lifecycle = { draining: false }
  const { deps, isDemo } = await openWhenReachable(config, log, demo)
  let app: ReturnType<typeof buildApp> | undefined
  try {
    const built = buildApp(deps, { lifecycle, demo: isDemo, sends: config.COMPTOIR_WEBHOOKS !== 'off' })
    app = built
    // The supervisor serves those of its workers.
    await withMetrics(
      cluster.isWorker ? {} : config,
      metricsServer(deps.metrics, config.COMPTOIR_METRICS_TOKEN),
      async () => {
        if (config.COMPTOIR_WEBHOOKS === 'only') return sendOnly(built, log)
        await listening(built.listen({ port: config.PORT, host: config.HOST }), config.HOST, config.PORT)
        const { port } = built.server.address() as AddressInfo
        log.info({ host: config.HOST, port, engine: deps.db.dialect.engine }, 'ready')
        if (cluster.isWorker) beat()
        if (demo && (cluster.worker?.id ?? 1) === 1) process.stdout.write(greetingOf(config, port, isDemo))
        await stopSignal()
        await drain(built.server, lifecycle, config, log)
      },
    )
  } finally {
    await app?.close()
    await closeDeps(deps)
  }
}

/** W24: a process that sends webhooks and answers nobody. */
async function sendOnly(app: ReturnType<typeof buildApp>, log: FastifyBaseLogger): Promise<void> {
  await app.ready()
  log.info('sending webhooks')
  if (cluster.isWorker) beat()
  const keepAlive = setInterval(() => {}, 60_000) // no open port does
  await stopSignal()
  clearInterval(keepAlive)
}

interface Opened {
  deps: Deps
  isDemo: boolean
}

/** A worker whose store is away waits for it and does not listen: ending would be a crash, and five crashes also stop the healthy workers. */
async function openWhenReachable(config: Config, log: FastifyBaseLogger, demo: boolean): Promise<Opened> {
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      return await open(config, log, demo)
    } catch (error) {
      const isAway = error instanceof StoreUnavailable || error instanceof OutcomeUnknown
      if (!cluster.isWorker || !isAway) throw error
      if (!isWaiting) log.warn({ error: loggedError(error) }, 'waiting for the store')
      await sleep(STORE_PAUSE_MS)
    }
  }
}

async function open(config: Config, log: FastifyBaseLogger, demo: boolean): Promise<Opened> {
  const deps = await openDeps(config, log)
  try {
    return { deps, isDemo: demo && (await hasDemo(deps.db)) }
  } catch (error) {
    await closeDeps(deps)
    throw error
  }
}

/**
 * A worker waits for its successor. Then not ready at first, for a load balancer to notice; then no new connections, and those that
 * are open get their next answer with `Connection: close`, so that no client sends a request into a socket that is just being closed.
 */
async function drain(server: Server, lifecycle: Lifecycle, config: Config, log: FastifyBaseLogger): Promise<void> {
  // A second signal, or work that does not end, stops the wait.
  process.once('SIGTERM', () => process.exit(1))
  await awaitSuccessor()
  lifecycle.draining = true
  lifecycle.onDraining?.()
  log.info({ drain_s: config.COMPTOIR_DRAIN_S }, 'draining')
  setTimeout(() => process.exit(1), config.COMPTOIR_DRAIN_S * 1000 + FINISH_MS).unref()
  await sleep(config.COMPTOIR_DRAIN_S * 1000)
  NetServer.prototype.close.call(server) // http's own would cut idle connections at once
  await sleep(LINGER_MS)
}

function greetingOf(config: Config, port: number, isDemo: boolean): string {
  const host = isIP(config.HOST) === 6 ? `[${config.HOST}]` : config.HOST
  const origin = `${config.COMPTOIR_TLS_CERT === undefined ? 'http' : 'https'}://${host}:${port}`
  if (isDemo) return welcome(origin, config.COMPTOIR_BASE_PATH, process.stdout.isTTY === true)
  return `\nComptoir serves ${origin}${config.COMPTOIR_BASE_PATH}. The database was not empty, so the demo restaurant was not added.\n\n`
}

/** Serves metrics on their own port, where one is set, as long as `work` goes on. */
async function withMetrics(
  { COMPTOIR_METRICS_PORT: port, COMPTOIR_METRICS_HOST: host }: Partial<Config>,
  server: Server,
  work: () => Promise<void>,
): Promise<void> {
  if (port === undefined) return work()
  await listening(listen(server, port, host!), host!, port)
  try {
    await work()
  } finally {
    server.close()
  }
}

/** Waits for a port, and says in a sentence why it cannot be had. */
async function listening(started: Promise<unknown>, host: string, port: number): Promise<void> {
  try {
    await started
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new ConfigError([`Port ${port} on ${host} is in use: stop the other program or choose another port`])
    throw new ConfigError([`Cannot listen on ${host}:${port}: ${message}`])
  }
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))

// A worker leaves when its supervisor says so; Ctrl-C reaches both, and only the supervisor heeds it.
const stopSignal = () =>
  new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.on('SIGINT', () => cluster.isPrimary && resolve())
  })
