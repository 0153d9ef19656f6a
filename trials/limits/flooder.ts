import { memoryWindows } from '../../server/src/storage/window.ts'
import { serveTasks } from '../harness/process-pool.ts'

// A process that is called from very many addresses, each once, and from one that it has known before.

export interface Flood {
  addresses: number
  limit: number
}

export interface Aftermath {
  heapMiB: number
  rssMiB: number
  /** How often the known address was admitted, of as many times as its limit and ten more. */
  admitted: number
}

async function flood({ addresses, limit }: Flood): Promise<Aftermath> {
  const heap = () => {
    globalThis.gc!()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const before = heap()
  const windows = memoryWindows({ now: () => 0 }) // within one window, however long it takes here
  const known = 'known'
  let admitted = 0
  const every = Math.floor(addresses / (limit + 10))
  for (let address = 0, asked = 0; address < addresses; address++) {
    windows.take(2, address % 2 === 0 ? address : `2001:db8:${address >>> 16}:${address & 0xffff}::/64`, limit)
    if (address % every === 0 && asked++ < limit + 10) admitted += Number(windows.take(2, known, limit).admitted)
  }
  const heapMiB = heap() - before
  windows.look(2, known, limit) // so that the windows are still needed when the heap is measured
  return { heapMiB, rssMiB: process.memoryUsage().rss / 2 ** 20, admitted }
}

serveTasks(flood)
