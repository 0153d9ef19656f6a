import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../harness/client.ts'
import type { Stage } from '../harness/demo-installation.ts'
import { client, serveApart } from '../harness/server.ts'

/** D5.6: a change made by one process acts on every other within a second. */
export async function directory(stage: Stage): Promise<void> {
  const installation = await stage.installation()
  const many = stage.quick ? 2 : 4
  const servers = await serveApart(stage, installation, many)
  const callers = await Promise.all(servers.map(({ url }) => client(url, 'demo-integrator')))

  /** Makes a change by the command line, and answers how long after its end the last server had heard of it. */
  async function spread(words: string[], heard: (answer: Awaited<ReturnType<(typeof callers)[0]['call']>>) => boolean) {
    const watches = callers.map(({ call: ask }) =>
      until(words.join(' '), 20_000, async () => heard(await ask())).then(() => performance.now()),
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
    return { seen: `the last heard of it after ${Math.round(Math.max(...times))} ms`, ok: Math.max(...times) <= 1_000 }
  }
  const rounds = stage.quick ? 1 : 3

  await stage.promise(
    'a change acts on all within a second',
    `a brand live and in test mode again, ${many} servers`,
    () => switching(rounds),
  )
  await stage.promise('a change acts on all, nobody listening', 'the same, every LISTEN cut every 20 ms', async () => {
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
  })
  await stage.promise('a quota acts on all within a second', `lowered to 5, ${many} servers`, async () => {
    const words = ['brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', '5']
    const after = await spread(words, ({ headers }) => headers['ratelimit-limit'] === '5')
    return { seen: `the last heard of it after ${Math.round(after)} ms`, ok: after <= 1_000 }
  })
}
