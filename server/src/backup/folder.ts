import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Copied, type Database, UnusableDatabase } from '../storage/database.ts'

// A folder of copies. Each has a number in its name, which grows: a clock that was moved changes no order.

const NAME = /^comptoir-(\d{5,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/
const LEFT_MS = 3_600_000

export interface Copy {
  readonly name: string
  readonly at: string
  readonly bytes: number
}

interface Numbered extends Copy {
  readonly number: number
}

/** The oldest first. */
export function listCopies(folder: string): Numbered[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const [, number, year, month, day, hour, minute, second] = NAME.exec(name) ?? []
      const stat = number ? lstatSync(join(folder, name), { throwIfNoEntry: false }) : undefined
      const size = stat?.isFile() ? stat.size : 0 // a link could lead anywhere, and a copy can be downloaded
      if (!size) return [] // an empty one is the name of a copy that a kill kept from being one
      return [{ name, number: Number(number), at: `${year}-${month}-${day}T${hour}:${minute}:${second}Z`, bytes: size }]
    })
    .sort((a, b) => a.number - b.number)
}

/** Adds a copy and removes the oldest above `keep`, never the one that was made. */
export async function addCopy(
  db: Database,
  { folder, keep }: { folder: string; keep: number },
  nowMs: number,
  progress?: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<Copy> {
  if (!existsSync(folder)) throw new UnusableDatabase(`There is no folder ${folder}: create it first`)
  const { name, copied } = await copyUnderNextName(db, folder, nowMs, progress, signal)
  const copies = listCopies(folder).filter((copy) => copy.name !== name)
  for (const old of copies.slice(0, Math.max(0, copies.length + 1 - keep)))
    rmSync(join(folder, old.name), { force: true })
  removeLeft(folder, statSync(join(folder, name)).mtimeMs)
  return { name, ...copied }
}

async function copyUnderNextName(db: Database, folder: string, nowMs: number, ...watch: Watch) {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const number = 1 + (listCopies(folder).at(-1)?.number ?? 0)
  const name = `comptoir-${String(number).padStart(5, '0')}-${stamp}.db`
  const copied: Copied = await db.backup(join(folder, name), ...watch)
  return { name, copied }
}

type Watch = [progress: ((done: number, total: number) => void) | undefined, signal: AbortSignal | undefined]

/** Removes what a kill has left. One that is being written by another process is younger, by the clock of the disk itself. */
function removeLeft(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!/^comptoir-\d{5,}-\w+\.db(\.[\w-]+\.part(-\w+)?)?$/.test(name)) continue
    const file = join(folder, name)
    const stat = statSync(file, { throwIfNoEntry: false })
    const isLeft = stat && (name.endsWith('.db') ? stat.size === 0 : true) && stat.mtimeMs < nowMs - LEFT_MS
    if (isLeft) rmSync(file, { force: true })
  }
}
