import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** What is counted of printing; no brand and no printer is a label. */
export interface PrintMetrics {
  /** Counts the seconds from the commit of a job to its first byte. */
  firstByte(seconds: number): void
  /** Counts a job that is on paper, and the seconds since it was committed. */
  printed(seconds: number): void
  /** Counts a document that was sent again, marked as DUPLICATE. */
  duplicate(): void
  leaseLost(): void
  /** Names where open jobs are counted, by state. */
  watch(openJobs: () => Promise<ReadonlyMap<string, number>>): void
}

const SECONDS = [0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 15, 60, 600]

export function printMetrics(registry: Registry): PrintMetrics {
  const registers = [registry]
  const first = new Histogram({
    name: 'comptoir_print_first_byte_seconds',
    help: 'Time from the commit of a print job to the first byte that is sent',
    buckets: SECONDS,
    registers,
  })
  const paper = new Histogram({
    name: 'comptoir_print_paper_seconds',
    help: 'Time from the commit of a print job to its acknowledgement',
    buckets: SECONDS,
    registers,
  })
  const duplicates = new Counter({
    name: 'comptoir_print_duplicates_total',
    help: 'Documents that were sent again, because nobody knows whether they were printed',
    registers,
  })
  const lost = new Counter({
    name: 'comptoir_print_leases_lost_total',
    help: 'Printers that another process took over',
    registers,
  })
  let openJobs = async (): Promise<ReadonlyMap<string, number>> => new Map()
  new Gauge({
    name: 'comptoir_print_jobs',
    help: 'Jobs that are not on paper yet, by state; every worker counts those of the whole store',
    labelNames: ['state'],
    aggregator: 'max',
    registers,
    async collect() {
      const counted = await openJobs().catch(() => undefined) // the store is away: better no number than an old one
      this.reset()
      for (const [state, count] of counted ?? []) this.set({ state }, count)
    },
  })
  return {
    watch(read) {
      openJobs = read
    },
    firstByte: (seconds) => first.observe(seconds),
    printed: (seconds) => paper.observe(seconds),
    duplicate: () => duplicates.inc(),
    leaseLost: () => lost.inc(),
  }
}
