import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../server/src/config.ts'
import { MERGE_RULES } from '../../server/src/events/merge.ts'
import { openDatabase } from '../../server/src/storage/open.ts'
import { waitUntil } from '../harness/client.ts'
import type { Engine } from '../harness/installation.ts'
import { comptoir, type Env } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { copyOf, type Hooks, openHooks, startSender } from './hooks.ts'
import { openReceiver } from './receivers.ts'

const WATCHED_MS = 2_500 // more than two looks of a sender

/** W7: a copy of the database sends nothing until a person says so. */
export async function restored(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const hooks = await openHooks(trial, engine)
  const receiver = await openReceiver(trial)
  const { id } = await hooks.add(receiver.url)
  const original = await startSender(trial, hooks.installation)
  await hooks.publish(10)
  await hooks.caughtUp(id)
  await hooks.publish(10)
  await original.stop()
  const env = engine === 'SQLite' ? await backup(hooks) : await copied(trial, hooks)

  const arrived = receiver.arrived()
  const copy = await startSender(trial, { env })
  await publishIn(env, hooks.installation.brand_id)
  await sleep(WATCHED_MS)
  const sent = receiver.arrived() - arrived
  if (sent > 0) reportFailure(`the copy sent ${sent} events`)
  await comptoir(env, 'webhooks', 'resume', '--all')
  await waitUntil('it sends when a person says so', 30_000, () => receiver.arrived() > arrived)
  await copy.stop()
  return 'an event and a look each second: nothing came from the copy until it was resumed'
}

async function backup({ installation: { env } }: Hooks): Promise<Env> {
  const folder = join(dirname(env.COMPTOIR_DATA!), 'copy')
  mkdirSync(folder)
  await comptoir(env, 'backup', join(folder, 'comptoir.db'))
  return { ...env, COMPTOIR_DATA: folder, COMPTOIR_KEYS: join(env.COMPTOIR_DATA!, 'keys.json') }
}

const copied = async (trial: Trial, { installation: { env } }: Hooks): Promise<Env> => ({
  ...env,
  DATABASE_URL: await copyOf(trial, env.DATABASE_URL!),
})

async function publishIn(env: Env, brand_id: number): Promise<void> {
  const db = await openDatabase(loadConfig(env), 'command', MERGE_RULES)
  await db.transaction(async (tx) =>
    tx.publish({ brand_id, type: 'product.updated', subject: '1', data: { id: 1, changed: ['name'] } }),
  )
  await db.close()
}
