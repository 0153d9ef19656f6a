import cluster from 'node:cluster'
import { createServer, type Server } from 'node:http'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What is counted, under labels from closed sets: a brand or an address would let a client fill the memory. */
export interface Metrics {
  registry: Registry
  answered(method: string, route: string, status: number, seconds: number): void
}

export function metrics(): Metrics {
  const registry = new Registry()
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries([registry])
    new AggregatorRegistry() // answers the supervisor when it asks
  }
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'comptoir_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'comptoir_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  return {
    registry,
    answered(method, route, status, seconds) {
      requests.inc({ method, route, status })
      durations.observe({ route }, seconds)
    },
  }
}

/** The metrics for a loopback port of their own, apart from the public one. */
export const metricsServer = ({ registry }: Metrics): Server => serverOf(() => registry.metrics())

/** The same, added up over all workers, for their supervisor. */
export function workersMetricsServer(): Server {
  const workers = new AggregatorRegistry()
  return serverOf(() => workers.clusterMetrics())
}

function serverOf(text: () => Promise<string>): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    const metrics = await text().catch(() => undefined)
    if (metrics === undefined) return void response.writeHead(503).end()
    response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(metrics)
  })
}
