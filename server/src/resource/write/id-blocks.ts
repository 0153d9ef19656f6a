import { randomUUID } from 'node:crypto'
import { type Database, UniqueViolation } from '../../storage/database.ts'
import { takeIds } from './counters.ts'

// P16: ids of sales and customers come in blocks that are taken before the transaction, so that nobody waits for another one's id. They
// rise with gaps; what people need without gaps is the receipt's number. An import may bring an id that lies inside a block that a
// process holds. A unique index finds that out: the row is refused, the block forgotten, and the next begins beyond, because an import
// raises the counter in its own transaction. So new rows are inserted, never put over others.

const BLOCKS = {
  receipt_id: 100,
  receipt_line_id: 500,
  stock_operation_id: 500,
  transaction_id: 200,
  operation_id: 20,
  operation_item_id: 200,
  balance_id: 200, // two for each customer
  customer_id: 100,
  order_id: 100,
  waiter_call_id: 20,
} as const
export type IdKind = keyof typeof BLOCKS

/** How many ids a write may need, by their names. */
export type IdCounts = Readonly<Partial<Record<IdKind, number>>>

/** The ids that one write may use. */
export interface ReservedIds {
  take(name: IdKind): number
  /** Id for a row that is identified by a UUID. */
  uuid(): string
}

/** A write needs more ids than were counted before the transaction: it is repeated with more. */
export class IdsExhausted extends Error {
  readonly kind: IdKind
  constructor(kind: IdKind) {
    super(`no ${kind} is left`)
    this.kind = kind
  }
}

/** Adds one id of the kind that ran out: ids that are rarely needed are not counted in advance. */
const withOneMore = (counts: IdCounts, kind: IdKind): IdCounts => ({
  ...counts,
  [kind]: (counts[kind] ?? 0) + 1,
})

export interface IdBlocks {
  /** Takes ids for one write. */
  reserve(brand_id: number, counts: IdCounts): Promise<ReservedIds>
  /** Drops the blocks after an import wrote rows at reserved ids: the next ids come from the counter again. */
  forget(brand_id: number): void
  /**
   * Runs `attempt` with reserved ids, three times at most. It is repeated with new ids after a UniqueViolation, since an import may have
   * taken one; with one more id after IdsExhausted, also when a deadlock repeated the transaction; and where `isWorthAnother` says so.
   */
  write<Result>(
    brand_id: number,
    counts: () => IdCounts | Promise<IdCounts>,
    attempt: (ids: ReservedIds) => Promise<Result>,
    isWorthAnother?: (error: unknown) => boolean,
  ): Promise<Result>
}

const ATTEMPTS = 3

export function idBlocks(db: Database): IdBlocks {
  const held = new Map<string, number[]>()
  const underWay = new Map<string, Promise<void>>() // concurrent writes share one block

  async function take(brand_id: number, name: IdKind, key: string, count: number): Promise<void> {
    // No request deadline: other requests wait for this block too. The database has its own deadline.
    const deadline = { expiresAt: Number.POSITIVE_INFINITY }
    const block = db.withDeadline(deadline, () => takeIds(db, brand_id, name, Math.max(BLOCKS[name], count)))
    const added = block.then((ids) => void held.set(key, [...(held.get(key) ?? []), ...ids]))
    underWay.set(key, added)
    await added.finally(() => underWay.delete(key))
  }

  async function takeSome(brand_id: number, name: IdKind, count: number): Promise<number[]> {
    const key = `${name}:${brand_id}`
    for (;;) {
      const there = held.get(key) ?? []
      if (there.length >= count) return there.splice(0, count)
      await (underWay.get(key) ?? take(brand_id, name, key, count))
    }
  }

  async function reserve(brand_id: number, counts: IdCounts): Promise<ReservedIds> {
    const ids = new Map<string, number[]>()
    for (const [name, count] of Object.entries(counts) as [IdKind, number][])
      if (count > 0) ids.set(name, await takeSome(brand_id, name, count))
    return {
      uuid: randomUUID,
      take(name) {
        const id = ids.get(name)?.shift()
        if (id === undefined) throw new IdsExhausted(name)
        return id
      },
    }
  }

  function forget(brand_id: number): void {
    for (const name of Object.keys(BLOCKS)) held.delete(`${name}:${brand_id}`)
  }

  return {
    reserve,
    forget,
    async write(brand_id, counts, attempt, isWorthAnother = () => false) {
      const lacking: IdKind[] = []
      for (let left = ATTEMPTS; ; left--)
        try {
          return await attempt(await reserve(brand_id, lacking.reduce(withOneMore, await counts())))
        } catch (error) {
          if (left === 1) throw error
          if (error instanceof UniqueViolation) forget(brand_id)
          else if (error instanceof IdsExhausted) lacking.push(error.kind)
          else if (!isWorthAnother(error)) throw error
        }
    },
  }
}
