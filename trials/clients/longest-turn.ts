/**
 * The most that one turn of the event loop took while `work` went on, in milliseconds of the processor and of the clock. The clock's
 * are told, not judged: what a busy machine takes away is not the service's doing.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<{ workedMs: number; clockMs: number }> {
  let [workedMs, clockMs] = [0, 0]
  let over = false
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = { worked: used(), clock: performance.now() }
  const turn = () => {
    const now = { worked: used(), clock: performance.now() }
    workedMs = Math.max(workedMs, now.worked - last.worked)
    clockMs = Math.max(clockMs, now.clock - last.clock)
    last = now
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  await work().finally(() => {
    over = true
  })
  return { workedMs, clockMs }
}
