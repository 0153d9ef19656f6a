import type { Queries, Value } from '../src/storage/database.ts'
import { businessDay } from '../src/values/business-day.ts'
import { fromScaled, toScaled } from '../src/values/values.ts'

// Receipts that are there get the columns and the details of 0015. Their texts stay as they are.

const BATCH = 500

interface Row {
  brand_id: number
  id: number
  body: string
  time_zone: string
  settings: string
}

interface Old {
  cid?: string
  terminal_id?: number
  source?: string
  sale_type_id?: number
  status?: number
  total?: number
  payment_methods?: { amount?: number }[]
  fiscal_id?: string
  order_status?: string
  order_number?: string
  created_at: string
  updated_at: string
  closed_at?: string
  deleted_at?: string
}

export async function batch(tx: Queries): Promise<number> {
  const rows = await tx.rows<Row>(
    `select receipts.brand_id, receipts.id, receipts.body, venues.time_zone, venues.settings from receipts
       join venues on venues.brand_id = receipts.brand_id and venues.id = receipts.venue_id
     where receipts.updated_at is null order by receipts.brand_id, receipts.id limit ${BATCH}`,
    [],
  )
  for (const row of rows) {
    const set = completed(row)
    const names = Object.keys(set).map((name) => `${name} = ?`)
    const values = [...Object.values(set), row.brand_id, row.id]
    await tx.run(`update receipts set ${names.join(', ')} where brand_id = ? and id = ?`, values)
  }
  return rows.length
}

function completed({ body, time_zone, settings }: Row): Record<string, Value> {
  const old = JSON.parse(body) as Old
  const { day_starts_at } = JSON.parse(settings) as { day_starts_at: string }
  const { total = 0, payment_methods = [] } = old
  const paid = payment_methods.reduce((sum, { amount = 0 }) => sum + toScaled(amount)!, 0)
  const shift_date = businessDay(old.closed_at ?? old.created_at, { time_zone, day_starts_at })
  const remaining = Math.max(0, fromScaled(toScaled(total)! - paid))
  return {
    cid: old.cid ?? null,
    cid_key: old.cid?.toLowerCase() ?? null,
    terminal_id: old.terminal_id ?? null,
    source: old.source ?? null,
    sale_type_id: old.sale_type_id ?? null,
    status: old.status ?? null,
    total: old.total === undefined ? null : toScaled(old.total)!,
    fiscal_id: old.fiscal_id ?? null,
    order_status: old.order_status ?? null,
    order_number: old.order_number ?? null,
    shift_date,
    updated_at: old.updated_at,
    closed_at: old.closed_at ?? null,
    deleted_at: old.deleted_at ?? null,
    details: JSON.stringify({ paid: fromScaled(paid), remaining, shift_date, version: 1 }),
  }
}

export const up = `
drop index receipts_incomplete;
create index receipts_venue_created_at on receipts (brand_id, venue_id, created_at, id);
create index receipts_venue_updated_at on receipts (brand_id, venue_id, updated_at, id);
create index receipts_shift_date on receipts (brand_id, venue_id, shift_date, id);
create index receipts_customer_id on receipts (brand_id, customer_id, id) where customer_id is not null;
create index receipts_open on receipts (brand_id, venue_id, id) where status = 1;
create index receipts_cid on receipts (brand_id, cid_key, id);
-- S2: a cid of a receipt that was made here is its own; equal ones of imported history stay (P22).
create unique index receipts_cid_key on receipts (brand_id, cid_key) where rule > 0;

-- Ids that are given out go on after those that are there.
insert into counters (brand_id, name, value) select brand_id, 'receipt_id', max(id) from receipts where true group by brand_id
  on conflict (brand_id, name) do update set value = excluded.value;
`
