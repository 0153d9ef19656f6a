import type { ComptoirOptions } from '../src/index.ts'

const START = Date.UTC(2026, 0, 1)

/** A clock that stands still but for `pass`, and while a client sleeps: then it jumps to the end of the earliest sleep. */
export function fakeClock() {
  let time = START
  const sleeping = new Set<{ until: number; wake: () => void }>()
  const slept: number[] = []

  // A turn of the event loop lets everyone who can still do something do it first.
  async function wakeEarliest() {
    await new Promise(setImmediate)
    const [earliest] = [...sleeping].sort((one, other) => one.until - other.until)
    if (!earliest) return
    sleeping.delete(earliest)
    time = Math.max(time, earliest.until)
    earliest.wake()
  }

  const sleep: NonNullable<ComptoirOptions['sleep']> = (milliseconds, signal) => {
    slept.push(milliseconds)
    return new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted()
      const sleeper = { until: time + milliseconds, wake: resolve }
      sleeping.add(sleeper)
      signal?.addEventListener('abort', () => {
        sleeping.delete(sleeper)
        reject(signal.reason)
      })
      void wakeEarliest()
    })
  }

  const now = () => time
  return {
    now,
    /** What makes a client go by it. */
    options: { now, sleep },
    /** How long each sleep was, in milliseconds. */
    slept,
    pass: (seconds: number) => {
      time += seconds * 1000
    },
  }
}
