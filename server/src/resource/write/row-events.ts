import type { EventsDeclared } from '../../http/call.ts'
import type { NewEvent } from '../../storage/feed/new-event.ts'

/** One row before and after a write, as the wire shows it; a new one has no `before`, a deleted one no `after`. */
export interface RowChange<Row> {
  readonly before?: Partial<Row> | undefined
  readonly after?: Row | undefined
  /** Members whose value is now another one. */
  readonly changed: readonly string[]
}

/** What a definition says of an event: the rest is its row's. */
export interface RowEvent {
  readonly type: string
  /** Id of the subject; by default that of the row. */
  readonly subject?: string
  readonly data: NewEvent['data']
}

/** What a written row publishes (E1). */
export interface RowEvents<Row> {
  /** What a route that writes such rows declares (E10). */
  readonly types: EventsDeclared
  /** The events of one row. Rows of the directory publish beside their audit row instead. */
  eventsOf?(change: RowChange<Row>): readonly RowEvent[]
}

/** E1: created, updated and deleted, as most kinds have them. */
export const writtenEvents = (kind: string) => ({
  types: [`${kind}.created`, `${kind}.updated`, `${kind}.deleted`] as const,
  eventsOf({ before, after, changed }: RowChange<{ id: number | string }>): RowEvent[] {
    if (!after) return [{ type: `${kind}.deleted`, data: { id: before!.id } }]
    return [{ type: `${kind}.${before ? 'updated' : 'created'}`, data: { id: after.id, changed } }]
  },
})
