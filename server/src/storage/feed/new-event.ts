// What handlers publish (E1 to E4), before the feed gives it a position.

/** Cause of a change (E4); it names the integrator, so that an integrator can recognise its own changes. */
export type Source = 'staff' | 'import' | 'system' | `api:${string}`

export type Data = Readonly<Record<string, unknown>>

/** An event as its transaction publishes it: position, time and id come when it is appended. */
export interface NewEvent {
  readonly brand_id: number
  readonly type: string
  /** The id of what changed; empty where the event is about no single object. */
  readonly subject: string
  readonly venue_id?: number | undefined
  readonly data: Data
  /** Defaults to the transaction's. */
  readonly source?: Source
}

/** What a type of event needs beyond what all types do. */
export interface MergeRule {
  /** E2: tells events of one object apart that stay two. */
  readonly part?: (data: Data) => string
  /** E2: what the data of two events of one object become, laid over the data of the later one. */
  readonly merge?: (one: Data, other: Data) => Data
  /** M5: the menus that it can change: those of all venues, or its own venue's. Their version is then its id. */
  readonly menu?: 'brand' | 'venue'
}

/** Rules by type of event. */
export type MergeRules = Readonly<Record<string, MergeRule>>

/** Events that were published, merged. */
export interface Collector {
  readonly size: number
  add(event: NewEvent): void
  events(): NewEvent[]
  clear(): void
}

/** What a commit added to one brand's feed. */
export interface Published {
  readonly brand_id: number
  readonly types: readonly string[]
  /** How long it waited for the feed's lock. */
  readonly waitedMs: number
}

export type PublishedListener = (published: readonly Published[]) => void
