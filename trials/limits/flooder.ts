import { addressKey } from '../../server/src/http/edge/address.ts'
import { memoryWindows } from '../../server/src/limits/window.ts'
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
  for (let address = 0, tries = 0; address < addresses; address++) {
    windows.take(2, address % 2 === 0 ? address : addressKey(ipv6(address)), limit)
    if (address % every === 0 && tries++ < limit + 10) admitted += Number(windows.take(2, known, limit).admitted)
  }
  const heapMiB = heap() - before
  windows.look(2, known, limit) // so that the windows are still needed when the heap is measured
  return { heapMiB, rssMiB: process.memoryUsage().rss / 2 ** 20, admitted }
}

/** One address in a /64 of its own. */
const ipv6 = (number: number) => `2001:db8:${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`

serveTasks(flood)
