import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What is counted, under labels from closed sets: a brand or an address would let a client fill the memory. */
export interface Metrics {
  registry: Registry
  answered(method: string, route: string, status: number, seconds: number): void
}

export function metrics(): Metrics {
  const registry = new Registry()
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

/** The metrics on a loopback port of their own, apart from the public one. */
export function metricsServer({ registry }: Metrics): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
  })
}
