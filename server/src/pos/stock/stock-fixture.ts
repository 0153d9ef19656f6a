import { api } from '../../../test/api.ts'
import type { Installation } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import type { Caller } from '../../http/call.ts'
import { type CommandContext, runCommand } from '../../resource/write/commands.ts'
import { idBlocks } from '../../resource/write/id-blocks.ts'
import { type Movement, moveStock } from './move.ts'

export const scaled = (amount: number) => Math.round(amount * 10_000)
export const NOW = '2026-03-01T12:00:00.000Z'

/** Two venues, the first with two storages, and three ingredients. */
export const ROWS: Row[] = [
  { kind: 'venue', id: 2, name: 'Other' },
  { kind: 'storage', id: 1, venue_id: 1, name: 'Shelves', is_main: 1, status: 1 },
  { kind: 'storage', id: 2, venue_id: 1, name: 'Cellar', is_main: 0, status: 1 },
  { kind: 'storage', id: 3, venue_id: 2, name: 'Shelves', is_main: 1, status: 1 },
  { kind: 'unit', id: 4, name: 'Kilogram', symbol: 'kg' },
  ...[51, 52, 53].map((id) => ({ kind: 'product', id, name: `Flour ${id}`, type: 'INGREDIENT', unit_id: 4 })),
]

/** Brands whose stock is moved by commands, each in a transaction of its own. */
export function movingStock(make: () => Promise<Installation>) {
  const { brand, running } = api(make)
  return async (rows = ROWS, permissions: readonly string[] = ['*']) => {
    const client = await brand({ rows, permissions })
    const { id: brand_id } = client
    const { deps, clock } = await running()
    const { db } = deps
    const blocks = idBlocks(db)
    async function command<Result>(
      work: (context: CommandContext) => Promise<Result>,
      { venue_id = 1, now = NOW } = {},
    ): Promise<Result> {
      const ids = await blocks.reserve(brand_id, { stock_operation_id: 10 })
      const caller = { brand_id, venue_id, user: { username: 'owner' } } as Caller
      return db.transaction((tx) => runCommand({ tx, caller, now, ids }, work))
    }
    const move = (movements: Movement[], place: { venue_id?: number; now?: string } = {}) =>
      command((context) => moveStock(context, movements), place)
    return { client, clock, db, brand_id, command, move }
  }
}
