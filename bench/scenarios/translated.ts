import { join } from 'node:path'
import { type Bench, measure } from '../bench.ts'
import { credentialsOf } from '../data.ts'
import { ask } from '../processes.ts'
import type { Request } from '../request.ts'
import { directRequests, startComptoir } from '../systems/comptoir.ts'
import { copyOfDemo } from './comparison.ts'

export const TRANSLATED_PAGE = 'GET 50 products, translated'
export const THERE = 'at COMPTOIR_COMPAT_PATH'
export const HERE = 'at /v2'
export const WITH_DETAILS = 'at /v2, with details'

const PATH = '/open-api/v2'

/** What the spelling of existing clients costs: a page of one service, at both addresses in turns. Translated it has the details too. */
export async function translated(bench: Bench): Promise<void> {
  bench.say('The second address')
  const data = await copyOfDemo(bench)
  const env = { COMPTOIR_DATA: data, COMPTOIR_COMPAT_PATH: PATH }
  await using server = await startComptoir(env, join(bench.folder, 'comptoir.log'))
  const page = (await directRequests(server.url, credentialsOf(data))).page!
  const entry = async (system: string, request: Request) => {
    const { body } = await ask(server.url, request)
    return { system, url: server.url, request, bytes: Buffer.byteLength(body) }
  }
  await measure(
    bench,
    TRANSLATED_PAGE,
    [
      await entry(HERE, page),
      await entry(WITH_DETAILS, { ...page, path: `${page.path}&include=details` }),
      await entry(THERE, { ...page, path: page.path.replace('/v2', PATH) }),
    ],
    bench.rounds * 2 - 1,
  )
}
