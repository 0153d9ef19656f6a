// What handlers publish (E1 to E4), before the feed gives it a position.

/** Who caused a change (E4); an integrator is named, so that its own changes can be told to it as such. */
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
  /** The transaction's unless said otherwise. */
  readonly source?: Source
}

/** What a commit added to one brand's feed. */
export interface Published {
  readonly brand_id: number
  readonly types: readonly string[]
  /** How long it waited for the feed's lock. */
  readonly waitedMs: number
}

export type PublishedListener = (published: readonly Published[]) => void
