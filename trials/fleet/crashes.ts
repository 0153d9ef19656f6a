import { atRate, countStatus, tally, waitUntil } from '../harness/client.ts'
import { demoClient, demoInstallation } from '../harness/demo-installation.ts'
import { serve } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'

const WORKERS = 3
const PER_SECOND = 100

/** A worker that dies is replaced and missed by nobody else; workers that keep dying stop the whole. */
export async function crashes(trial: Trial): Promise<void> {
  if (trial.quick) return
  const installation = await demoInstallation(trial)
  const supervised = await serve(trial, installation, { COMPTOIR_WORKERS: String(WORKERS) })
  const { call: ask } = await demoClient(supervised.url, installation.credentials)
  const replacedAfter: number[] = []
  const kill = async () => {
    const startedAt = performance.now()
    process.kill(supervised.workers()[replacedAfter.length]!, 'SIGKILL')
    await supervised.ready(WORKERS + replacedAfter.length + 1)
    replacedAfter.push(performance.now() - startedAt)
  }

  await trial.promise(
    'a worker that crashes is replaced, others serve',
    checked(`SIGKILL, ${PER_SECOND}/s`, async () => {
      const answers = await atRate(PER_SECOND, kill(), () => ask())
      const lost = answers.length - countStatus(answers, 200) // what it had in hand
      return {
        seen: `${tally(answers)}; replaced after ${Math.round(replacedAfter[0]!)} ms`,
        ok: lost <= 10 && answers.slice(-10).every(({ status }) => status === 200),
      }
    }),
  )
  await trial.promise(
    'one crash after the other is waited for longer',
    checked('3 × SIGKILL more', async () => {
      for (let crash = 0; crash < 3; crash++) await kill()
      const times = replacedAfter.map((ms) => `${(ms / 1000).toFixed(1)} s`)
      return { seen: `replaced after ${times.join(', ')}`, ok: replacedAfter[3]! >= 800 } // the fourth pause alone
    }),
  )
  await trial.promise(
    'five crashes in a minute stop it, and it says why',
    checked('the fifth SIGKILL', async () => {
      process.kill(supervised.workers()[4]!, 'SIGKILL')
      const code = await supervised.exited
      const sentence = /comptoir: .*/.exec(supervised.said())?.[0] ?? 'nothing'
      return { seen: `exit ${code}, “${sentence}”`, ok: code === 1 && sentence.includes('crashed within a minute') }
    }),
  )
  await trial.promise(
    'asked to stop while none is there, it stops',
    checked('SIGKILL to all, SIGTERM', async () => {
      const other = await serve(trial, installation, { COMPTOIR_WORKERS: String(WORKERS) })
      for (const pid of other.workers()) process.kill(pid, 'SIGKILL')
      await waitUntil('all are gone', 10_000, () => other.said().split('"worker crashed"').length > WORKERS)
      const code = await other.stop()
      return { seen: `exit ${code}`, ok: code === 0 && other.said().includes('"msg":"stopped"') }
    }),
  )
}
