import { readdirSync, readFileSync } from 'node:fs'

/** What a process holds in memory. */
export const residentMib = (pid: number): number => figureOf(pid, 'status', 'VmRSS') / 1024

/** A number that the system keeps of a process. */
export const figureOf = (pid: number, file: 'status' | 'io', name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))![1])

/** Ends by force whatever is left of the processes that this one has started, and of those that they have. */
export function endDescendants(): void {
  for (const pid of descendants()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // it has left meanwhile
  }
}

function descendants(): number[] {
  const parents = new Map(processes().map((pid) => [pid, parentOf(pid)]))
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent === process.pid || (parent !== undefined && isOurs(parent))
  }
  return [...parents.keys()].filter(isOurs)
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return [] // not on Linux
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) // its name may have brackets and blanks
  } catch {
    return undefined
  }
}
