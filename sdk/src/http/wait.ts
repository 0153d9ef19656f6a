/** Waits, or rejects with the signal's reason as soon as it fires. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

export const sleep: Sleep = (milliseconds, signal) => {
  let timer: ReturnType<typeof setTimeout>
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timerMs(milliseconds))
  })
  return unlessAborted(elapsed, signal).finally(() => clearTimeout(timer))
}

/** What `work` comes to, unless the signal fires first. The work goes on: others may be waiting for it too. */
export function unlessAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** What `work` comes to under a signal that fires with the caller's, or with `late` as its reason once time is up. */
export async function within<Result>(
  milliseconds: number,
  late: () => Error,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', stop)
  const timer = setTimeout(() => controller.abort(late()), timerMs(milliseconds))
  try {
    return await unlessAborted(work(controller.signal), controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

// A longer timer, such as Infinity, would fire at once.
const timerMs = (milliseconds: number) => Math.min(milliseconds, 2 ** 31 - 1)
