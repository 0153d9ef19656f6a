/** Does work of the trial itself, which does not count. */
export type Apart = <Result>(own: () => Result) => Result

/**
 * The most that one turn of the event loop took while `work` went on, in milliseconds of the processor and of the clock. The clock's
 * are reported, not checked: what a busy machine takes away is not the service's doing.
 */
export async function longestTurn(
  work: (apart: Apart) => Promise<unknown>,
): Promise<{ workedMs: number; clockMs: number }> {
  let [workedMs, clockMs, apartMs] = [0, 0, 0]
  let over = false
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const apart: Apart = (own) => {
    const before = used()
    try {
      return own()
    } finally {
      apartMs += used() - before
    }
  }
  let last = { worked: used(), clock: performance.now() }
  const turn = () => {
    const now = { worked: used(), clock: performance.now() }
    workedMs = Math.max(workedMs, now.worked - last.worked - apartMs)
    clockMs = Math.max(clockMs, now.clock - last.clock)
    apartMs = 0
    last = now
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  await work(apart).finally(() => {
    over = true
  })
  return { workedMs, clockMs }
}
