const MAX_WAIT_MS = 2_000

/**
 * Work on one row waits here for its turn: in the database each would hold one of the few connections while it waits. Behind work that
 * does not end it goes on after two seconds, and the database decides which is right.
 */
export function rowQueue() {
  const last = new Map<string, Promise<unknown>>()
  return async <Result>(row: string | undefined, work: () => Promise<Result>): Promise<Result> => {
    if (row === undefined) return work()
    const before = last.get(row)
    const turn = before ? ended(before).then(work) : work()
    last.set(row, turn)
    try {
      return await turn
    } finally {
      if (last.get(row) === turn) last.delete(row)
    }
  }
}

/** Resolves when the work has ended, in whatever way, or after the longest wait. */
async function ended(work: Promise<unknown>): Promise<void> {
  const end = Promise.withResolvers<void>()
  const late = setTimeout(end.resolve, MAX_WAIT_MS)
  work.then(
    () => end.resolve(),
    () => end.resolve(),
  )
  await end.promise
  clearTimeout(late)
}
