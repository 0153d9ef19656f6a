import { randomBytes } from 'node:crypto'
import { constants, hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../../config.ts'
import { freeLeft, type Lease, type Leased, leases, RENEW_MS } from '../../../delivery/lease.ts'
import { loggedError } from '../../../observe/log.ts'
import type { Database } from '../../../storage/database.ts'
import { instantOf } from '../../../values/values.ts'
import { endCheck, noteProgress } from './checks.ts'
import { keepAudit } from './last-audit.ts'
import { askForNights } from './nights.ts'
import { auditBeside } from './threads.ts'

// Runs the checks of books that somebody asked for, and asks for those of each night. Every process looks; a lease says which one runs
// a check, so that a brand has one at a time, and another process takes over where the first is gone.

const LOOK_MS = 1_000
const NIGHTS_MS = 60_000
const PROGRESS_MS = 500

export interface CheckerDeps {
  readonly db: Database
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly now: () => number
}

/** `priority` is that of the thread that reads the books: on a busy machine one of low priority waits for everybody else. */
export function booksChecker(
  { db, config, log, now }: CheckerDeps,
  priority: number = constants.priority.PRIORITY_LOW,
) {
  const lease = leases(db, 'book_checks', `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`)
  const stop = new AbortController()
  const failed = (what: string) => (error: unknown) => {
    if (!stop.signal.aborted) log.warn({ error: loggedError(error) }, what)
  }

  async function checkAsked(): Promise<void> {
    const asked = await db.rows<Leased>(
      `select brand_id, id from book_checks where asked_at is not null and ${lease.free} order by asked_at, brand_id limit 20`,
      [],
    )
    for (const one of asked) {
      const held = stop.signal.aborted ? undefined : await lease.claim(one)
      if (held) await check(held)
    }
  }

  async function check(held: Lease): Promise<void> {
    const lost = new AbortController()
    const signal = AbortSignal.any([stop.signal, lost.signal])
    const renewing = setInterval(() => {
      lease
        .renew([held])
        .then((kept) => kept.size === 0 && lost.abort(), failed('the lease of a check of books could not be renewed'))
    }, RENEW_MS)
    let progress: readonly [number, number] = [0, 0]
    const telling = setInterval(() => {
      db.transaction((tx) => noteProgress(tx, held, ...progress)).catch(failed('the progress of a check is not told'))
    }, PROGRESS_MS)
    const startedAt = now()
    const began = performance.now()
    try {
      const heard = (done: number, total: number) => {
        progress = [done, total]
      }
      const audited = await auditBeside(db, config, held.brand_id, priority, heard, signal)
      clearInterval(telling)
      const times = { at: instantOf(startedAt), ms: performance.now() - began }
      await db.transaction(async (tx) => {
        if (await endCheck(tx, held, false)) await keepAudit(tx, held.brand_id, audited, times)
      })
      if (audited.findings.length > 0)
        log.warn({ brand: held.brand_id, findings: audited.findings.length }, 'books are not sound')
    } catch (error) {
      if (stop.signal.aborted)
        await lease.release(held) // another process goes on with it
      else if (!lost.signal.aborted) {
        failed('the books could not be checked')(error)
        await db.transaction((tx) => endCheck(tx, held, true))
      }
    } finally {
      clearInterval(renewing)
      clearInterval(telling)
    }
  }

  async function every(ms: number, work: () => Promise<void>, what: string): Promise<void> {
    while (!stop.signal.aborted) {
      await work().catch(failed(what))
      await sleep(ms, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  const running = Promise.all([
    freeLeft(db, 'book_checks')
      .catch(failed('leases of checks could not be freed'))
      .then(() => every(LOOK_MS, checkAsked, 'checks of books could not be looked for')),
    every(NIGHTS_MS, () => askForNights(db, now()), 'the checks of the night could not be asked for'),
  ])

  return {
    async close(): Promise<void> {
      stop.abort()
      await running
    },
  }
}
