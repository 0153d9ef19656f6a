import type { FastifyInstance } from 'fastify'

/** True once the process was asked to stop; load balancers see it at /health/ready before the port closes. */
export interface Lifecycle {
  draining: boolean
  /** Called when draining begins. */
  onDraining?: () => void
}

/** D1.1: outside the base path, with no token and no tier. */
export function health(
  app: FastifyInstance,
  lifecycle: Lifecycle,
  checks: Record<string, () => Promise<unknown>>,
): void {
  app.get('/health/live', async () => ({ status: 'ok' }))

  // Requests that come while a check runs share it: however many ask, the database is asked once at a time.
  let running: Promise<(readonly [name: string, result: string])[]> | undefined
  const runChecks = () => {
    running ??= Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const),
    ).finally(() => {
      running = undefined
    })
    return running
  }

  app.get('/health/ready', async (_request, reply) => {
    const results = await runChecks()
    const ready = !lifecycle.draining && results.every(([, result]) => result === 'ok')
    reply.status(ready ? 200 : 503)
    return {
      status: ready ? 'ok' : lifecycle.draining ? 'leaving' : 'unavailable',
      checks: Object.fromEntries(results),
    }
  })
}

const outcome = (check: () => Promise<unknown>) =>
  check().then(
    () => 'ok',
    () => 'unavailable',
  )
