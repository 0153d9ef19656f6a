import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tally, waitUntil } from '../harness/client.ts'
import { client, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import type { Trial } from '../harness/trial.ts'
import { serveWrapped } from '../harness/wrapped-server.ts'

const DISK_KIB = 256
const CALLS = 200
const TOLD_WITHIN_MS = 20_000

/** A log that cannot be written any more stops nothing, and says so once it can. */
export const fullLog = (trial: Trial): Promise<void> =>
  trial.promise('a log on a full disk stops nothing, and goes on when there is room', async (reportFailure) => {
    const installation = await install(trial, 'SQLite', menu('bistro'))
    const folder = mkdtempSync(join(tmpdir(), 'comptoir-log-'))
    trial.after(() => rmSync(folder, { recursive: true, force: true }))
    const mount = `mount -t tmpfs -o size=${DISK_KIB}k none ${folder}`
    const log = join(folder, 'log')
    // Its first lines are waited for here.
    const heard = `touch ${log} && (tail --pid=$$ -f ${log} &)`
    const words = ['unshare', '-rm', 'sh', '-c', `${mount} && ${heard} && exec $serve > ${log}`]
    const server = await serveWrapped(trial, words, { ...installation.env, COMPTOIR_LOG_LEVEL: 'info' })
    const inside = `/proc/${server.pid}/root${folder}`
    const caller = await client(trial, server.url, installation.credentials)
    const ask = async () => {
      const answers = await Promise.all(Array.from({ length: CALLS }, () => caller.ask('/receipts/1')))
      const refused = answers.filter(({ status }) => status === 503).length
      const isServing = answers.every(({ status }) => status === 200 || status === 503)
      if (!isServing || refused > trial.sizes.shed * answers.length) reportFailure(tally(answers))
      return answers.length
    }

    let calls = await ask()
    writeFileSync(join(inside, 'filler'), Buffer.alloc(freeIn(inside)))
    for (let round = 0; round < 5; round++) calls += await ask()
    if (freeIn(inside) > 0) reportFailure('the disk was not full')
    rmSync(join(inside, 'filler'))
    const lines = () => readFileSync(join(inside, 'log'), 'utf8').trim().split('\n')
    let lost = 0
    await waitUntil('the log tells what was lost', TOLD_WITHIN_MS, async () => {
      calls += await ask()
      lost =
        lines()
          .map(lostIn)
          .find((count) => count > 0) ?? 0
      return lost > 0
    })
    const unreadable = lines().filter((line) => parsed(line) === undefined).length
    if (unreadable > 1) reportFailure(`${unreadable} lines that nobody can read`) // one was cut when the disk was full
    return `${calls} calls, ${lost} lines lost`
  })

const lostIn = (line: string) =>
  line.includes('part of the log could not be written') ? (parsed(line)?.lines ?? 0) : 0

function parsed(line: string): { lines?: number } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function freeIn(folder: string): number {
  const { bfree, bsize } = statfsSync(folder)
  return bfree * bsize
}
