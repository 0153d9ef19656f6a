import type { FastifyInstance } from 'fastify'

/** True once the process was asked to stop; load balancers see it at /health/ready before the port closes. */
export interface Lifecycle {
  draining: boolean
  /** Called when draining begins. */
  onDraining?: () => void
  /** Resolved when this process sends webhooks and serves printers, where it does. */
  senders?: Promise<unknown>
}

/** D1.1: outside the base path, with no token and no tier. Returns whether the service is ready. */
export function health(
  app: FastifyInstance,
  lifecycle: Lifecycle,
  checks: Record<string, () => Promise<unknown>>,
): () => Promise<boolean> {
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

  const isReady = (results: Awaited<ReturnType<typeof runChecks>>) =>
    !lifecycle.draining && results.every(([, result]) => result === 'ok')

  app.get('/health/ready', async (_request, reply) => {
    const results = await runChecks()
    const ready = isReady(results)
    reply.status(ready ? 200 : 503)
    return {
      status: ready ? 'ok' : lifecycle.draining ? 'leaving' : 'unavailable',
      checks: Object.fromEntries(results),
    }
  })
  return async () => isReady(await runChecks())
}

const outcome = (check: () => Promise<unknown>) =>
  check().then(
    () => 'ok',
    () => 'unavailable',
  )
