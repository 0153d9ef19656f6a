import { setTimeout as sleep } from 'node:timers/promises'
import { atRate, keepAlive, tally } from '../scale/client.ts'
import { client, install, serveOn } from './installation.ts'
import { menu } from './tenants.ts'
import type { Trial } from './trial.ts'

const PER_SECOND = 40

/** F23: a process that stood still for a while answers what has waited, and does not blame its stores. */
export async function eventLoop(trial: Trial): Promise<void> {
  await trial.promise('a process that stood still answers everything that waited', async (broke) => {
    const random = trial.random('pauses')
    const installation = await install(trial, 'PostgreSQL', menu('bistro'))
    const server = await serveOn(trial, installation, { REDIS_URL: (await trial.redis()).url })
    const caller = await client(trial, server.url, installation.credentials)
    const agent = keepAlive(200)
    trial.after(() => agent.destroy())
    const { pauses } = trial.sizes
    const stopAndGo = async () => {
      for (let pause = 0; pause < pauses; pause++) {
        await sleep(200)
        process.kill(server.pid, 'SIGSTOP')
        await sleep(random.between(300, 1_000))
        process.kill(server.pid, 'SIGCONT')
      }
      await sleep(500)
    }
    const answers = await atRate(PER_SECOND, stopAndGo(), (index) =>
      index % 4 === 0
        ? caller.ask('/customers', { method: 'POST', body: { name: 'Paused' }, agent })
        : caller.ask('/receipts/1', { agent }),
    )
    if (answers.some(({ status }) => status !== 200)) broke(tally(answers))
    const rows = await installation.db.texts(`select id from customers where name = 'Paused'`, [])
    const acknowledged = answers.filter((_, index) => index % 4 === 0).length
    if (rows.length !== acknowledged) broke(`${acknowledged} writes were acknowledged, ${rows.length} are there`)
    return `${pauses} pauses of up to 1 s, ${tally(answers)}`
  })
}
