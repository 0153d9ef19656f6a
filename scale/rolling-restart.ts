import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, atRate, keepAlive, tally, withStatus } from './client.ts'
import { client, serve } from './fleet.ts'
import { haproxy } from './haproxy.ts'
import type { Stage } from './stage.ts'

const PER_SECOND = 200

/** F20: a process that is asked to leave finishes what it has begun, and nobody notices. */
export async function rollingRestart(stage: Stage): Promise<void> {
  const installation = await stage.installation()
  const [workers, signals] = stage.quick ? [2, 2] : [3, 6]
  const supervised = await serve(stage, installation, { COMPTOIR_WORKERS: String(workers) })

  await stage.promise(
    'a rolling restart fails no request',
    `${signals} × SIGTERM, ${workers} workers, 200/s`,
    async () => {
      const restarts = async () => {
        await sleep(500)
        for (let gone = 0; gone < signals; gone++) {
          process.kill(supervised.workers()[gone]!, 'SIGTERM')
          await supervised.ready(workers + gone + 1)
        }
        await sleep(500)
      }
      return seen(await traffic(supervised.url, restarts()))
    },
  )
  await supervised.stop()
  if (stage.quick) return

  const settings = { COMPTOIR_FLEET: '3', COMPTOIR_DRAIN_S: '1' }
  const servers = await Promise.all([1, 2, 3].map(() => serve(stage, installation, settings)))
  const balancer = await haproxy(servers.map(({ url }) => url))
  stage.after(balancer.stop)
  await stage.promise('the same, of servers behind HAProxy', '3 × SIGTERM and start again, 200/s', async () => {
    const restarts = async () => {
      await sleep(500)
      for (const server of servers) {
        await server.stop()
        await serve(stage, installation, { ...settings, PORT: new URL(server.url).port })
        await sleep(1_000) // for the balancer to see it
      }
    }
    return seen(await traffic(balancer.url, restarts()))
  })
}

/** Half of the requests on kept connections, half on fresh ones. */
async function traffic(url: string, during: Promise<void>): Promise<Answer[]> {
  const { call: ask } = await client(url, 'demo-integrator')
  const agent = keepAlive(20)
  const answers = await atRate(PER_SECOND, during, (index) => ask(undefined, index % 2 === 0 ? { agent } : {}))
  agent.destroy()
  return answers
}

function seen(answers: readonly Answer[]) {
  const why = [...new Set(answers.flatMap(({ failure }) => failure ?? []))]
  return { seen: [tally(answers), ...why].join('; '), ok: withStatus(answers, 200) === answers.length }
}
