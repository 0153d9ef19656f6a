import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { hints } from '../../delivery/hints.ts'
import { freeLeft, type Lease, type Leased, leaseKey, leases } from '../../delivery/lease.ts'
import { quietCopy } from '../../delivery/restored.ts'
import type { News } from '../../events/news/news.ts'
import { loggedError } from '../../observe/log.ts'
import type { PrintMetrics } from '../../observe/print-metrics.ts'
import { PRINT_PORT } from '../../resources/places/printers.ts'
import type { Database } from '../../storage/database.ts'
import type { PrintTargets } from '../addresses.ts'
import { TIMING, type Timing } from './connection.ts'
import { type PrinterRun, printerRun } from './run.ts'
import { addQueues, countOpen, findDue, findWaiting, LeaseLost, settleLeft } from './store.ts'

// R14: claims printers that have something to do, lets each be worked through on a connection of its own, and gives them back.

const LEASE_MS = 15_000
const RENEW_MS = 5_000
const POLL_MS = 500
const DUE_MS = 5_000
const CLOSE_MS = 5_000
const STORE_PAUSE_MS = 1_000

export interface SenderDeps {
  readonly db: Database
  readonly news: News
  readonly log: FastifyBaseLogger
  readonly metrics: PrintMetrics
  readonly targets: PrintTargets
  readonly now: () => number
  readonly timing?: Timing
}

export function printSender({ db, news, log, metrics, targets, now, timing = TIMING }: SenderDeps) {
  const holder = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`
  const lease = leases(db, 'print_queues', holder, LEASE_MS)
  const runs = new Map<string, PrinterRun>()
  const claiming = new Set<string>()
  let [renewedAt, dueAt] = [performance.now(), Number.NEGATIVE_INFINITY]
  let isClosing = false

  const failed = (error: unknown) => log.warn({ error: loggedError(error) }, 'printers could not be served')

  async function look(brand_id: number | undefined): Promise<void> {
    if (isClosing) return
    if (brand_id === undefined && runs.size > 0 && performance.now() - renewedAt > RENEW_MS) await renew()
    const found = await findWaiting(db, brand_id)
    if (brand_id === undefined && performance.now() - dueAt > DUE_MS) {
      dueAt = performance.now()
      await addQueues(db)
      found.push(...(await findDue(db, lease.free, now())))
    }
    await Promise.all(
      found.map(async (each) => {
        const known = { brand_id: each.brand_id, id: String(each.id) }
        runs.get(leaseKey(known))?.wake()
        await claim(known)
      }),
    )
  }

  async function renew(): Promise<void> {
    renewedAt = performance.now()
    const held = [...runs.values()]
    const renewed = await lease.renew(held.map((run) => run.lease))
    for (const run of held)
      if (renewed.has(leaseKey(run.lease))) run.lease.since = renewedAt
      else run.lose()
  }

  async function claim(found: Leased): Promise<void> {
    const key = leaseKey(found)
    if (runs.has(key) || claiming.has(key) || isClosing) return
    claiming.add(key)
    try {
      const held = await lease.claim(found)
      if (!held) return
      await settleLeft(db, held, new Date(now()).toISOString())
      start(key, held)
    } finally {
      claiming.delete(key)
    }
  }

  function start(key: string, held: Lease): void {
    const run = printerRun({ db, lease: held, leaseMs: LEASE_MS, now, timing, metrics, log, refusedBy })
    runs.set(key, run)
    run.ended
      .catch(async (error) => {
        if (error instanceof LeaseLost) return metrics.leaseLost()
        failed(error)
        if (!isClosing) await sleep(STORE_PAUSE_MS)
      })
      .then(() => lease.release(held))
      .catch(failed) // it runs out
      .finally(() => {
        runs.delete(key)
        if (!isClosing) void hinted.run(held.brand_id) // what came while it ended
      })
  }

  const refusedBy: Parameters<typeof printerRun>[0]['refusedBy'] = (slug, { address, port }) =>
    targets.refusedBy(slug, address!, port ?? PRINT_PORT)

  const hinted = hints({ news: news.on, look, failed, pollMs: POLL_MS })
  metrics.watch(() => countOpen(db))
  log.info({ holder }, 'printers are served from here')

  return {
    /** Ends what is being printed, and gives every printer back. */
    async close(): Promise<void> {
      isClosing = true
      hinted.stop()
      const held = [...runs.values()]
      for (const run of held) run.end()
      const ended = Promise.allSettled(held.map((run) => run.ended))
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })])
      for (const run of held) run.lose()
      while (runs.size > 0) await sleep(5)
    },
  }
}

/** The sender of a process; one that cannot read its store yet waits for it. */
export function startPrinting(deps: SenderDeps) {
  let isClosed = false
  async function start() {
    while (!isClosed)
      try {
        const { papers } = await quietCopy(deps.db, deps.now())
        if (papers > 0) deps.log.warn({ papers }, 'this database is a copy: papers that waited are cancelled')
        await freeLeft(deps.db, 'print_queues')
        return printSender(deps)
      } catch (error) {
        deps.log.warn({ error: loggedError(error) }, 'printers cannot be served yet')
        await sleep(STORE_PAUSE_MS)
      }
    return undefined
  }
  const sender = start()
  return {
    started: sender,
    async close(): Promise<void> {
      isClosed = true
      await (await sender)?.close()
    },
  }
}
