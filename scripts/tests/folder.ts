import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Where a run keeps its databases. Every commit waits for the disk, and a run commits tens of thousands of times: in memory, where a machine
// has room for it, that takes no time, and what the tests check is the same.

const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 2 ** 30 // several times what a run has at once

const NAME = /^comptoir-run-(\d+)-/

/** Makes the folder, and removes those of runs that were killed: in memory they would stay until the machine starts again. */
export function testFolder(): { folder: string; remove(): void } {
  const parent = hasRoom(MEMORY) ? MEMORY : tmpdir()
  for (const name of readdirSync(parent)) {
    const [, pid] = NAME.exec(name) ?? []
    if (pid && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(parent, `comptoir-run-${process.pid}-`))
  chmodSync(folder, 0o711) // PostgreSQL runs as another user, with a folder of its own in here
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function hasRoom(place: string): boolean {
  if (!existsSync(place)) return false
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > ROOM_BYTES
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
