import { setTimeout as sleep } from 'node:timers/promises'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import { type FakePrinter, startFakePrinter } from '../../server/src/printing/fake/printer.ts'
import { enqueue } from '../../server/src/printing/queue/enqueue.ts'
import { type Database, StoreUnavailable } from '../../server/src/storage/database.ts'
import { instantOf } from '../../server/src/values/values.ts'
import { waitUntil } from '../harness/client.ts'
import { type Engine, type Installation, install } from '../harness/installation.ts'
import { type Env, type Process, start } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

// A kitchen with fake printers, and processes that serve them.

export const PRINTS = { COMPTOIR_PRINT_NETWORKS: '127.0.0.0/8', COMPTOIR_PRINT_PORTS: '1024-65535' }
const STARTS_MS = 180_000
const STANDS_MS = 120_000
const LOOK_MS = 50
const WRITING = { language: 'en', time_zone: 'Europe/Paris', currency: 'EUR', money_places: 2 } as const

export interface House {
  readonly installation: Installation
  readonly printers: readonly FakePrinter[]
  /** How many tickets were sent to each. */
  readonly sent: number[]
  /** Sends a ticket to each of these printers, in one transaction; by the database of a service it hears of them at once. */
  send(printers: readonly number[], by?: Database): Promise<void>
  /** Waits until the printer of this index, or each of them, has printed all that was sent. */
  done(index?: number): Promise<void>
  /** Reports what is lost, printed twice without a mark, or out of order. Returns how many were marked. */
  check(reportFailure: ReportFailure): Promise<number>
}

export async function openHouse(trial: Trial, engine: Engine, count: number): Promise<House> {
  const printers: FakePrinter[] = []
  for (let index = 0; index < count; index++) {
    const printer = await startFakePrinter()
    trial.after(printer.close)
    printers.push(printer)
  }
  const rows = printers.map(({ port }, index) => ({
    kind: 'printer',
    id: index + 1,
    venue_id: 1,
    name: `Printer ${index + 1}`,
    printer_kind: 'network',
    address: '127.0.0.1',
    port,
  }))
  const installation = await install(trial, engine, rows)
  const { db, brand_id } = installation
  const sent = printers.map(() => 0)

  async function commit(indexes: readonly number[], by: Database): Promise<void> {
    for (;;)
      try {
        return await by.transaction(async (tx) => {
          const now = instantOf(Date.now())
          const jobs = indexes.map((index) => ({
            printer_id: index + 1,
            venue_id: 1,
            kind: 'ticket' as const,
            stored: {
              document: {
                kind: 'ticket' as const,
                station: 'Kitchen',
                place: 'T1',
                waiter: `ticket ${sent[index]! + 1}.`,
                at: now,
                lines: [{ count: 1, name: 'Soup' }],
              },
              writing: WRITING,
            },
          }))
          await enqueue(tx, brand_id, now, jobs)
          tx.publish({ brand_id, type: 'product.updated', subject: '1', data: { id: 1, changed: ['name'] } })
        })
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        await sleep(LOOK_MS)
      }
  }

  const left = async (index?: number) =>
    (
      await db.rows<{ jobs: number }>(
        `select count(*) as jobs from print_jobs where brand_id = ? and state in ('waiting', 'sending', 'unsure')${index === undefined ? '' : ' and printer_id = ?'}`,
        [brand_id, ...(index === undefined ? [] : [index + 1])],
      )
    )[0]!.jobs

  return {
    installation,
    printers,
    sent,
    async send(indexes, by = db) {
      await commit(indexes, by)
      for (const index of indexes) sent[index]! += 1
    },
    async done(index) {
      let before = Number.POSITIVE_INFINITY
      for (let since = performance.now(); ; await sleep(LOOK_MS)) {
        const now = await left(index)
        if (now === 0) return
        if (now < before) since = performance.now()
        else if (performance.now() - since > STANDS_MS)
          throw new Error(`${now} jobs still wait, as ${STANDS_MS} ms ago`)
        before = now
      }
    },
    async check(reportFailure) {
      let marked = 0
      for (const [index, printer] of printers.entries()) {
        const read = ticketsOn(printer)
        const report = (how: string) => reportFailure(`printer ${index + 1}: ${how}`)
        if (printer.errors.length > 0) report(printer.errors[0]!)
        const seen = new Set<number>()
        for (const { ticket, isMarked } of read) {
          if (seen.has(ticket) && !isMarked) report(`ticket ${ticket} came out twice without a mark`)
          if (!seen.has(ticket) && ticket !== seen.size + 1) report(`ticket ${ticket} came out after ${seen.size}`)
          seen.add(ticket)
          marked += Number(isMarked)
        }
        if (seen.size !== sent[index]) report(`${sent[index]! - seen.size} of ${sent[index]} tickets are on no paper`)
      }
      for (const { invariant, subject, problem } of (await auditBooks(db, brand_id)).findings)
        reportFailure(`${invariant}: ${subject}: ${problem}`)
      return marked
    },
  }
}

/**
 * Tickets in the order in which they came out. A paper is read as one text: what a broken connection left of a line
 * stands on the same line as the mark that comes after it.
 */
function ticketsOn({ papers }: FakePrinter): { ticket: number; isMarked: boolean }[] {
  const read: { ticket: number; isMarked: boolean }[] = []
  for (const { lines } of papers) {
    let isMarked = false
    for (const [, ticket] of lines.join('\n').matchAll(/D U P L I C A T E|ticket (\d+)\./g)) {
      if (ticket !== undefined) read.push({ ticket: Number(ticket), isMarked })
      isMarked = ticket === undefined
    }
  }
  return read
}

/** A process that serves printers and nothing else. */
export async function startPrinting(trial: Trial, { env }: { env: Env }, settings: Env = {}): Promise<Process> {
  const sender = start({ ...env, ...PRINTS, COMPTOIR_WEBHOOKS: 'only', ...settings }, ['serve'])
  trial.after(() => sender.stop('SIGKILL'))
  await Promise.race([
    waitUntil('it prints', STARTS_MS, () => sender.said().includes('printers are served from here')),
    sender.exited.then((code) =>
      Promise.reject(new Error(`the sender ended with ${code}: ${sender.said().slice(-2_000)}`)),
    ),
  ])
  return sender
}

/** Lets the leases of a process end now, as 15 s without it would. */
export const endLeases = ({ installation: { db } }: House, pid: number) =>
  db.transaction((tx) => tx.run('update print_queues set lease_until = 0 where lease_holder like ?', [`% ${pid} %`]))
