import type { Bill, Line, Receipt } from '../receipt.ts'

// T9 at the till, without a screen: which requests part a receipt, and which totals they leave.

/** How much of each line goes, by its id. */
export type Picked = ReadonlyMap<number, number>

export const pickedOf = (picked: Picked) => [...picked].filter(([, count]) => count > 0)

export const seatsIn = (lines: readonly Pick<Line, 'seat'>[]): number[] =>
  [...new Set(lines.flatMap(({ seat }) => seat ?? []))].sort((one, other) => one - other)

interface Request {
  readonly path: string
  readonly body: object
}

export interface PartsPlan {
  readonly does: 'split' | 'move' | 'merge'
  readonly act: Request
  /** What is asked with dry_run first. */
  readonly asks: readonly Request[]
  /** What the receipts then cost, of those answers; `here` is absent where this one ends. */
  readonly totals: (answers: readonly (Receipt | Receipt[])[]) => { here: number | undefined; there: number }
}

/** Undefined where nothing is picked, or all of it would go to a new receipt. */
export function partsPlan(
  { lines }: Pick<Bill, 'lines'>,
  picked: Picked,
  { cid, target }: { cid: string; target: number },
): PartsPlan | undefined {
  const chosen = pickedOf(picked)
  if (chosen.length === 0) return undefined
  const counts = new Map(lines.map(({ id, count }) => [id, count]))
  const parts = chosen.map(([id, count]) => (counts.get(id) === count ? { id } : { id, count }))
  const isAll = lines.every((line) => line.id === 0 || line.state === 'VOID' || picked.get(line.id) === line.count)
  const split: Request = { path: '/split', body: { parts: [{ cid, lines: parts }] } }
  const first = (answer: Receipt | Receipt[] | undefined, index: number) =>
    Array.isArray(answer) ? answer[index] : answer
  if (target === 0)
    return isAll
      ? undefined
      : {
          does: 'split',
          act: split,
          asks: [split],
          totals: ([answer]) => ({ here: first(answer, 0)?.total, there: first(answer, 1)?.total ?? 0 }),
        }
  const act: Request = isAll
    ? { path: '/merge', body: { receipt_id: target } }
    : { path: '/move', body: { lines: parts, receipt_id: target } }
  return {
    does: isAll ? 'merge' : 'move',
    act,
    asks: isAll ? [act] : [act, split], // what stays here costs the same, wherever the rest goes
    totals: ([there, here]) => ({ here: first(here, 0)?.total, there: first(there, 0)?.total ?? 0 }),
  }
}
