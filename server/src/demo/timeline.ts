/** What happens in the house, in the order of time. What would come after today does not happen. */
export interface Timeline {
  schedule(time: number, act: Act): void
  /** Does all that is due by then; nothing is added meanwhile. */
  runUntil(time: number): Promise<void>
}

/** Something that staff do, at that instant. */
export type Act = (now: string) => Promise<void>

export function timeline(today: number): Timeline {
  let waiting: { time: number; act: Act }[] = []
  return {
    schedule(time, act) {
      if (time <= today) waiting.push({ time, act })
    },
    async runUntil(time) {
      const due = waiting.filter((each) => each.time <= time).sort((one, other) => one.time - other.time)
      waiting = waiting.filter((each) => each.time > time)
      for (const { time: ms, act } of due) await act(new Date(ms).toISOString())
    },
  }
}
