import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { freeLeft } from '../delivery/lease.ts'
import { quietCopy } from '../delivery/restored.ts'
import type { Directory } from '../directory/directory.ts'
import type { KeyRing } from '../directory/keys.ts'
import type { News } from '../events/news/news.ts'
import type { currentObjects } from '../events/objects.ts'
import { loggedError } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { AddCommand } from '../resource/write/commands.ts'
import type { ActivityStore } from '../storage/activity-store.ts'
import type { Database } from '../storage/database.ts'
import { deliveryLog } from './log.ts'
import { webhookRoutes } from './routes.ts'
import { ownMessages } from './sending/challenge.ts'
import { type WebhookSender, webhookSender } from './sending/sender.ts'
import { webhookTargets } from './sending/targets.ts'

interface WebhooksDeps {
  readonly config: Config
  readonly db: Database
  readonly activity: ActivityStore
  readonly directory: Directory
  readonly keys: KeyRing
  readonly news: News
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly command: AddCommand
  readonly objectsOf: ReturnType<typeof currentObjects>
  readonly release: (reply: FastifyReply) => void
  readonly now: () => number
  /** The brand of the demo, where it is served. */
  readonly demo: string | undefined
  /** Whether this process sends. */
  readonly sends: boolean
}

const STORE_PAUSE_MS = 1_000

/** Webhooks of one process: their routes and, where it sends, their sender. */
export function webhooks(deps: WebhooksDeps) {
  const { config, db, log, metrics, now } = deps
  const failed = (what: string) => (error: unknown) => log.warn({ error: loggedError(error) }, what)
  const deliveries = deliveryLog({ ...deps, failed: failed('the log of webhooks could not be written') })
  const targets = webhookTargets(config, now, deps.demo)
  const messages = ownMessages({ ...deps, deliveries, targets })
  const given = { ...deps, deliveries, targets, messages, keptDays: config.COMPTOIR_EVENTS_DAYS }
  let isClosed = false

  /** Nothing is sent before it is known that this is no copy (W7). */
  async function startSending(): Promise<WebhookSender | undefined> {
    while (!isClosed)
      try {
        const { endpoints } = await quietCopy(db, now())
        if (endpoints > 0) log.warn({ endpoints }, 'this database is a copy: its webhook endpoints are paused')
        await freeLeft(db, 'webhook_endpoints')
        return webhookSender({ ...given, challenge: messages.challenge, metrics: metrics.webhooks })
      } catch (error) {
        failed('webhooks cannot be sent yet')(error)
        await sleep(STORE_PAUSE_MS)
      }
    return undefined
  }
  const sender = deps.sends ? startSending() : undefined

  return {
    started: sender,
    routes: (scope: FastifyInstance, isStaff: boolean) => webhookRoutes(scope, given, isStaff),
    async close(): Promise<void> {
      isClosed = true
      await (await sender)?.close()
      targets.close()
      await deliveries.stop()
    },
  }
}
