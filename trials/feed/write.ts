/** One transaction, which writes a row for each brand and publishes `events` events to each. */
export interface Write {
  name: string
  brands: readonly number[]
  events: number
  /** `refused` left nothing; of `unknown` there is all or nothing. */
  outcome: 'done' | 'refused' | 'unknown'
  /** Why it failed, where a healthy feed would not have refused it. */
  error?: string
}

/** How one event names its write, its place in it and how many there are. */
export const subjectOf = (name: string, place: number, events: number) => `${name} ${place}/${events}`

/** Events of writes differ by their subjects; a brand's first event is not of a write. */
export function partsOf(subject: string): { name: string; place: number; events: number } {
  const [, name, place, events] = /^(.*) (\d+)\/(\d+)$/.exec(subject) ?? [undefined, '', 1, 1]
  return { name: name!, place: Number(place), events: Number(events) }
}
