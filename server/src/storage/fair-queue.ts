import { StoreUnavailable } from './database.ts'

interface Bounds {
  /** How many run at once. */
  running: number
  /** How many of one owner run at once. */
  runningEach: number
  /** How many of one owner may wait; the next is refused at once. */
  waitingEach: number
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/** How reads that are made in pieces take turns: a page of 16 MiB is held for each. */
export const IN_TURN: Bounds = { running: 4, runningEach: 1, waitingEach: 100 }

type FairQueue = <Result>(owner: number, waitMs: number, work: () => Promise<Result>) => Promise<Result>

/**
 * Runs slow work of several owners round-robin: however much one of them asks for, another waits for one piece of it, not for all.
 * Work that could not begin within `waitMs` is refused.
 */
export function fairQueue({ running, runningEach, waitingEach }: Bounds): FairQueue {
  const lines = new Map<number, Line>() // in the order in which owners are served
  let busy = 0

  function startNext(): void {
    for (const [owner, line] of lines) {
      if (busy >= running) return
      if (line.running >= runningEach || line.waiting.length === 0) continue
      moveToEnd(owner, line) // this loop comes to it again
      busy++
      line.running++
      line.waiting.shift()!()
    }
  }

  function moveToEnd(owner: number, line: Line): void {
    lines.delete(owner)
    if (line.running + line.waiting.length > 0) lines.set(owner, line)
  }

  function turn(owner: number, line: Line, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(start), 1)
        if (line.running + line.waiting.length === 0) lines.delete(owner)
        reject(new StoreUnavailable('a long read waited too long for its turn'))
      }, waitMs)
      const start = () => {
        clearTimeout(late)
        resolve()
      }
      line.waiting.push(start)
      startNext()
    })
  }

  return async (owner, waitMs, work) => {
    const line = lines.get(owner) ?? { running: 0, waiting: [] }
    lines.set(owner, line)
    if (line.waiting.length >= waitingEach) throw new StoreUnavailable('too many long reads of one brand wait')
    await turn(owner, line, waitMs)
    try {
      return await work()
    } finally {
      busy--
      line.running--
      moveToEnd(owner, line)
      startNext()
    }
  }
}
