import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { closeDeps, openDeps } from './deps.ts'
import type { Presence } from './http/health.ts'
import { openLog } from './http/log.ts'
import { metricsServer } from './http/metrics.ts'
import { lockEngine } from './storage/dialect.ts'

const FINISH_MS = 20_000
const LOOPBACK = '127.0.0.1'

/** Runs the service: opens the stores, listens, and leaves in good order when asked to. */
export async function serve(config: Config): Promise<void> {
  const { log, flush } = openLog(config.COMPTOIR_LOG_LEVEL, process.stdout)
  const presence: Presence = { leaving: false }
  const release = await lockEngine(config)
  const deps = await openDeps(config, log)
  const app = buildApp(deps, presence)
  const metrics = metricsServer(deps.metrics)
  try {
    await listening(app.listen({ port: config.PORT, host: config.HOST }), config.HOST, config.PORT)
    if (config.COMPTOIR_METRICS_PORT !== undefined)
      await listening(listen(metrics, config.COMPTOIR_METRICS_PORT), LOOPBACK, config.COMPTOIR_METRICS_PORT)
    const { port } = app.server.address() as AddressInfo
    log.info({ host: config.HOST, port, engine: deps.db.dialect.engine }, 'ready')

    await asked()
    presence.leaving = true
    log.info({ drain_s: config.COMPTOIR_DRAIN_S }, 'leaving')
    // A second signal, or work that does not end, stops the wait.
    process.once('SIGTERM', () => process.exit(1))
    process.once('SIGINT', () => process.exit(1))
    setTimeout(() => process.exit(1), config.COMPTOIR_DRAIN_S * 1000 + FINISH_MS).unref()
    await sleep(config.COMPTOIR_DRAIN_S * 1000)
  } finally {
    await app.close()
    metrics.close()
    await closeDeps(deps)
    release()
    log.info('left')
    flush()
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

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, LOOPBACK, resolve))

const asked = () =>
  new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
