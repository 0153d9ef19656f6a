import { COST, type Cost } from './passwords.ts'

const MAX_RUNNING = 2
const MAX_WAITING = 32 // in each line
const MAX_WAITING_EACH = 4 // of one account in a line
const MAX_WAIT_MS = 3_000 // a request is answered within 4 s

export interface Owner {
  /** The account that the password is for, whether or not it exists. */
  account: string
  /** Whether who asks comes from a known place or is signed in. */
  known: boolean
}

interface Waiting {
  account: string
  start(): void
  refuse(): void
}

/**
 * Hashes at most two passwords at once: each takes a core and 64 MiB, so without a bound anybody could stop the service by signing
 * in. Known places and strangers wait in lines of their own and take turns. Among strangers the newest goes first, and pushes out the
 * oldest when the line is full: otherwise a crowd of fresh addresses would keep out everybody who comes after it. `cost` is that of new
 * hashes; tests pass a low one.
 */
export function passwordQueue(cost = COST) {
  const lines: Record<'known' | 'strangers', Waiting[]> = { known: [], strangers: [] }
  let running = 0
  let knownWasLast = false

  function takeNext(): Waiting | undefined {
    const stranger = () => lines.strangers.pop()
    const known = () => lines.known.shift()
    knownWasLast = knownWasLast ? lines.strangers.length === 0 : lines.known.length > 0
    return knownWasLast ? known() : stranger()
  }

  function wait({ account, known }: Owner, full: () => Error): Promise<void> {
    const line = known ? lines.known : lines.strangers
    if (line.filter((each) => each.account === account).length >= MAX_WAITING_EACH) throw full()
    if (line.length >= MAX_WAITING) {
      if (known) throw full()
      line.shift()!.refuse()
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        reject(full())
      }, MAX_WAIT_MS)
      const waiting: Waiting = {
        account,
        start() {
          clearTimeout(late)
          resolve()
        },
        refuse() {
          clearTimeout(late)
          reject(full())
        },
      }
      line.push(waiting)
    })
  }

  return async <Result>(owner: Owner, work: (cost: Cost) => Promise<Result>, full: () => Error): Promise<Result> => {
    if (running >= MAX_RUNNING)
      await wait(owner, full) // who leaves hands over their place
    else running++
    try {
      return await work(cost)
    } finally {
      const next = takeNext()
      if (next) next.start()
      else running--
    }
  }
}
export type PasswordQueue = ReturnType<typeof passwordQueue>
