import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { probeDelay, RETRY_MS } from '../../delivery/backoff.ts'
import { hints } from '../../delivery/hints.ts'
import { type Lease, type Leased, leaseKey, leases, mayStart, RENEW_MS } from '../../delivery/lease.ts'
import type { Directory } from '../../directory/directory.ts'
import type { KeyRing } from '../../directory/keys.ts'
import { eventId } from '../../events/event-id.ts'
import { CursorExpired, FeedDiverged, findEvent, readFeed, type StoredEvent } from '../../events/feed.ts'
import type { News } from '../../events/news/news.ts'
import type { currentObjects } from '../../events/objects.ts'
import type { Caller } from '../../http/call.ts'
import { loggedError } from '../../observe/log.ts'
import type { SenderState, WebhookMetrics } from '../../observe/webhook-metrics.ts'
import type { Database } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import type { DeliveryLog } from '../log.ts'
import { receiverOf, selectionOf } from '../rights.ts'
import { openSecrets } from '../secrets.ts'
import type { Attempt } from './attempt.ts'
import { CHALLENGES_MS, type Challenge } from './challenge.ts'
import { eventBody, type FeedItem, feedItem, isFor } from './messages.ts'
import { type DeliveryQueue, deliveryQueue, MAX_WAITING, type Outcome, type Sending } from './queue.ts'
import {
  type Found,
  findBrands,
  findOwn,
  findWork,
  LeaseLost,
  loadEndpoint,
  MAX_FOUND,
  pauseFor,
  type ReplayRow,
  readRange,
  type Transition,
  trimHeld,
  writeOutcomes,
} from './store.ts'
import type { Targets } from './targets.ts'

// W24 to W26: claims endpoints that have something to do, sends, writes what came of it, and gives them back.

const POLL_MS = 1_000
const FLUSH_MS = 200
const FLUSH_AT = 64
const PAGE = 100
const TRIM_MS = 60_000
const CLOSE_MS = 15_000
const GIVE_BACK_MS = 5_000
const ORPHANED_MS = 2_000

// W26: requests in flight.
const MAX_OF_ENDPOINT = 8
const MAX_OF_HOST = 64
const MAX_OF_SENDER = 256
const MAX_OF_SLOW = 64
const SLOW_MS = 2_000
const DOUBLED_EVERY = 10

// W3 of the states: when a receiver counts as failing, and when it is given up.
const FAILING_AFTER = 20
const FAILING_EARLY = { failures: 5, ms: 30_000 }
const DISABLED_AFTER = { ms: 5 * 86_400_000, probes: 20 }
const NOTICES_MS = [15 * 60_000, 24 * 3_600_000, 72 * 3_600_000]
const REPLAY_ATTEMPTS = 4
const REPLAYS_KEPT_MS = 30 * 86_400_000

export interface SenderDeps {
  readonly db: Database
  readonly directory: Directory
  readonly keys: KeyRing
  readonly news: News
  readonly log: FastifyBaseLogger
  readonly metrics: WebhookMetrics
  readonly deliveries: DeliveryLog
  readonly targets: Targets
  readonly objectsOf: ReturnType<typeof currentObjects>
  readonly challenge: Challenge
  readonly now: () => number
  readonly random?: () => number
}

type SentFor = 'live' | 'retry' | 'probe' | 'replay'

/** One endpoint in hand. */
interface Run {
  readonly lease: Lease
  row: Found
  readonly host: string
  queue: DeliveryQueue<FeedItem>
  replay: { row: ReplayRow; isFlying: boolean; attempts: number; retryAt: number } | undefined
  redelivered: number[]
  transitions: Transition[]
  /** Requests in flight, and how many there may be. */
  flying: number
  limit: number
  successes: number
  isSlow: boolean
  probeAt: number
  /** The last position that the brand's feed is known to have; infinite after a hint, until it is read. */
  head: number
  hints: number
  isChanged: boolean
  unwritten: number
  timer: NodeJS.Timeout | undefined
  writing: Promise<void> | undefined
  isPumping: boolean
  isHinted: boolean
  /** A change by hand that was not read yet. */
  isStale: boolean
  /** The event of the last change by hand that was read in the feed. */
  changedAt: number
  isLost: boolean
  usedAt: number
}

export function webhookSender(deps: SenderDeps) {
  const { db, directory, keys, news, log, metrics, deliveries, targets, objectsOf, now, random = Math.random } = deps
  const holder = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`
  const lease = leases(db, 'webhook_endpoints', holder)
  const runs = new Map<string, Run>()
  const claiming = new Set<string>()
  const orphans = new Map<string, { run?: Run; at: number }>() // leased by us, and in no run after an error
  const hosts = new Map<string, number>()
  const starved = new Set<Run>()
  let brands = new Set<number>()
  let foundTo: Leased | undefined // where the search of all brands stands
  let [flying, slow] = [0, 0]
  let renewedAt = performance.now()
  let trimmedAt = performance.now()
  let isClosing = false

  const failed = (error: unknown) => log.warn({ error: loggedError(error) }, 'webhooks could not be sent')

  // Finding work

  async function look(brand_id: number | undefined): Promise<void> {
    if (isClosing) return
    if (brand_id === undefined) await housekeeping()
    else if (!brands.has(brand_id)) return
    for (const run of runs.values())
      if (brand_id === undefined || run.row.brand_id === brand_id) {
        if (brand_id !== undefined) {
          run.head = Number.POSITIVE_INFINITY
          run.hints++
        }
        void pump(run)
      }
    const work = await findWork(db, lease.free, now(), brand_id, foundTo)
    if (brand_id === undefined) foundTo = work.length < MAX_FOUND ? undefined : work.at(-1)
    for (const found of work) {
      const receiver = await receiverOf(directory, found.slug, found)
      if (!('suspended' in receiver)) await claim(found)
    }
  }

  async function housekeeping(): Promise<void> {
    brands = await findBrands(db)
    if (runs.size > 0 && performance.now() - renewedAt > RENEW_MS) await renew()
    if (performance.now() - trimmedAt > TRIM_MS) {
      trimmedAt = performance.now()
      await trimHeld(db, instantOf(now() - REPLAYS_KEPT_MS))
    }
    const held = [...runs] // what is claimed during the query is not in its answer
    const own = new Map((await findOwn(db, holder)).map((row) => [leaseKey(row), row]))
    for (const [key, run] of held) {
      if (run.isLost) continue
      const row = own.get(key)
      if (row?.term !== run.lease.term) lose(run)
      else {
        if (Number.isFinite(run.head)) run.head = Math.max(run.head, row.head ?? 0)
        if (row.version !== run.row.version) run.isStale = true
      }
    }
    await freeOrphans(own)
  }

  /** What had nothing to do since the last time is given back. */
  async function renew(): Promise<void> {
    const since = performance.now()
    const held = [...runs.values()]
    const renewed = await lease.renew(held.map((run) => run.lease))
    renewedAt = since
    for (const run of held) {
      if (!renewed.has(leaseKey(run.lease))) lose(run)
      else run.lease.since = since
    }
    for (const run of held)
      if (!run.isLost && run.flying === 0 && run.usedAt < since - RENEW_MS && !isReplaying(run)) await giveBack(run)
  }

  async function claim(found: Found): Promise<void> {
    const key = leaseKey(found)
    if (runs.has(key) || claiming.has(key) || isClosing) return
    claiming.add(key)
    try {
      const held = await lease.claim(found)
      if (!held) return
      const run = await load(held)
      runs.set(key, run)
      void pump(run)
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    } finally {
      claiming.delete(key)
    }
  }

  async function load(held: Lease): Promise<Run> {
    const { row, held: kept, replay } = await loadEndpoint(db, held)
    return {
      lease: held,
      row,
      host: new URL(row.url).host,
      queue: deliveryQueue<FeedItem>({ position: row.position, nonce: row.nonce }, kept, random),
      replay: replay && { row: replay, isFlying: false, attempts: 0, retryAt: 0 },
      redelivered: [],
      transitions: [],
      flying: 0,
      limit: MAX_OF_ENDPOINT,
      successes: 0,
      isSlow: false,
      probeAt: row.due_at ?? 0,
      head: Number.POSITIVE_INFINITY,
      hints: 0,
      isChanged: false,
      unwritten: 0,
      timer: undefined,
      writing: undefined,
      isPumping: false,
      isHinted: false,
      isStale: false,
      changedAt: 0,
      isLost: false,
      usedAt: performance.now(),
    }
  }

  function lose(run: Run): void {
    if (run.isLost) return
    drop(run)
    metrics.leaseLost()
  }

  function drop(run: Run): void {
    run.isLost = true
    clearTimeout(run.timer)
    if (runs.get(leaseKey(run.lease)) === run) runs.delete(leaseKey(run.lease))
    starved.delete(run)
  }

  /** What was not written is sent again by the process that claims the endpoint next. */
  function abandon(run: Run, error: unknown): void {
    if (!(error instanceof LeaseLost)) failed(error)
    if (run.isLost) return
    drop(run)
    orphans.set(leaseKey(run.lease), { run, at: performance.now() })
  }

  /** Frees what is leased by us and in no run: after a pause, and once none of its requests is in flight. */
  async function freeOrphans(own: ReadonlyMap<string, Omit<Lease, 'since'>>): Promise<void> {
    const at = performance.now()
    for (const [key, row] of own) {
      if (runs.has(key) || claiming.has(key)) continue
      const orphan = orphans.get(key) ?? { at }
      orphans.set(key, orphan)
      if (at - orphan.at < ORPHANED_MS || (orphan.run?.flying ?? 0) > 0) continue
      orphans.delete(key)
      await lease.release(row)
    }
    for (const key of orphans.keys()) if (!own.has(key) || runs.has(key)) orphans.delete(key)
  }

  async function giveBack(run: Run): Promise<void> {
    const isRead = run.row.state === 'active' || now() >= run.probeAt
    if (isRead && dueAt(run) !== run.row.due_at) run.isChanged = true // else it would be found again at once
    await flush(run)
    if (run.isLost || (run.flying > 0 && !isClosing)) return // what was sent during the write is written too
    drop(run)
    await lease.release(run.lease)
  }

  // Sending

  async function pump(run: Run): Promise<void> {
    if (run.isPumping) {
      run.isHinted = true
      return
    }
    run.isPumping = true
    try {
      do {
        run.isHinted = false
        await step(run)
      } while (run.isHinted && !run.isLost)
    } catch (error) {
      abandon(run, error)
    } finally {
      run.isPumping = false
    }
  }

  /** Starts all requests that may start now; before each of them, rights and state are read again (W5, W9). */
  async function step(run: Run): Promise<void> {
    for (let isMore = true; isMore && !run.isLost && !isClosing && mayStart(run.lease); ) {
      if (run.isStale) {
        if (run.flying > 0) return // what was sent under the old settings is settled first
        await reload(run)
        continue
      }
      const receiver = await receiverOf(directory, run.row.slug, run.row)
      const { state, not_before } = run.row
      if ('suspended' in receiver || now() < not_before || state === 'disabled') return
      if (state === 'pending') return challengeDue(run)
      if (state === 'failing' && now() < run.probeAt) return
      isMore = hasRoom(run) && ((await startNext(run, receiver.caller)) || run.isStale)
    }
  }

  async function reload(run: Run): Promise<void> {
    await flush(run)
    if (run.isLost) return
    const { limit, successes, isSlow, changedAt } = run
    Object.assign(run, await load(run.lease), { limit, successes, isSlow, changedAt, isPumping: true })
    if (['paused', 'disabled'].includes(run.row.state)) {
      drop(run)
      await lease.release(run.lease)
    }
  }

  const isRestricted = (run: Run) => run.row.state !== 'active' || run.isSlow

  /** Whether the limits that endpoints share leave room for one more request. */
  const isSharedRoom = (run: Run) =>
    flying < MAX_OF_SENDER && (hosts.get(run.host) ?? 0) < MAX_OF_HOST && (!isRestricted(run) || slow < MAX_OF_SLOW)

  function hasRoom(run: Run): boolean {
    if (run.flying >= run.limit || !mayStart(run.lease)) return false
    if (isSharedRoom(run)) return true
    starved.add(run)
    return false
  }

  /** After a request has ended: first the run that has waited longest for room, so that a long backlog does not keep all of it. */
  function nextTurn(run: Run): void {
    for (const other of starved) {
      if (!isSharedRoom(other)) continue
      starved.delete(other)
      void pump(other).then(() => pump(run))
      return
    }
    void pump(run)
  }

  /** Starts one request; false: there is nothing to send now. */
  async function startNext(run: Run, caller: Caller): Promise<boolean> {
    const { queue } = run
    await fill(run, caller)
    const { row } = run // its state may have changed meanwhile
    const sending = queue.next(now(), row.state === 'failing' ? 'probe' : 'active')
    if (!sending) return startReplay(run, caller)
    run.usedAt = performance.now()
    const event = sending.event ?? (await findEvent(db, row.brand_id, sending.item))
    if (!event || !isFor(row, caller, event)) {
      queue.settle(sending, { kind: 'passed' }, now())
      changed(run, 0)
      return true
    }
    void send(run, caller, event, sending.cause, sending.attempt, undefined, (attempt) => settle(run, sending, attempt))
    return row.state !== 'failing'
  }

  async function fill(run: Run, caller: Caller): Promise<void> {
    const { queue, row } = run
    const selection = selectionOf(caller, row)
    while (queue.wantsMore() && queue.readTo.position < run.head && !run.isLost && !run.isStale) {
      const { hints: before } = run
      const page = await readFeed(db, row.brand_id, queue.readTo, { types: undefined, venues: undefined }, PAGE).catch(
        (error) => leadsNowhere(run, error),
      )
      for (const event of page.events) {
        if (!queue.wantsMore() || run.isStale) break
        queue.add(event, isFor(row, caller, event, selection) ? feedItem(event) : undefined)
        if (event.type === 'webhook_endpoint.updated' && event.subject === row.id && event.position > run.changedAt)
          Object.assign(run, { isStale: true, changedAt: event.position }) // what follows goes out as it says
      }
      if (page.events.length > 0) changed(run, 0)
      if (!page.more && !run.isStale && run.hints === before) run.head = page.next.position
      if (page.more) await setImmediate() // others get a turn, also where the store answers at once
    }
  }

  async function leadsNowhere(run: Run, error: unknown): Promise<never> {
    const reason = error instanceof CursorExpired ? 'cursor_expired' : 'feed_diverged'
    if (!(error instanceof CursorExpired || error instanceof FeedDiverged)) throw error
    await pauseFor(db, run.lease, reason, instantOf(now()))
    log.warn({ endpoint: run.row.id, reason }, 'a webhook endpoint is paused: its cursor leads nowhere')
    throw new LeaseLost()
  }

  /** One request of an endpoint, with the rights of this moment. Ends with `done`, without an attempt where the lease ran too low to send. */
  async function send(
    run: Run,
    caller: Caller,
    event: StoredEvent,
    cause: SentFor,
    attempt: number,
    replay: string | undefined,
    done: (attempt: Attempt | undefined) => void,
  ): Promise<void> {
    const { row, host } = run
    const restricted = Number(isRestricted(run))
    run.flying++
    flying++
    slow += restricted
    hosts.set(host, (hosts.get(host) ?? 0) + 1)
    const finish = () => {
      run.flying--
      flying--
      slow -= restricted
      const left = (hosts.get(host) ?? 1) - 1
      if (left === 0) hosts.delete(host)
      else hosts.set(host, left)
    }
    let outcome: Attempt
    try {
      const body = await eventBody(objectsOf, row, caller, selectionOf(caller, row), event)
      if (run.isLost) throw new LeaseLost()
      if (!mayStart(run.lease)) {
        finish()
        return done(undefined) // the next look renews it and goes on
      }
      if (cause === 'live') metrics.firstAttempt((Date.now() - Date.parse(event.at)) / 1000)
      const secrets = openSecrets(keys, row.brand_id, row.id, row.secrets, now())
      const message = { url: row.url, endpoint: row.id, id: eventId(event), body, secrets }
      outcome = await targets.postFor(row.slug)({ ...message, ...(replay !== undefined && { replay }) })
    } catch (error) {
      finish()
      return abandon(run, error)
    }
    finish()
    note(run, event, cause, attempt, outcome)
    run.isSlow = outcome.ms > SLOW_MS
    if (!run.isLost) done(outcome)
    nextTurn(run)
  }

  function note(run: Run, event: StoredEvent, cause: SentFor, attempt: number, outcome: Attempt) {
    const { class: failure, status, ms, skewS, answer } = outcome
    metrics.attempted(failure === undefined ? 'delivered' : outcome.directive === 'abort-message' ? 'refused' : failure)
    deliveries.note({
      at: now(),
      brand_id: run.row.brand_id,
      endpoint_id: run.row.id,
      event: eventId(event),
      type: event.type,
      attempt,
      cause,
      status: status ?? null,
      class: failure ?? null,
      ms,
      skew_s: skewS ?? null,
      answer: failure === undefined || answer === '' ? null : answer,
    })
  }

  function settle(run: Run, sending: Sending<FeedItem>, attempt: Attempt | undefined): void {
    if (!attempt) return void run.queue.putBack(sending)
    run.queue.settle(sending, outcomeOf(attempt), now())
    judge(run, attempt, sending.cause)
    changed(run, 1)
  }

  const outcomeOf = ({ class: failure, status, directive }: Attempt): Outcome =>
    failure === undefined
      ? { kind: 'delivered' }
      : { kind: directive === 'abort-message' ? 'refused' : 'failed', class: failure, status: status ?? null }

  // States

  function move(
    run: Run,
    to: 'active' | 'failing' | 'disabled',
    reason: string | null,
    happened: Transition['happened'],
  ) {
    const since = instantOf(now())
    run.transitions.push({ from: run.row.state, to, reason, since, happened })
    run.row = { ...run.row, state: to, reason, state_since: since, failures: 0, probes: 0, notices: 0 }
  }

  /** What an attempt says of the endpoint. */
  function judge(run: Run, { class: failure, status, directive, retryAfterMs = 0 }: Attempt, cause: SentFor): void {
    const at = now()
    if (failure === undefined) succeeded(run, at)
    else if (directive !== 'abort-message') {
      const last_failure = JSON.stringify({
        at: instantOf(at),
        class: failure,
        ...(status !== undefined && { status }),
      })
      run.row = { ...run.row, failures: run.row.failures + 1, last_failure }
      failedOnce(run, failure, at, cause)
    }
    if (retryAfterMs > 0) run.row = { ...run.row, not_before: at + retryAfterMs }
    if (run.row.state === 'disabled') return
    if (directive === 'disable') move(run, 'disabled', 'receiver', 'disabled')
    else if (status === 410) move(run, 'disabled', 'gone', 'disabled')
  }

  function succeeded(run: Run, at: number): void {
    run.row = { ...run.row, failures: 0, last_success_at: instantOf(at) }
    if (run.row.state === 'failing') {
      move(run, 'active', null, 'recovered')
      log.info({ endpoint: run.row.id }, 'a webhook endpoint answers again')
      Object.assign(run, { limit: 1, successes: 0 })
    } else if (++run.successes % DOUBLED_EVERY === 0) run.limit = Math.min(MAX_OF_ENDPOINT, run.limit * 2)
  }

  function failedOnce(run: Run, failure: string, at: number, cause: SentFor): void {
    const { state, failures, last_success_at } = run.row
    if (state === 'active') {
      const success = last_success_at === null ? 0 : Date.parse(last_success_at)
      const isEarly = failures >= FAILING_EARLY.failures && at - success > FAILING_EARLY.ms
      if (failures < FAILING_AFTER && !isEarly && run.queue.waiting < MAX_WAITING) return
      move(run, 'failing', failure, 'failing')
      log.warn({ endpoint: run.row.id, class: failure }, 'a webhook endpoint fails')
      run.probeAt = at + probeDelay(0, random)
    } else if (state === 'failing' && cause === 'probe') probed(run, at) // others were in flight when it began to fail
  }

  function probed(run: Run, at: number): void {
    const probes = run.row.probes + 1
    const since = at - Date.parse(run.row.state_since)
    run.row = { ...run.row, probes }
    run.probeAt = at + probeDelay(probes, random)
    const notices = NOTICES_MS.filter((ms) => since >= ms).length
    if (notices > run.row.notices) {
      run.row = { ...run.row, notices }
      log.warn({ endpoint: run.row.id, since: run.row.state_since }, 'a webhook endpoint still fails')
    }
    if (since < DISABLED_AFTER.ms || probes < DISABLED_AFTER.probes) return
    move(run, 'disabled', 'failing', 'disabled')
    log.warn({ endpoint: run.row.id }, 'a webhook endpoint is disabled: it has failed for five days')
  }

  async function challengeDue(run: Run): Promise<void> {
    if (run.flying > 0 || run.row.due_at === null || now() < run.row.due_at) return
    run.flying++
    run.usedAt = performance.now()
    void deps
      .challenge(run.row)
      .then((isAnswered) => {
        run.flying--
        if (run.isLost) return
        if (isAnswered) run.isStale = true
        else {
          const wait = CHALLENGES_MS[run.row.probes + 1]
          const due_at = wait === undefined ? null : now() + wait
          run.row = { ...run.row, probes: run.row.probes + 1, due_at }
          changed(run, FLUSH_AT)
        }
        void pump(run)
      })
      .catch((error) => {
        run.flying--
        abandon(run, error)
      })
  }

  /** Its attempts at an event are counted in memory. */
  const isReplaying = ({ row, replay }: Run) => row.state === 'active' && replay?.row.state === 'running'

  // Replays (W14): after new events and retries, one event at a time

  async function startReplay(run: Run, caller: Caller): Promise<boolean> {
    const { replay, row, queue } = run
    if (replay?.row.state !== 'running' || replay.isFlying) return false
    if (queue.inFlight() > 0 || now() < replay.retryAt) return false
    const page = await readRange(db, replay.row, PAGE)
    const wanted = replay.row.types === null ? row : { ...row, types: replay.row.types }
    const event = page.find((each) => isFor(row, caller, each) && isFor(wanted, caller, each))
    const passed = event ? event.position - 1 : page.length < PAGE ? replay.row.last_position : page.at(-1)!.position
    replay.row = { ...replay.row, position: Math.max(replay.row.position, passed) }
    run.usedAt = performance.now()
    changed(run, 0)
    if (!event) {
      if (page.length < PAGE) endReplay(run)
      return page.length === PAGE
    }
    replay.isFlying = true
    const isProbe = row.state === 'failing' // nothing else is left to try it with
    const attempts = replay.attempts + 1
    void send(run, caller, event, 'replay', attempts, replay.row.id, (attempt) => {
      replay.isFlying = false
      if (!attempt) return
      judge(run, attempt, isProbe ? 'probe' : 'replay')
      const isDelivered = attempt.class === undefined
      if (isProbe && !isDelivered) return changed(run, 1)
      replay.attempts = attempts
      const isOver = isDelivered || attempt.directive === 'abort-message' || attempts >= REPLAY_ATTEMPTS
      if (isOver) {
        replay.attempts = 0
        replay.row = { ...replay.row, position: event.position, failed: replay.row.failed + Number(!isDelivered) }
        if (isDelivered) run.redelivered.push(event.position)
        if (event.position === replay.row.last_position) endReplay(run)
      } else replay.retryAt = now() + RETRY_MS[attempts - 1]!
      changed(run, 1)
    })
    return false
  }

  function endReplay(run: Run): void {
    const { replay } = run
    if (replay) replay.row = { ...replay.row, position: replay.row.last_position, state: 'done' }
    Object.assign(run, { isStale: true, isHinted: true }) // there may be another one
  }

  // Writing

  function changed(run: Run, outcomes: number): void {
    run.isChanged = true
    run.unwritten += outcomes
    if (run.unwritten >= FLUSH_AT || run.transitions.length > 0) void flush(run)
    else run.timer ??= setTimeout(() => void flush(run), FLUSH_MS).unref()
  }

  /** Writes what came of requests; one write at a time. */
  async function flush(run: Run): Promise<void> {
    while (run.writing) await run.writing
    if (run.isLost || !run.isChanged) return
    run.writing = write(run).finally(() => {
      run.writing = undefined
    })
    await run.writing
    if (!run.isLost && run.row.state === 'disabled' && run.flying === 0) {
      drop(run)
      await lease.release(run.lease).catch(failed)
    }
  }

  async function write(run: Run): Promise<void> {
    clearTimeout(run.timer)
    Object.assign(run, { timer: undefined, isChanged: false, unwritten: 0 })
    const { queue, row, transitions, replay, redelivered } = run
    Object.assign(run, { transitions: [], redelivered: [] })
    const { failures, probes, notices, not_before, last_success_at, last_failure } = row
    const counters = { failures, probes, notices, not_before, last_success_at, last_failure, due_at: dueAt(run) }
    try {
      const isCurrent = await writeOutcomes(db, run.lease, row.version, {
        changes: queue.changes(),
        counters,
        transitions,
        replay: replay?.row,
        redelivered,
      })
      queue.written()
      if (!isCurrent) run.isStale = true
      void pump(run) // what waited for the write
    } catch (error) {
      if (error instanceof LeaseLost) lose(run)
      else abandon(run, error)
    }
  }

  /** When a sender has to look again, apart from new events. */
  function dueAt({ row, queue, replay, probeAt }: Run): number | null {
    if (row.state === 'pending') return row.due_at
    const hasReplay = replay?.row.state === 'running'
    if (row.state === 'failing') return queue.hasWork() || hasReplay ? probeAt : null
    if (row.state !== 'active') return null
    if (hasReplay) return 0
    return queue.dueAt() ?? null
  }

  metrics.watch((): SenderState => {
    const all = [...runs.values()]
    const behind = all.map(({ head, queue }) => (Number.isFinite(head) ? Math.max(0, head - queue.readTo.position) : 0))
    const endpoints: Record<string, number> = {}
    for (const { row } of all) endpoints[row.state] = (endpoints[row.state] ?? 0) + 1
    const oldest = Math.min(...all.flatMap(({ queue }) => Date.parse(queue.oldest()?.at ?? '') || []))
    return {
      backlog: behind.reduce((sum, each) => sum + each, 0) + all.reduce((sum, { queue }) => sum + queue.waiting, 0),
      oldestS: Number.isFinite(oldest) ? Math.max(0, (now() - oldest) / 1000) : 0,
      inFlight: flying,
      endpoints,
    }
  })

  const hinted = hints({ news: news.on, look, failed, pollMs: POLL_MS })
  void hinted.run(undefined)
  log.info({ holder }, 'webhooks are sent from here')

  return {
    /** Ends what is in flight, writes it, and gives every endpoint back. */
    async close(): Promise<void> {
      isClosing = true
      hinted.stop()
      const until = performance.now() + CLOSE_MS
      while ([...runs.values()].some((run) => run.flying > 0) && performance.now() < until) await sleep(20)
      const givenBack = Promise.all([...runs.values()].map((run) => giveBack(run).catch(failed)))
      await Promise.race([givenBack, sleep(GIVE_BACK_MS, undefined, { ref: false })]) // what is left runs out
    },
  }
}

export type WebhookSender = ReturnType<typeof webhookSender>
