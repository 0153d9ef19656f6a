import { demoClient, demoInstallation } from '../harness/demo-installation.ts'
import { serve, start } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'

/** D7.4: limits that one process counts in its memory allow one process. */
export async function oneServer(trial: Trial): Promise<void> {
  const installation = await demoInstallation(trial)
  const { REDIS_URL: _, ...env } = installation.env

  const refused = async (settings: Record<string, string>, reason: string) => {
    const { exited, said } = start({ ...env, ...settings }, ['serve'])
    const code = await exited
    const sentence = /comptoir: .*/.exec(said())?.[0] ?? 'nothing'
    return { seen: `exit ${code}, “${sentence}”`, ok: code === 1 && sentence.includes(reason) }
  }
  await trial.promise(
    'no workers without Redis',
    checked('COMPTOIR_WORKERS=2', () => refused({ COMPTOIR_WORKERS: '2' }, 'needs DATABASE_URL and REDIS_URL')),
  )
  if (trial.quick) return

  const shared = await serve(trial, installation)
  await trial.promise(
    'no server without Redis beside one with it',
    checked('`comptoir serve` without REDIS_URL', () => refused({}, 'set REDIS_URL for more than one')),
  )
  await shared.stop()

  const alone = await serve(trial, { env })
  await trial.promise(
    'no second server without Redis',
    checked('a second `comptoir serve`', () => refused({}, 'set REDIS_URL for more than one')),
  )
  await trial.promise(
    'the lock is held through a lost connection',
    checked('its connection cut, a second serve', async () => {
      await installation.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'comptoir server%'`,
      )
      const { call: ask } = await demoClient(alone.url, installation.credentials)
      const { seen, ok } = await refused({}, 'set REDIS_URL for more than one')
      const { status } = await ask()
      return { seen: `${seen}; the first answers ${status}`, ok: ok && status === 200 }
    }),
  )
  await trial.promise(
    'the next may serve once the first is gone',
    checked('SIGKILL, then serve', async () => {
      await alone.stop('SIGKILL')
      const next = await serve(trial, { env })
      return { seen: 'ready', ok: next.workers().length === 1 }
    }),
  )
}
