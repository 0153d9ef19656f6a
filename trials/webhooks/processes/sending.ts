import { pino } from 'pino'
import { buildApp } from '../../../server/src/app.ts'
import { loadConfig } from '../../../server/src/config.ts'
import { closeDeps, openDeps } from '../../../server/src/deps.ts'
import { serveTasks } from '../../harness/process-pool.ts'
import type { Env } from '../../harness/server.ts'

// A process that sends webhooks without the lock that keeps a second one away from SQLite.

export type SendingTask = { act: 'send'; env: Env } | { act: 'stop' }

let stop = async () => {}

serveTasks(async (task: SendingTask) => {
  if (task.act === 'send') await send(task.env)
  else await stop()
  return 'done'
})

async function send(env: Env): Promise<void> {
  const deps = await openDeps(loadConfig(env), pino({ level: 'silent' }))
  const app = buildApp(deps, { sends: true })
  await app.ready()
  stop = async () => {
    await app.close()
    await closeDeps(deps)
  }
}
