import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import v8 from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, ConfigError, speaksTls } from './config.ts'
import { fillDemo, hasDemo } from './demo/fill.ts'
import { welcome } from './demo/welcome.ts'
import { closeDeps, type Deps, openDeps } from './deps.ts'
import { openKeyRing } from './directory/keys.ts'
import { MERGE_RULES } from './events/merge.ts'
import { readTls } from './http/edge/tls.ts'
import type { Lifecycle } from './http/health.ts'
import { type Lan, openLan } from './lan/lan.ts'
import { connectAddress, lanHost, urlHost } from './lan/names.ts'
import { announceFormat } from './menu/snapshot/format.ts'
import { loggedError, openLog } from './observe/log.ts'
import { metricsServer, workersMetricsServer } from './observe/metrics.ts'
import { firstSetupLink } from './setup/links.ts'
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

interface ServeOptions {
  readonly demo: boolean
  /** Whether programs read the output: then nothing is written beside the log. */
  readonly json: boolean
}

/** Serves until asked to stop, alone or, with more than one worker, as the supervisor of several. */
export async function serve(config: Config, { demo, json }: ServeOptions, progress: Progress): Promise<void> {
  readTls(config) // before anything is opened: each of several workers would fail by itself
  process.stdout.removeAllListeners('error').on('error', () => {}) // a server that nobody reads, or whose log is full, goes on
  const { log, flush } = await openLog(config.COMPTOIR_LOG_LEVEL, process.stdout)
  let release = () => {}
  try {
    if (cluster.isWorker) return await serveRequests(config, log, { demo, json })
    release = await lockEngine(config)
    if (config.COMPTOIR_LAN) await openLan(config, () => {}) // once, before workers could each make an authority
    await prepare(config, log, demo ? progress : undefined)
    if (config.COMPTOIR_WORKERS === 1) await serveRequests(config, log, { demo, json })
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
    await announceFormat(db)
    const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
    if (demo) await fillDemo(db, keys, { now: new Date(), progress: (done, total) => demo.show(done / total) })
  } finally {
    demo?.end()
    await db.close()
  }
}

/** One process that answers requests: opens the stores, listens, and leaves in good order. */
async function serveRequests(config: Config, log: FastifyBaseLogger, { demo, json }: ServeOptions): Promise<void> {
  const lifecycle: Lifecycle = { draining: false }
  const lan = config.COMPTOIR_LAN ? await openLan(config, (sentence) => log.warn(sentence)) : undefined
  const { deps, isDemo } = await openWhenReachable(config, log, demo)
  let app: ReturnType<typeof buildApp> | undefined
  try {
    const sends = config.COMPTOIR_WEBHOOKS !== 'off'
    const built = buildApp(deps, {
      lifecycle,
      demo: isDemo,
      sends,
      prints: true,
      checks: true,
      lan,
    })
    app = built
    // The supervisor serves those of its workers.
    await withMetrics(
      cluster.isWorker ? {} : config,
      metricsServer(deps.metrics, config.COMPTOIR_METRICS_TOKEN),
      async () => {
        const stopped = stopSignal() // heeded as soon as the port is open, or somebody reads that this is ready
        if (config.COMPTOIR_WEBHOOKS === 'only') return sendOnly(built, log, stopped)
        await listening(built.listen({ port: config.PORT, host: config.HOST }), config.HOST, config.PORT)
        const { port } = built.server.address() as AddressInfo
        if (deps.db.dialect.engine === 'SQLite') growSlowly()
        const closeConnectPage = lan && (await serveConnectPage(config, lan, built.server as HttpsServer, log))
        log.info({ host: config.HOST, port, engine: deps.db.dialect.engine }, 'ready')
        if (cluster.isWorker) beat()
        await Promise.race([lifecycle.senders, stopped]) // they say so in the log, and what follows is to stay in sight
        const isFirst = (cluster.worker?.id ?? 1) === 1
        if (demo && isFirst) process.stdout.write(greetingOf(config, port, isDemo))
        if (lan && isFirst && process.stdout.isTTY) process.stdout.write(lanGreetingOf(config, lan, port))
        if (isFirst) await offerSetup(deps, originOf(config, port, lan), json)
        await stopped
        closeConnectPage?.()
        await drain(built.server, lifecycle, config, log)
      },
    )
  } finally {
    await app?.close()
    await closeDeps(deps)
  }
}

/**
 * From now on the heap may grow by a third between two collections, not double: 20 MB less. While the code is loaded nearly all of it is
 * kept, and to collect that often would take a fifth of the start.
 */
const growSlowly = () => v8.setFlagsFromString('--heap-growing-percent=30')

/** The page Connect a device, and a certificate that follows this machine's addresses. Returns how to end both. */
async function serveConnectPage(config: Config, lan: Lan, service: HttpsServer, log: FastifyBaseLogger) {
  const { connectServer } = await import('./lan/connect-server.ts')
  const { HOST, COMPTOIR_CONNECT_PORT } = config
  const page = connectServer(config, lan, (service.address() as AddressInfo).port, Date.now)
  await listening(listen(page, COMPTOIR_CONNECT_PORT, HOST), HOST, COMPTOIR_CONNECT_PORT)
  const { names, addresses } = lan.names()
  const connect_port = (page.address() as AddressInfo).port
  log.info({ connect_port, names, addresses, fingerprint: lan.authority.fingerprint }, 'devices can be connected')
  const unfollow = lan.follow(service, {
    renewed: (current) => log.info({ ...current }, 'the certificate was renewed'),
    failed: (error) => log.error({ error: loggedError(error) }, 'the certificate could not be renewed or stored'),
  })
  return () => {
    unfollow()
    page.close()
    page.closeAllConnections()
  }
}

/** W24: a process that sends webhooks and answers nobody. */
async function sendOnly(app: ReturnType<typeof buildApp>, log: FastifyBaseLogger, stopped: Promise<void>) {
  await app.ready()
  log.info('sending webhooks')
  if (cluster.isWorker) beat()
  const keepAlive = setInterval(() => {}, 60_000) // no open port does
  await stopped
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

/** On a database without brands, the link by which the first one is opened; in the log, and for a person. */
async function offerSetup({ db, log, now }: Deps, origin: string, json: boolean): Promise<void> {
  const made = await firstSetupLink(db, now()).catch((error) =>
    log.warn({ error: loggedError(error) }, 'no link to setup could be made'),
  )
  if (!made) return
  const { token, expires_at } = made
  const link = `${origin}/back-office/setup#${token}`
  log.info({ link, expires_at }, 'setup')
  if (!json) process.stdout.write(`\nOpen your restaurant here. The link is good once, for 24 hours.\n\n  ${link}\n\n`)
}

/** Where people reach this process. */
function originOf(config: Config, port: number, lan: Lan | undefined): string {
  const host = urlHost(lan ? lanHost(config, lan.names()) : config.HOST)
  return `${speaksTls(config) ? 'https' : 'http'}://${host}:${port}`
}

function greetingOf(config: Config, port: number, isDemo: boolean): string {
  const origin = originOf(config, port, undefined)
  if (isDemo) return welcome(origin, config, process.stdout.isTTY === true)
  return `\nComptoir serves ${origin}${config.COMPTOIR_BASE_PATH}. The database was not empty, so the demo restaurant was not added.\n\n`
}

function lanGreetingOf(config: Config, lan: Lan, port: number): string {
  const host = urlHost(lanHost(config, lan.names()))
  const line = (name: string, value: string) => `  ${name.padEnd(17)} ${value}\n`
  return [
    '\nComptoir serves this network. On a new device, open Connect a device first.\n\n',
    line('Till', `https://${host}:${port}/back-office/till`),
    line('Kitchen', `https://${host}:${port}/back-office/kitchen`),
    line('Back office', `https://${host}:${port}/back-office`),
    line('Connect a device', connectAddress(config, lan.names())),
    line('Fingerprint', lan.authority.fingerprint),
    '\n',
  ].join('')
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
