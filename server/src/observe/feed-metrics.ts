import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** What is counted of the change feed. */
export interface FeedMetrics {
  published(types: readonly string[], waitedMs: number): void
  waiting(readers: number): void
  diverged(): void
  hole(): void
}

export function feedMetrics(registry: Registry): FeedMetrics {
  const registers = [registry]
  const counts = new Map<string, number>() // a counter with labels costs a write a microsecond, so it is added up for each scrape
  new Counter({
    name: 'comptoir_events_published_total',
    help: 'Events that were committed, by type',
    labelNames: ['type'],
    registers,
    collect() {
      for (const [type, count] of counts) this.inc({ type }, count)
      counts.clear()
    },
  })
  const lock = new Histogram({
    name: 'comptoir_events_lock_wait_seconds',
    help: 'Time that publishing transactions waited for the lock of their feed',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2.5],
    registers,
  })
  const waiting = new Gauge({
    name: 'comptoir_events_waiting_readers',
    help: 'Calls of GET /events that wait for news',
    registers,
  })
  const diverged = new Counter({
    name: 'comptoir_events_diverged_cursors_total',
    help: 'Cursors that belong to another history of the feed',
    registers,
  })
  const holes = new Counter({
    name: 'comptoir_events_holes_total',
    help: 'Reads that found a position missing; the log names it',
    registers,
  })
  return {
    published(types, waitedMs) {
      for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
      lock.observe(waitedMs / 1_000)
    },
    waiting: (readers) => waiting.set(readers),
    diverged: () => diverged.inc(),
    hole: () => holes.inc(),
  }
}
