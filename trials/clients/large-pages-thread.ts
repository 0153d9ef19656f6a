import { Agent, get } from 'node:http'
import { parentPort } from 'node:worker_threads'

// A client in a thread of its own, so that what it reads costs the service's event loop nothing (large-pages.ts).

export interface Load {
  url: string
  token: string
  /** Asked for in turn. */
  paths: readonly string[]
  perSecond: number
  seconds: number
}

export interface Read {
  status: number
  ms: number
  bytes: number
}

const agent = new Agent({ keepAlive: true })

function read(url: string, token: string): Promise<Read> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let bytes = 0
    const answer = (status: number) => resolve({ status, bytes, ms: performance.now() - startedAt })
    get(url, { agent, headers: { 'x-token': token } }, (response) => {
      response.on('data', (piece: Buffer) => (bytes += piece.length))
      response.once('error', () => answer(0))
      response.once('end', () => answer(response.statusCode!))
    }).once('error', () => answer(0))
  })
}

parentPort!.on('message', async ({ url, token, paths, perSecond, seconds }: Load) => {
  const reads = Array.from({ length: perSecond * seconds }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * 1000) / perSecond))
    return read(`${url}/v2${paths[index % paths.length]}`, token)
  })
  parentPort!.postMessage(await Promise.all(reads))
})
