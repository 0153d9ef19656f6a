import type { FastifyBaseLogger } from 'fastify'
import type { Lease } from '../../delivery/lease.ts'
import { loggedError } from '../../observe/log.ts'
import type { PrintMetrics } from '../../observe/print-metrics.ts'
import type { Printer } from '../../resources/places/printers.ts'
import type { Database } from '../../storage/database.ts'
import type { PrinterState } from '../../values/states.ts'
import { instantOf } from '../../values/values.ts'
import { bytesOf } from '../bytes.ts'
import type { Device } from '../device.ts'
import type { StoredDocument } from '../queue/enqueue.ts'
import { DRAWER_MS } from '../queue/states.ts'
import { isBlocked, pulseFor } from './answers.ts'
import { type Connection, openConnection, PrinterAway, type Timing } from './connection.ts'
import {
  beginAttempt,
  countWaiting,
  endAttempt,
  expireJob,
  type JobRow,
  LeaseLost,
  nextJob,
  type PrinterRow,
  printedLate,
  readPrinter,
  setDue,
  writeState,
} from './store.ts'
import { openVirtual } from './virtual.ts'

// One printer in hand: its jobs are sent one after the other, and a job that cannot be sent holds those behind it (R9).

interface RunDeps {
  readonly db: Database
  readonly lease: Lease
  readonly leaseMs: number
  readonly now: () => number
  readonly timing: Timing
  readonly metrics: PrintMetrics
  readonly log: FastifyBaseLogger
  /** The setting that does not allow its address (R19). */
  readonly refusedBy: (slug: string, printer: Printer) => Promise<string | undefined>
}

export interface PrinterRun {
  readonly lease: Lease
  /** Settled when it has nothing to do any more, or has lost its lease. */
  readonly ended: Promise<void>
  /** Looks for work now. */
  wake(): void
  /** Ends after the job that is being printed. */
  end(): void
  /** Ends at once: somebody else has the printer. */
  lose(): void
}

const DUE_MS = 60_000
const MINUTE_MS = 60_000
/** What is left of a lease when nothing is started under it any more. */
const SAFE_MS = 2_000
/** R20: what is older has no document. */
const KITCHEN = ['ticket', 'void']

export function printerRun({ db, lease, leaseMs, now, timing, metrics, log, refusedBy }: RunDeps): PrinterRun {
  let connection: Connection | undefined
  /** What the open connection was opened for: a printer that was changed is connected to again. */
  let openedFor = ''
  let [isEnding, isLost] = [false, false]
  let isVirtual = false
  let failures = 0
  let retryAt = 0
  let seen: { readonly state: PrinterState; readonly at: number } | undefined
  /** The job whose acknowledgement may still come over the open connection. */
  let doubtful: number | undefined
  let wakeUp = (): void => {}

  const instant = () => instantOf(now())

  /** Waits so long, or until it is woken. */
  async function pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms))
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
      if (isLost || isEnding) wakeUp()
    })
    wakeUp = () => {}
  }

  function mustHold(): void {
    if (isLost || performance.now() - lease.since > leaseMs - SAFE_MS) throw new LeaseLost()
  }

  function drop(): void {
    connection?.close()
    connection = undefined
    doubtful = undefined
  }

  function saw(state: PrinterState): void {
    if (seen?.state !== state) seen = { state, at: performance.now() }
  }

  /** Tells of a state that has lasted; returns how long it has to last still. */
  async function tellState({ printer, state }: PrinterRow): Promise<number | undefined> {
    if (!seen || seen.state === state) return undefined
    const left = seen.at + timing.told - performance.now()
    if (state !== null && left > 0) return left
    const waiting = await countWaiting(db, lease)
    await writeState(db, lease, {
      venue_id: printer.venue_id,
      state: seen.state,
      waiting,
      since: instant(),
      isTold: state !== null,
    })
    return undefined
  }

  function backOff(state: PrinterState): void {
    saw(state)
    const { retries } = timing
    const step = isVirtual ? 0 : Math.min(failures, retries.length - 1) // the person who turns a switch back is looking
    retryAt = performance.now() + retries[step]!
    failures += 1
  }

  async function connected(row: PrinterRow): Promise<Connection> {
    const { printer, slug } = row
    const target = JSON.stringify(printer)
    if (target !== openedFor) drop()
    if (connection?.isOpen) return connection
    doubtful = undefined
    openedFor = target
    isVirtual = printer.printer_kind === 'virtual'
    if (isVirtual) connection = await openVirtual(async () => (await readPrinter(db, lease)).faults)
    else {
      const setting = await refusedBy(slug, printer)
      if (setting) {
        log.warn({ printer: lease.id, setting }, 'a printer has an address that is not allowed')
        throw new PrinterAway()
      }
      const { address, port, command } = printer
      connection = await openConnection({ address: address!, port: port!, command }, timing)
    }
    return connection
  }

  /** Whether the printer can be sent something now. */
  async function isReady(row: PrinterRow): Promise<Connection | undefined> {
    try {
      const open = await connected(row)
      const state = row.printer.ack === 0 && row.printer.printer_kind === 'network' ? 'ready' : await open.state()
      if (!isBlocked(state)) {
        saw(state)
        return open
      }
      if (state === 'silent') drop()
      backOff(state)
    } catch (error) {
      if (!(error instanceof PrinterAway)) throw error
      drop()
      backOff('unreachable')
    }
    return undefined
  }

  async function openDrawer(row: PrinterRow, job: JobRow): Promise<void> {
    const isLate = () => now() - Date.parse(job.created_at) > DRAWER_MS
    if (isLate()) return void (await expireJob(db, lease, job, instant()))
    const open = performance.now() >= retryAt ? await isReady(row) : undefined
    if (!open) return pause(Math.min(250, timing.idle))
    mustHold()
    if (isLate() || !(await beginAttempt(db, lease, job, instant()))) return
    const isSent = await open.send(pulseFor(row.printer.command)).then(
      () => true,
      () => false,
    )
    if (isSent) await endAttempt(db, lease, job, 'printed', instant())
    else {
      drop()
      await endAttempt(db, lease, job, 'unsure', instant())
      await expireJob(db, lease, job, instant())
    }
  }

  /** A ticket that nobody waits for any more, or a document that was forgotten. */
  const isOver = ({ kind, created_at, document }: JobRow, { ticket_max_minutes }: PrinterRow) =>
    document === null || (KITCHEN.includes(kind) && now() - Date.parse(created_at) > ticket_max_minutes * MINUTE_MS)

  async function printJob(row: PrinterRow, job: JobRow): Promise<void> {
    if (doubtful === job.seq && connection?.isOpen) {
      if (await connection.acknowledged(job.copies, 0)) return printed(job, true)
    }
    if (isOver(job, row)) return void (await expireJob(db, lease, job, instant()))
    const left = retryAt - performance.now()
    if (left > 0) return pause(Math.min(left, timing.told))
    if (doubtful !== job.seq && doubtful !== undefined) drop()
    const open = await isReady(row)
    if (!open) return
    if (doubtful === job.seq) {
      // Ready again: what was held back comes out now, or never.
      if (await open.acknowledged(job.copies, timing.state)) return printed(job, true)
      drop()
      return
    }
    const bytes = drawn(row.printer, job)
    if (!bytes) return void (await expireJob(db, lease, job, instant()))
    mustHold()
    if (!(await beginAttempt(db, lease, job, instant()))) return
    mustHold()
    if (job.attempt === 0) metrics.firstByte(Math.max(0, now() - Date.parse(job.created_at)) / 1_000)
    if (job.begun > 0) metrics.duplicate()
    await attempt(row.printer, open, job, bytes)
  }

  /** What it cannot draw a printer will never print: it must not hold those behind it. */
  function drawn(printer: Printer, job: JobRow): Buffer | undefined {
    try {
      return bytesFor(printer, job)
    } catch (error) {
      log.error({ printer: lease.id, seq: job.seq, error: loggedError(error) }, 'a document could not be drawn')
      return undefined
    }
  }

  async function attempt(printer: Printer, open: Connection, job: JobRow, bytes: Buffer): Promise<void> {
    try {
      await open.send(bytes)
    } catch (error) {
      if (!(error instanceof PrinterAway)) throw error
      drop()
      await endAttempt(db, lease, job, 'unsure', instant())
      return backOff('unreachable')
    }
    if (printer.ack === 0 && printer.printer_kind === 'network') {
      await open.acknowledged(Number.POSITIVE_INFINITY, timing.settled)
      if (open.isOpen) return printed(job, false)
    } else if (await open.acknowledged(job.copies, timing.answer)) return printed(job, false)
    await endAttempt(db, lease, job, 'unsure', instant())
    if (open.isOpen) doubtful = job.seq
    else drop()
    backOff(open.isOpen ? 'silent' : 'unreachable')
  }

  async function printed(job: JobRow, isLate: boolean): Promise<void> {
    doubtful = undefined
    failures = 0
    retryAt = 0
    await (isLate ? printedLate(db, lease, job, instant()) : endAttempt(db, lease, job, 'printed', instant()))
    metrics.printed(Math.max(0, now() - Date.parse(job.created_at)) / 1_000)
  }

  async function work(): Promise<void> {
    let idleSince = performance.now()
    let isAsked = false
    for (;;) {
      mustHold()
      const [row, job] = await Promise.all([readPrinter(db, lease), nextJob(db, lease)])
      const isOff = row.printer.status !== 1 || row.printer.printer_kind === 'browser'
      const lasting = await tellState(row)
      if (isEnding || isOff) return
      if (job) {
        if (job.kind === 'drawer') await openDrawer(row, job)
        else await printJob(row, job)
        idleSince = performance.now()
        isAsked = true
        continue
      }
      if (!isAsked && row.printer.printer_kind === 'network' && row.printer.ack === 1) {
        isAsked = true // R11: nothing to print, and a minute since it was asked
        await isReady(row)
        continue
      }
      const left = idleSince + timing.idle - performance.now()
      if (left <= 0) drop()
      if (left <= 0 && lasting === undefined) break
      await pause(Math.max(left, lasting ?? 0))
    }
    await setDue(db, lease, now() + DUE_MS)
  }

  async function run(): Promise<void> {
    try {
      await work()
    } finally {
      drop()
    }
  }

  return {
    lease,
    ended: run(),
    wake: () => wakeUp(),
    end() {
      isEnding = true
      wakeUp()
    },
    lose() {
      isLost = true
      drop()
      wakeUp()
    },
  }
}

/** All copies of a document, each cut off by itself. */
function bytesFor({ command, dots, mode, code_page, cut }: Printer, job: JobRow): Buffer {
  const device: Device = { command, dots, mode, code_page, cut: cut === 1 }
  const { document, writing } = JSON.parse(job.document!) as StoredDocument
  const marks = {
    ...(job.begun > 0 && { duplicate_of: job.begun_at! }),
    ...(job.copy !== null && { copy: job.copy }),
  }
  const one = bytesOf(document, writing, device, marks)
  return Buffer.concat(Array.from({ length: job.copies }, () => one))
}
