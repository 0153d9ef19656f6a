import { join } from 'node:path'
import { type Bench, measure } from '../bench.ts'
import { credentialsOf } from '../data.ts'
import { directRequests, startComptoir } from '../systems/comptoir.ts'
import { copyOfDemo } from './comparison.ts'

export const LOG_WORK = 'GET one receipt, request log'
export const LOG_ON = 'on'
export const LOG_OFF = 'off'

/** What the request log of the back office costs: two services, one without it, taking turns. */
export async function requestLog(bench: Bench): Promise<void> {
  bench.say('The request log')
  const log = join(bench.folder, 'comptoir.log')
  const data = [await copyOfDemo(bench), await copyOfDemo(bench)] as const
  await using on = await startComptoir({ COMPTOIR_DATA: data[0] }, log)
  await using off = await startComptoir({ COMPTOIR_DATA: data[1], COMPTOIR_ACTIVITY_ROWS: '0' }, log)
  const request = async (url: string) => (await directRequests(url, credentialsOf(data[0]))).receipt!
  await measure(
    bench,
    LOG_WORK,
    [
      { system: LOG_ON, url: on.url, request: await request(on.url), bytes: 0 },
      { system: LOG_OFF, url: off.url, request: await request(off.url), bytes: 0 },
    ],
    bench.rounds * 2 - 1,
  )
}
