/** A secret that a rotation replaced, and that works until its own end. */
export interface EarlierSecret {
  epoch: number
  kid: string
  hash: string
  until: string
}

/** Beside the current one: three secrets at a time. */
export const MAX_EARLIER = 2

/** The earlier secrets that still work, newest first. */
export function liveSecrets(stored: string | null, now: number): EarlierSecret[] {
  const all = stored === null ? [] : (JSON.parse(stored) as EarlierSecret[])
  return all.filter(({ until }) => Date.parse(until) > now)
}

/** Instant at which the last of these secrets stops working; null when there are none. */
export const lastEnd = (secrets: readonly EarlierSecret[]) =>
  secrets
    .map(({ until }) => until)
    .sort()
    .at(-1) ?? null
