import type { Queries, Value } from '../src/storage/database.ts'
import { toScaled } from '../src/values/values.ts'

// Stock operations that are there get the columns of 0023: they are history (P22). Their texts stay as they are.

const BATCH = 500

const IDS = [
  'stock_id',
  'receipt_product_id',
  'modificator_id',
  'operation_id',
  'operation_item_id',
  'parent_id',
  'unit_id',
]
const AMOUNTS = ['quantity', 'before_quantity', 'after_quantity', 'before', 'after', 'total_cost']

interface Row {
  brand_id: number
  id: number
  text: string
}

export async function batch(tx: Queries): Promise<number> {
  return (await completeMovements(tx)) || completeProducts(tx)
}

async function completeMovements(tx: Queries): Promise<number> {
  const rows = await tx.rows<Row>(
    `select brand_id, id, body as text from stock_operations where position is null order by brand_id, id limit ${BATCH}`,
    [],
  )
  for (const { brand_id, id, text } of rows) {
    const old = JSON.parse(text) as Record<string, number | undefined>
    const ids = IDS.map((name): Value => old[name] ?? null)
    const amounts = AMOUNTS.map((name): Value => (old[name] === undefined ? null : toScaled(old[name])!))
    const set = [...IDS, ...AMOUNTS].map((name) => `${name} = ?`).join(', ')
    await tx.run(`update stock_operations set position = 0, ${set} where brand_id = ? and id = ?`, [
      ...[...ids, ...amounts],
      ...[brand_id, id],
    ])
  }
  return rows.length
}

async function completeProducts(tx: Queries): Promise<number> {
  const rows = await tx.rows<Row>(
    `select brand_id, id, details as text from products
     where low_stock is null and details like '%"low_stock":%' order by brand_id, id limit ${BATCH}`,
    [],
  )
  for (const { brand_id, id, text } of rows) {
    const { low_stock = 0 } = JSON.parse(text) as { low_stock?: number }
    await tx.run('update products set low_stock = ? where brand_id = ? and id = ?', [
      toScaled(low_stock)!,
      brand_id,
      id,
    ])
  }
  return rows.length
}

export const up = `
drop index stock_operations_incomplete;
create index stock_operations_venue_operated_at on stock_operations (brand_id, venue_id, operated_at, id);
create index stock_operations_stock_id on stock_operations (brand_id, stock_id, operated_at, id) where stock_id is not null;
create index stock_operations_operation_id on stock_operations (brand_id, operation_id, id) where operation_id is not null;
create index stock_operations_parent_id on stock_operations (brand_id, parent_id, id) where parent_id is not null;
create unique index stock_operations_position on stock_operations (brand_id, stock_id, position) where position > 0;

insert into day_totals (brand_id, name, venue_id, day, value)
  select brand_id, 'stock_operations', venue_id, substr(operated_at, 1, 10), count(*) from stock_operations
  group by brand_id, venue_id, substr(operated_at, 1, 10);

-- Ids that are given out go on after those that are there, and new stocks get ids that no history names.
insert into counters (brand_id, name, value)
  select brand_id, 'stock_operation_id', max(case when stock_id > id then stock_id else id end) from stock_operations
  where true group by brand_id
  on conflict (brand_id, name) do update set value = case when excluded.value > counters.value then excluded.value else counters.value end;
`
