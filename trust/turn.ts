/**
 * The most processor time that one turn of the event loop took while `work` went on, in milliseconds. Not the clock's time: what a
 * busy machine takes away is not the service's doing.
 */
export async function busiestTurn(work: () => Promise<unknown>): Promise<number> {
  let busiest = 0
  let over = false
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = used()
  const turn = () => {
    const now = used()
    busiest = Math.max(busiest, now - last)
    last = now
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  await work().finally(() => {
    over = true
  })
  return busiest
}
