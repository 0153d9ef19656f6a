import { randomUUID } from 'node:crypto'
import { takeIds } from '../resources/counters.ts'
import type { Database } from '../storage/database.ts'

// P16: ids of sales come in blocks that are taken before the transaction, so that no sale waits for another one's id. They rise
// with gaps; what people need without gaps is the receipt's number. An import may bring an id that lies inside a block that a process
// holds. The primary key finds that out: the sale is refused, the block forgotten, and the next begins beyond, because an import raises
// the counter in its own transaction. So new rows are inserted, never put over others.

const BLOCKS = {
  receipt_id: 100,
  receipt_line_id: 500,
  stock_operation_id: 500,
  transaction_id: 200,
  operation_id: 20,
  operation_item_id: 200,
  balance_id: 1, // of a customer who has none yet
  order_id: 100,
  waiter_call_id: 20,
} as const
export type IdKind = keyof typeof BLOCKS

/** How many ids a command may need, by their names. */
export type IdCounts = Readonly<Partial<Record<IdKind, number>>>

/** The ids that one command may use. */
export interface SaleIds {
  take(name: IdKind): number
  /** Of what is known by a UUID. */
  uuid(): string
}

/** More is needed than was counted before the transaction: it is done again with more ids. */
export class IdsExhausted extends Error {
  readonly kind: IdKind
  constructor(kind: IdKind) {
    super(`no ${kind} is left`)
    this.kind = kind
  }
}

/** With one more of a kind that ran out: what is rarely needed is not counted before. */
export const withOneMore = (counts: IdCounts, kind: IdKind): IdCounts => ({
  ...counts,
  [kind]: (counts[kind] ?? 0) + 1,
})

export interface IdBlocks {
  /** Takes ids for one command. */
  reserve(brand_id: number, counts: IdCounts): Promise<SaleIds>
  /** After an import put rows at ids that were taken already: the next ids are taken from the counter again. */
  forget(brand_id: number): void
}

export function idBlocks(db: Database): IdBlocks {
  const held = new Map<string, number[]>()

  async function some(brand_id: number, name: IdKind, count: number): Promise<number[]> {
    const key = `${name}:${brand_id}`
    const there = held.get(key) ?? []
    if (there.length >= count) return there.splice(0, count)
    const step = Math.max(BLOCKS[name], count)
    const block = await takeIds(db, brand_id, name, step)
    const taken = block.splice(0, count)
    held.set(
      key,
      [...(held.get(key) ?? []), ...block].sort((one, other) => one - other),
    )
    return taken
  }

  return {
    async reserve(brand_id, counts) {
      const ids = new Map<string, number[]>()
      for (const [name, count] of Object.entries(counts) as [IdKind, number][])
        if (count > 0) ids.set(name, await some(brand_id, name, count))
      return {
        uuid: randomUUID,
        take(name) {
          const id = ids.get(name)?.shift()
          if (id === undefined) throw new IdsExhausted(name)
          return id
        },
      }
    },
    forget(brand_id) {
      for (const name of Object.keys(BLOCKS)) held.delete(`${name}:${brand_id}`)
    },
  }
}
