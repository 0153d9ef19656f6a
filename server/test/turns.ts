import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * The longest that anything else had to wait for its turn of the event loop while `work` went on, in milliseconds of a clock. One
 * that counts the thread's own work leaves out other programs on the machine.
 */
export async function longestTurn(work: () => Promise<unknown>, clock = () => performance.now()): Promise<number> {
  let longest = 0
  let last = clock()
  let done = false
  const turn = () => {
    const now = clock()
    longest = Math.max(longest, now - last)
    last = now
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  await work().finally(() => {
    done = true
  })
  return longest
}

/** Milliseconds that the processor spent on this thread. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const READER = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', async ({ url, token }) => {
    const answer = await fetch(url, { headers: { 'x-token': token } })
    parentPort.postMessage((await answer.arrayBuffer()).byteLength)
  })`

/** A client in a thread of its own, so that reading costs the server's event loop nothing; answers how many bytes came. */
export function client() {
  const worker = new Worker(READER, { eval: true })
  const read = async (url: string, token: string): Promise<number> => {
    worker.postMessage({ url, token })
    const [bytes] = await once(worker, 'message')
    return bytes
  }
  return Object.assign(read, { stop: () => worker.terminate() })
}
