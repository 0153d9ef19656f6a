import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../harness/client.ts'
import { demoClient, demoInstallation } from '../harness/demo-installation.ts'
import { serveApart } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'

/** D5.6: a change made by one process acts on every other within a second. */
export async function directory(trial: Trial): Promise<void> {
  const installation = await demoInstallation(trial)
  const many = trial.quick ? 2 : 4
  const mostMs = 1_000 * trial.sizes.slack
  const servers = await serveApart(trial, installation, many)
  const callers = await Promise.all(servers.map(({ url }) => demoClient(url, installation.credentials)))

  /** Makes a change by the command line, and answers how long after its end the last server had heard of it. */
  async function spread(words: string[], heard: (answer: Awaited<ReturnType<(typeof callers)[0]['call']>>) => boolean) {
    const watches = callers.map(({ call: ask }) =>
      waitUntil(words.join(' '), 20_000, async () => heard(await ask())).then(() => performance.now()),
    )
    await installation.command(...words)
    const done = performance.now()
    return Math.max(0, Math.max(...(await Promise.all(watches))) - done)
  }

  const switching = async (rounds: number) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      // Its integrator is in test mode. Switching that off and on would end the tokens for good.
      times.push(await spread(['brand', 'set', 'demo', '--live'], ({ status }) => status === 401))
      times.push(await spread(['brand', 'set', 'demo', '--test'], ({ status }) => status === 200))
    }
    return { seen: `the last heard of it after ${Math.round(Math.max(...times))} ms`, ok: Math.max(...times) <= mostMs }
  }
  const rounds = trial.quick ? 1 : 3

  await trial.promise(
    'a change acts on all within a second',
    checked(`a brand live and in test mode again, ${many} servers`, () => switching(rounds)),
  )
  await trial.promise(
    'a change acts on all, nobody listening',
    checked('the same, every LISTEN cut every 20 ms', async () => {
      let over = false
      let cut = 0
      const cutting = (async () => {
        while (!over) {
          const listeners = await installation.sql<{ cut: boolean }>(
            `select pg_terminate_backend(pid) as cut from pg_stat_activity
           where datname = current_database() and query = 'listen comptoir_directory'`,
          )
          cut += listeners.length
          await sleep(20)
        }
      })()
      const result = await switching(rounds).finally(() => {
        over = true
      })
      await cutting
      return { seen: `${result.seen}; ${cut} cut`, ok: result.ok && cut >= many }
    }),
  )
  await trial.promise(
    'a quota acts on all within a second',
    checked(`lowered to 5, ${many} servers`, async () => {
      const words = ['brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', '5']
      const after = await spread(words, ({ headers }) => headers['ratelimit-limit'] === '5')
      return { seen: `the last heard of it after ${Math.round(after)} ms`, ok: after <= mostMs }
    }),
  )
}
