/** Lengthens or shortens a delay by a random part of it, so that requests that failed together are not repeated together. */
export const jittered = (ms: number, part: number, random: () => number) =>
  Math.round(ms * (1 + part * (2 * random() - 1)))

const [S, MIN, H] = [1_000, 60_000, 3_600_000]

/** W12: the wait after the first failed attempt, the second, …; after the last of them nothing more is tried. */
export const RETRY_MS: readonly number[] = [
  5 * S,
  30 * S,
  2 * MIN,
  10 * MIN,
  30 * MIN,
  H,
  2 * H,
  4 * H,
  8 * H,
  12 * H,
  20 * H,
  24 * H,
]
/** W12: the waits between probes of a receiver that fails; the last one repeats. */
export const PROBE_MS: readonly number[] = [5 * S, 15 * S, 30 * S, MIN, 2 * MIN, 5 * MIN, 10 * MIN, 15 * MIN, 30 * MIN]

export const retryDelay = (attempts: number, random: () => number): number | undefined => {
  const ms = RETRY_MS[attempts - 1]
  return ms === undefined ? undefined : jittered(ms, 0.1, random)
}
export const probeDelay = (probes: number, random: () => number): number =>
  jittered(PROBE_MS[Math.min(probes, PROBE_MS.length - 1)]!, 0.2, random)
