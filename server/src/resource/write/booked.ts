import type { Queries, Value } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { RowProblem } from '../files/read-row.ts'

// P22: an import does not change what the service booked, nor adds to it. What came whole, with an export of ours, counts as booked.

type Id = number | string
type Members = Readonly<Record<string, unknown>>

const ALWAYS = '1 = 1'

/** SQL, true of the rows of a table that are booked. */
const BOOKED: Readonly<Record<string, string>> = {
  receipts: 'rule > 0',
  orders: `status <> 'PENDING'`,
  portion_moves: ALWAYS,
  operations: 'booked = 1',
  stock_operations: 'position > 0',
  cash_shifts: ALWAYS,
  transactions: ALWAYS,
}

const OWNERS = { receipt_id: 'receipts', operation_id: 'operations', cash_shift_id: 'cash_shifts' } as const
type Owner = keyof typeof OWNERS

/** The members by which a row belongs to a booked one. History has documents of another system. */
const PART_OF: Readonly<Record<string, (row: Members) => readonly Owner[]>> = {
  operation_items: () => ['operation_id'],
  stock_operations: ({ position }) => (position ? ['receipt_id', 'operation_id'] : ['receipt_id']),
  transactions: () => ['receipt_id', 'operation_id', 'cash_shift_id'],
}

const IS_BOOKED = 'is_booked'

/** Read beside a table's columns: whether a row is booked. */
export const bookedColumn = (table: string) =>
  table in BOOKED ? `, case when ${BOOKED[table]} then 1 else 0 end as ${IS_BOOKED}` : ''

/** A row that an import would add or change. */
export interface ImportedRow {
  /** The row as a caller gave it. */
  readonly row: Members & { readonly id: Id }
  /** Absent: it is new. */
  readonly stored: Readonly<Record<string, Value>> | undefined
  readonly changed: readonly string[]
}

/** Refuses rows before they are written. */
export type RefuseBooked = (table: string, rows: readonly ImportedRow[]) => Promise<void>

/** The check of one import, which may add to what it brought itself. */
export function bookedRows(tx: Queries, brand_id: number): RefuseBooked {
  /** The new ids of each table that had booked rows when the import came to it. */
  const brought = new Map<string, Set<Id> | undefined>()

  async function broughtTo(table: string): Promise<Set<Id> | undefined> {
    if (!brought.has(table)) {
      const [any] = await tx.rows(`select id from ${table} where brand_id = ? and ${BOOKED[table]} limit 1`, [brand_id])
      brought.set(table, any ? new Set() : undefined)
    }
    return brought.get(table)
  }

  async function bookedBefore(table: string, ids: readonly Id[]): Promise<ReadonlySet<Id>> {
    const own = await broughtTo(table)
    const others = own ? [...new Set(ids)].filter((id) => !own.has(id)) : []
    if (others.length === 0) return new Set()
    const rows = await tx.rows<{ id: Id }>(
      `select id from ${table} where brand_id = ? and ${BOOKED[table]} and id in ${places(others)}`,
      [brand_id, ...others],
    )
    return new Set(rows.map(({ id }) => id))
  }

  return async (table, rows) => {
    for (const { row, stored, changed } of rows) if (stored?.[IS_BOOKED]) throw changesBooked(row, changed)
    const parts = rows.flatMap(({ row, stored }) =>
      [row, ...(stored ? [stored] : [])].flatMap((one) =>
        (PART_OF[table]?.(one) ?? []).flatMap((member) => {
          const id = one[member] as Id | null | undefined
          return id === undefined || id === null ? [] : [{ member, id, row }]
        }),
      ),
    )
    for (const [member, own] of Map.groupBy(parts, (part) => part.member)) {
      const booked = await bookedBefore(
        OWNERS[member],
        own.map(({ id }) => id),
      )
      const wrong = own.find(({ id }) => booked.has(id))
      if (wrong) throw new RowProblem(`${member} ${wrong.id} is booked here, and this would add to it`, wrong.row)
    }
    if (!Object.values<string>(OWNERS).includes(table)) return
    const own = await broughtTo(table)
    for (const { row, stored } of rows) if (!stored) own?.add(row.id)
  }
}

export const changesBooked = (row: { readonly id: Id }, changed: readonly string[]) =>
  new RowProblem(`id ${row.id} is booked here, and this would change its ${changed.join(', ')}`, row)
