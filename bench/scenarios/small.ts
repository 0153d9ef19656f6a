import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, footprint, measure, mebibytesOf } from '../bench.ts'
import { credentialsOf, demo } from '../data.ts'
import { directRequests, READY, signIn, startComptoir } from '../systems/comptoir.ts'
import { copyOf } from './comparison.ts'
import { salesAt } from './sales.ts'

// A small machine: one core, and 512 MiB where this machine has memory groups that can be written to. The load comes from other cores.

const SMALL = 'one core, 512 MiB'
const MEBIBYTES = 512
/** Linux's older and newer groups: where they are, and the file with the limit. */
const GROUPS = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const

export async function small(bench: Bench): Promise<void> {
  bench.say(SMALL)
  const data = copyOf(bench, await demo(1))
  const group = memoryGroup()
  if (!group) bench.notes.push(`${SMALL}: no memory group can be made here, so the memory is not limited`)
  const enter = group ? ['sh', '-c', `echo $$ > ${group}/cgroup.procs; exec "$@"`, 'sh'] : []
  const within = [...enter, 'taskset', '-c', '0']
  try {
    await using server = await startComptoir({ COMPTOIR_DATA: data }, join(bench.folder, 'small.log'), READY, within)
    const { url, coldStartMs } = server
    const idleMiB = mebibytesOf(server)
    const credentials = credentialsOf(data)
    const { receipt, page, customer } = await directRequests(url, credentials)
    await measure(bench, SMALL, [
      { system: 'GET one receipt', url, request: receipt!, bytes: 0 },
      { system: 'GET 50 products', url, request: page!, bytes: 0 },
      { system: 'POST a customer', url, request: customer!, bytes: 0 },
      ...(await salesAt(bench, url, await signIn(url, credentials))),
    ])
    footprint(bench, SMALL, { coldStartMs, idleMiB }, server)
  } finally {
    if (group) rmdirSync(group)
  }
}

/** A new group with the limit; undefined where none can be made. */
function memoryGroup(): string | undefined {
  for (const [root, limit] of GROUPS) {
    const group = join(root, `comptoir-bench-${process.pid}`)
    try {
      mkdirSync(group)
    } catch {
      continue
    }
    if (existsSync(join(group, limit))) {
      writeFileSync(join(group, limit), String(MEBIBYTES * 2 ** 20))
      return group
    }
    rmdirSync(group)
  }
  return undefined
}
