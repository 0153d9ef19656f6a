import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const END_MS = 60_000

/** Asks again until it holds. The end is far away, because a slow machine is no failure. */
export async function until(holds: () => boolean | Promise<boolean>, what = 'it does not hold'): Promise<void> {
  for (const end = performance.now() + END_MS; !(await holds()); await sleep(20))
    assert.ok(performance.now() < end, `${what} after ${END_MS / 1000} s`)
}
