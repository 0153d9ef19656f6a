import type { Queries, Value } from '../src/storage/database.ts'

// What products, customers, price lists and prices that are there have besides the specification. Their bodies stay as they are.

const BATCH = 500

type Row = Record<string, Value> & { brand_id: number; id: number | string }

/** Completes some rows that are not complete yet, and answers how many. */
export async function batch(tx: Queries): Promise<number> {
  for (const { table, missing, columns, completed } of TABLES) {
    const rows = await tx.rows<Row>(
      `select brand_id, id, ${columns} from ${table} where ${missing} is null order by brand_id, id limit ${BATCH}`,
      [],
    )
    for (const row of rows) {
      const set = completed(row)
      const names = Object.keys(set).map((name) => `${name} = ?`)
      const values = [...Object.values(set), row.brand_id, row.id]
      await tx.run(`update ${table} set ${names.join(', ')} where brand_id = ? and id = ?`, values)
    }
    if (rows.length > 0) return rows.length
  }
  return 0
}

interface Filled {
  readonly table: string
  /** The column that is null until a row is complete. */
  readonly missing: string
  readonly columns: string
  completed(row: Row): Record<string, Value>
}

const TABLES: readonly Filled[] = [
  {
    table: 'products',
    missing: 'details',
    columns: 'parent_id, barcode',
    completed: ({ parent_id, barcode }) => ({
      details: textOf({
        parent_id,
        barcode,
        hidden: false,
        sold_by_weight: false,
        discountable: true,
        giftable: true,
        ignore_service_charge: false,
        takes: [],
      }),
    }),
  },
  {
    table: 'customers',
    missing: 'details',
    columns: 'cid, code, description, gender, date_of_birth, created_at, body',
    completed({ cid, code, description, gender, date_of_birth, created_at, body }) {
      const { balance, cashback_balance } = JSON.parse(String(body)) as Record<string, { id?: number } | undefined>
      const details = textOf({
        cid,
        code,
        description,
        gender,
        date_of_birth,
        spent: 0,
        receipt_count: 0,
        total_discount: 0,
        balance_id: balance?.id,
        cashback_balance_id: cashback_balance?.id,
        updated_at: created_at,
      })
      return { updated_at: created_at ?? null, details }
    },
  },
  {
    table: 'price_lists',
    missing: 'summary',
    columns: 'name',
    completed: ({ id, name }) => ({ summary: JSON.stringify({ id, name }) }),
  },
  {
    table: 'prices',
    missing: 'price',
    columns: 'body',
    completed: ({ body }) => ({ price: Math.round(10_000 * (JSON.parse(String(body)) as { price: number }).price) }),
  },
]

/** JSON without members that have no value. */
const textOf = (members: Record<string, unknown>) =>
  JSON.stringify(members, (_, value) => (value === null ? undefined : value))

export const up = ''
