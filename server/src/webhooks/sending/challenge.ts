import type { KeyRing } from '../../directory/keys.ts'
import type { Database } from '../../storage/database.ts'
import { type EndpointRow, verified } from '../endpoints.ts'
import type { DeliveryLog, LogLine } from '../log.ts'
import { openSecrets } from '../secrets.ts'
import { answers, ownMessage } from './messages.ts'
import type { Targets } from './targets.ts'

// W6: messages that are no events: the challenge of a new endpoint, and a test.

/** When challenges are sent by themselves, each after the one before. */
export const CHALLENGES_MS = [0, 10_000, 60_000, 600_000]

interface OwnMessagesDeps {
  readonly db: Database
  readonly keys: KeyRing
  readonly deliveries: DeliveryLog
  readonly targets: Targets
  readonly now: () => number
}

type Receiver = EndpointRow & { readonly slug: string }

/** Sends a challenge; true where it was answered, and the endpoint is active by that. */
export type Challenge = (row: Receiver) => Promise<boolean>

export function ownMessages({ db, keys, deliveries, targets, now }: OwnMessagesDeps) {
  async function send(row: Receiver, type: 'endpoint.verification' | 'endpoint.test') {
    const { id, challenge, body } = ownMessage(type, row.slug, now())
    const secrets = openSecrets(keys, row.brand_id, row.id, row.secrets, now())
    const attempt = await targets.postFor(row.slug)({ url: row.url, endpoint: row.id, id, body, secrets })
    const isAnswered = attempt.class === undefined && answers(attempt.answer, challenge)
    const line: LogLine = {
      at: now(),
      brand_id: row.brand_id,
      endpoint_id: row.id,
      event: id,
      type,
      attempt: 1,
      cause: type === 'endpoint.test' ? 'test' : 'verification',
      status: attempt.status ?? null,
      class: attempt.class ?? null,
      ms: attempt.ms,
      skew_s: attempt.skewS ?? null,
      answer: attempt.class === undefined || attempt.answer === '' ? null : attempt.answer,
    }
    deliveries.note(line)
    return { line, isAnswered }
  }

  return {
    async challenge(row: Receiver): Promise<boolean> {
      const { isAnswered } = await send(row, 'endpoint.verification')
      if (isAnswered) await db.transaction((tx) => verified(tx, row, now()))
      return isAnswered
    },
    test: async (row: Receiver): Promise<LogLine> => (await send(row, 'endpoint.test')).line,
  }
}

export type OwnMessages = ReturnType<typeof ownMessages>
