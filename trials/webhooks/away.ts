import { tokens } from '../../server/src/auth/token.ts'
import { trimFeeds } from '../../server/src/events/trim.ts'
import { waitUntil } from '../harness/client.ts'
import type { Engine } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { caller, counted, openHooks, openSending } from './hooks.ts'
import { checkLog, openReceiver } from './receivers.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const [STEP_MS, QUICK_STEP_MS] = [30 * MINUTE_MS, 60 * MINUTE_MS]
const LONG_STEP_MS = 6 * 60 * MINUTE_MS
const AWAY_DAYS = 4
const MAX_REQUESTS = 300
const LOOK_MS = 40

/** W12, W19, E7: a receiver is away for days, by the clock of the service. */
export async function away(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { awayEvents } = trial.sizes
  const hooks = await openHooks(trial, engine)
  const clock = { ms: Date.now() }
  const now = () => clock.ms
  const service = await openSending(trial, hooks, ({ keys, config }) => ({
    now,
    tokens: tokens(keys, config.COMPTOIR_TOKEN_TTL, now),
  }))
  const ask: Awaited<ReturnType<typeof caller>> = async (...request) => (await caller(service, hooks))(...request)
  const receiver = await openReceiver(trial, (response) => response.writeHead(503).end())
  const { id } = await hooks.add(receiver.url)
  const publish = (count: number) => hooks.publish(count, service.deps.db)
  const stateIs = (state: string) =>
    waitUntil(`it is ${state}`, 30_000, async () => (await hooks.row(id)).state === state)
  /** News at which the sender looks; it tries what is due. What came of it is known before the clock moves again. */
  const step = async (ms: number, events: number) => {
    const before = await counted(service, 'attempts')
    clock.ms += ms
    await publish(events)
    const isTried = async () =>
      (await counted(service, 'attempts')) > before || (await hooks.row(id)).state !== 'failing'
    await waitUntil('it is tried', ms === STEP_MS ? LOOK_MS : 10_000, isTried).catch(() => {})
  }
  const comesBack = async (days: string) => {
    receiver.accept()
    const timer = setInterval(() => (clock.ms += 60_000), 50) // what was in flight meanwhile is due again a little later
    await publish(1)
    await hooks.caughtUp(id).finally(() => clearInterval(timer))
    const missing = [...hooks.feed.keys()].filter((position) => !receiver.accepted.has(position))
    if (missing.length > 0) reportFailure(`after ${days} ${missing.length} events never came`)
  }
  const noticesOf = (text: string) => service.lines.filter((line) => line.includes(id) && line.includes(text)).length

  // Four days: it is failing, and comes back by itself.
  clock.ms += MINUTE_MS
  await publish(20)
  await stateIs('failing')
  const stepMs = trial.quick ? QUICK_STEP_MS : STEP_MS
  const steps = (AWAY_DAYS * DAY_MS) / stepMs
  const each = Math.ceil(awayEvents / steps)
  for (let done = 0; done < steps; done++) await step(stepMs, each)
  const requests = receiver.arrived()
  const meanwhile = hooks.feed.size
  if (requests > MAX_REQUESTS) reportFailure(`${requests} requests in ${AWAY_DAYS} days`)
  if (noticesOf('still fails') !== 3) reportFailure(`${noticesOf('still fails')} notices in ${AWAY_DAYS} days`)
  await comesBack(`${AWAY_DAYS} days`)
  await stateIs('active')

  // Five days: it is disabled, and resumed on day 60.
  receiver.behave((response) => response.writeHead(503).end())
  const failedFrom = clock.ms
  await publish(30)
  await stateIs('failing')
  while ((await hooks.row(id)).state === 'failing') await step(LONG_STEP_MS, 1)
  const disabledAfter = (clock.ms - failedFrom) / DAY_MS
  if (disabledAfter < 5 || disabledAfter > 7) reportFailure(`it was disabled after ${disabledAfter.toFixed(1)} days`)
  if (noticesOf('is disabled') !== 1) reportFailure('nobody was told that it is disabled')
  clock.ms = failedFrom + 55 * DAY_MS
  await trimFeeds(service.deps.db, clock.ms - 90 * DAY_MS)
  await publish(20)
  const resumed = await ask('POST', `/${id}/resume`, {})
  if (resumed.status !== 200) reportFailure(`on day 60: ${resumed.status} ${JSON.stringify(resumed.body)}`)
  await comesBack('60 days')
  const faults = service.lines.filter((line) => line.includes('webhooks could not be sent')).length
  const losses = faults + (await counted(service, 'leases_lost')) // none but on a machine that does too much else
  const repeats = checkLog('the receiver', receiver.log, hooks.feed, { losses }, reportFailure)

  // Day 91: what comes next is no longer kept.
  await ask('POST', `/${id}/pause`)
  await waitUntil('the pause is known', 10_000, async () => (await hooks.row(id)).lease_holder === null)
  await publish(20)
  clock.ms = Date.now() + 91 * DAY_MS
  await trimFeeds(service.deps.db, clock.ms - 90 * DAY_MS)
  const expired = await ask('POST', `/${id}/resume`, {})
  if (expired.status !== 410 || expired.body.error !== 'cursor_expired')
    reportFailure(`on day 91: ${expired.status} ${JSON.stringify(expired.body)}`)
  const latest = await ask('POST', `/${id}/resume`, { from: 'latest' })
  if (latest.status !== 200) reportFailure(`from latest: ${latest.status} ${JSON.stringify(latest.body)}`)
  await service.app.close()
  return `away ${AWAY_DAYS} days: ${meanwhile} events, ${requests} requests meanwhile, all came, ${repeats} twice; disabled after ${disabledAfter.toFixed(1)} days, resumed whole on day 60, 410 on day 91`
}
