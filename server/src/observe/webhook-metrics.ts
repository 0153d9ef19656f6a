import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** What a sender has in hand, read at each scrape. */
export interface SenderState {
  readonly backlog: number
  readonly oldestS: number
  readonly inFlight: number
  readonly endpoints: Readonly<Record<string, number>>
}

/** W23: what is counted of webhooks; no brand is a label. */
export interface WebhookMetrics {
  attempted(outcome: string): void
  /** Counts the time from the commit of an event to its first attempt. */
  firstAttempt(seconds: number): void
  leaseLost(): void
  watch(state: () => SenderState): void
}

export function webhookMetrics(registry: Registry): WebhookMetrics {
  const registers = [registry]
  const attempts = new Counter({
    name: 'comptoir_webhook_attempts_total',
    help: 'Requests to receivers, by outcome: delivered, refused, or the class of the failure',
    labelNames: ['outcome'],
    registers,
  })
  const blocked = new Counter({
    name: 'comptoir_webhook_blocked_total',
    help: 'Requests that were not sent, because their target is one that nothing is sent to',
    registers,
  })
  const first = new Histogram({
    name: 'comptoir_webhook_first_attempt_seconds',
    help: 'Time from the commit of an event to its first attempt',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600],
    registers,
  })
  const lost = new Counter({
    name: 'comptoir_webhook_leases_lost_total',
    help: 'Endpoints that another sender took over',
    registers,
  })
  let state = (): SenderState => ({ backlog: 0, oldestS: 0, inFlight: 0, endpoints: {} })
  const gauge = (name: string, help: string, read: (now: SenderState) => number) =>
    new Gauge({
      name: `comptoir_webhook_${name}`,
      help,
      registers,
      collect() {
        this.set(read(state()))
      },
    })
  gauge('backlog_events', 'Events that the endpoints in hand are behind', ({ backlog }) => backlog)
  gauge('oldest_seconds', 'Age of the oldest event that waits for an endpoint in hand', ({ oldestS }) => oldestS)
  gauge('in_flight', 'Requests to receivers that are not answered yet', ({ inFlight }) => inFlight)
  new Gauge({
    name: 'comptoir_webhook_endpoints',
    help: 'Endpoints in hand, by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset()
      for (const [name, count] of Object.entries(state().endpoints)) this.set({ state: name }, count)
    },
  })
  return {
    attempted(outcome) {
      attempts.inc({ outcome })
      if (outcome === 'blocked') blocked.inc()
    },
    firstAttempt: (seconds) => first.observe(Math.max(0, seconds)),
    leaseLost: () => lost.inc(),
    watch(read) {
      state = read
    },
  }
}
