import { start } from '../harness/comptoir.ts'
import type { Stage } from '../harness/demo-installation.ts'
import { client, serve } from '../harness/server.ts'

/** D7.4: limits that one process counts in its memory allow one process. */
export async function oneServer(stage: Stage): Promise<void> {
  const installation = await stage.installation()
  const { REDIS_URL: _, ...env } = installation.env

  const refused = async (settings: Record<string, string>, reason: string) => {
    const { exited, said } = start({ ...env, ...settings }, ['serve'])
    const code = await exited
    const sentence = /comptoir: .*/.exec(said())?.[0] ?? 'nothing'
    return { seen: `exit ${code}, “${sentence}”`, ok: code === 1 && sentence.includes(reason) }
  }
  await stage.promise('no workers without Redis', 'COMPTOIR_WORKERS=2', () =>
    refused({ COMPTOIR_WORKERS: '2' }, 'needs DATABASE_URL and REDIS_URL'),
  )
  if (stage.quick) return

  const shared = await serve(stage, installation)
  await stage.promise('no server without Redis beside one with it', '`comptoir serve` without REDIS_URL', () =>
    refused({}, 'set REDIS_URL for more than one'),
  )
  await shared.stop()

  const alone = await serve(stage, { env })
  await stage.promise('no second server without Redis', 'a second `comptoir serve`', () =>
    refused({}, 'set REDIS_URL for more than one'),
  )
  await stage.promise('the lock is held through a lost connection', 'its connection cut, a second serve', async () => {
    await installation.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'comptoir server%'`,
    )
    const { call: ask } = await client(alone.url, 'demo-integrator')
    const { seen, ok } = await refused({}, 'set REDIS_URL for more than one')
    const { status } = await ask()
    return { seen: `${seen}; the first answers ${status}`, ok: ok && status === 200 }
  })
  await stage.promise('the next may serve once the first is gone', 'SIGKILL, then serve', async () => {
    await alone.stop('SIGKILL')
    const next = await serve(stage, { env })
    return { seen: 'ready', ok: next.workers().length === 1 }
  })
}
