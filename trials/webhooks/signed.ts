import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '@comptoir/sdk'
import { Webhook } from 'standardwebhooks'
import { waitUntil } from '../harness/client.ts'
import type { Engine } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { caller, openHooks, openSending } from './hooks.ts'
import { type Delivery, openReceiver } from './receivers.ts'

const OVERLAP_S = 3
const [A_TURN, PAUSE_MS] = [10, 100]
const MUTATED_OF = 50
const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** W3, W8: each delivery is signed as Standard Webhooks says, by secrets that change meanwhile. */
export async function signed(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { rotations, mutatedDeliveries } = trial.sizes
  const hooks = await openHooks(trial, engine)
  const service = await openSending(trial, hooks)
  const ask = await caller(service, hooks)
  const receiver = await openReceiver(trial)
  const { id, secret } = await hooks.add(receiver.url, { payload: 'full' })
  let known = [secret]
  let verified = 0
  const deliveries: (Delivery & { secrets: string[] })[] = []
  receiver.watch((delivery) => {
    const problems = known.map((each) => refusal(each, delivery))
    if (problems.every((problem) => problem !== undefined))
      reportFailure(`${delivery.position}: ${problems.join(', ')}`)
    verified++
    if (deliveries.length < MUTATED_OF) deliveries.push({ ...delivery, secrets: known })
  })
  let isOver = false
  const load = (async () => {
    while (!isOver) await Promise.all([hooks.publish(A_TURN, service.deps.db), sleep(PAUSE_MS)])
  })()
  load.catch(() => {}) // it is awaited later
  for (let rotation = 1; rotation <= rotations; rotation++) {
    const answer = await ask('POST', `/${id}/secret`, { overlap_s: OVERLAP_S })
    if (answer.status !== 200) reportFailure(`rotation ${rotation}: ${answer.status} ${JSON.stringify(answer.body)}`)
    const { secret: next } = answer.body.data as unknown as { secret: string }
    known = [next, known[0]!]
    await waitUntil('both sign', 10_000, () => verified > 0)
    const until = performance.now() + OVERLAP_S * 1000
    await waitUntil('the overlap ends', 60_000, () => performance.now() > until)
    known = [next]
  }
  isOver = true
  await load
  await hooks.caughtUp(id)
  await service.app.close()
  const mutated = await mutate(trial, deliveries, mutatedDeliveries, reportFailure)
  return `${verified} deliveries verified by standardwebhooks through ${rotations} rotations, 0 wanted refused; ${mutated} mutated ones tried`
}

function refusal(secret: string, { body, headers }: Delivery): string | undefined {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** One other character anywhere in what is signed, or in the signature. */
async function mutate(
  trial: Trial,
  deliveries: readonly (Delivery & { secrets: string[] })[],
  count: number,
  reportFailure: ReportFailure,
): Promise<number> {
  const random = trial.random('mutated deliveries')
  for (let index = 0; index < count; index++) {
    const { body, headers, secrets, ...rest } = deliveries[index % deliveries.length]!
    const part = random.pick(['body', ...SIGNED] as const)
    const text = part === 'body' ? body : String(headers[part])
    const at = random.between(0, text.length - 1)
    const before = text.charCodeAt(at)
    const other = text.slice(0, at) + String.fromCharCode(before === 48 ? 49 : 48) + text.slice(at + 1)
    // With two signatures one may be broken as long as the other stands: only one is kept.
    const only: Delivery['headers'] = {
      ...headers,
      'webhook-signature': String(headers['webhook-signature']).split(' ')[0]!,
    }
    const [mutatedBody, mutatedHeaders] =
      part === 'body'
        ? [other, only]
        : [body, { ...only, [part]: part === 'webhook-signature' ? other.split(' ')[0]! : other }]
    const isSame = mutatedBody === body && SIGNED.every((name) => mutatedHeaders[name] === only[name])
    if (isSame) continue
    for (const secret of secrets) {
      const delivery = { ...rest, body: mutatedBody, headers: mutatedHeaders }
      if (refusal(secret, delivery) === undefined) reportFailure(`standardwebhooks took another ${part}`)
      const bySdk = await verifyWebhook(mutatedBody, mutatedHeaders, secret).then(
        () => 'taken',
        () => 'refused',
      )
      if (bySdk === 'taken') reportFailure(`verifyWebhook took another ${part}`)
    }
  }
  return count
}
