import type { Floor, StatefulTable } from '../../../../server/src/pos/tables/floor.ts'
import { liveQuery } from '../../live/use-live.ts'

// The floor apart from how it looks: tables by hall, and how long nothing has happened at each.

export type { Floor, StatefulTable }

export const floorOf = (venue: number) => liveQuery<{ data: Floor & { now: string } }>(venue, 'floor', '/floor')

export interface HallTables {
  /** Undefined: tables that are in no hall. */
  readonly id: number | undefined
  readonly name: string | undefined
  readonly tables: readonly StatefulTable[]
}

/** The halls in their order with their tables; tables without a hall come last. An empty hall is left out. */
export function hallsOf({ halls, tables }: Floor): HallTables[] {
  const byHall = Map.groupBy(tables, ({ hall_id }) => hall_id)
  const all = [...halls, { id: undefined, name: undefined }]
  return all
    .map(({ id, name }) => ({ id, name, tables: byHall.get(id) ?? [] }))
    .filter((hall) => hall.tables.length > 0)
}

export type Idle = 'calm' | 'amber' | 'red'

/** Whether somebody should look after a table; `elapsedMs` since the floor was read. */
export function idleOf(
  { state, idle_s = 0 }: StatefulTable,
  { idle_minutes: [amber = 15, red = 30] }: Floor,
  elapsedMs: number,
): { minutes: number; level: Idle } {
  const minutes = Math.floor((idle_s + Math.max(0, elapsedMs) / 1_000) / 60)
  if (state === 'free') return { minutes: 0, level: 'calm' }
  return { minutes, level: minutes >= red ? 'red' : minutes >= amber ? 'amber' : 'calm' }
}

/** What is still to be paid at a table. */
export const dueAt = ({ receipts }: StatefulTable): number =>
  receipts.reduce((sum, { remaining }) => sum + Math.round(remaining * 10_000), 0) / 10_000
