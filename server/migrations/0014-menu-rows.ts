import type { Queries, Value } from '../src/storage/database.ts'
import { fold } from '../src/values/fold.ts'

// What venues, users and customer groups that are there need for their lists. Names are escaped and folded here, not in SQL.

const BATCH = 500

type Row = Record<string, Value> & { brand_id: number; id: number }

/** Completes some rows that are not complete yet, and answers how many. */
export async function batch(tx: Queries): Promise<number> {
  const venues = await fill(tx, 'venues', 'name, is_main, time_zone', ({ id, name, is_main, time_zone }) => ({
    name_folded: fold(String(name)),
    body: JSON.stringify({ id, name, is_main, time_zone }),
  }))
  if (venues > 0) return venues
  const users = await fill(tx, 'users', `${USER}, ${OWNER} as owner, ${SINCE} as since`, (user) => {
    const { id, username, owner, active, since } = user
    const wire = { id, username, owner, status: active === 1, created_at: since, updated_at: since }
    return { created_at: since!, updated_at: since!, body: JSON.stringify(wire) }
  })
  if (users > 0) return users
  return fill(tx, 'customer_groups', 'body', ({ body }) => {
    const { name = '', created_at = null, updated_at = null } = JSON.parse(String(body)) as Record<string, string>
    return { name, name_folded: fold(name), created_at, updated_at }
  })
}

const USER = 'username, active'
const OWNER = `(select case when instr(roles.permissions, '"*"') > 0 then 1 else 0 end from roles
  where roles.brand_id = users.brand_id and roles.id = users.role_id)`
// Nobody noted when a user was added: not before the brand.
const SINCE = '(select brands.created_at from brands where brands.id = users.brand_id)'

const MISSING: Readonly<Record<string, string>> = { venues: 'body', users: 'body', customer_groups: 'name' }

async function fill(
  tx: Queries,
  table: keyof typeof MISSING,
  columns: string,
  completed: (row: Row) => Record<string, Value>,
): Promise<number> {
  const rows = await tx.rows<Row>(
    `select brand_id, id, ${columns} from ${table} where ${MISSING[table]} is null order by brand_id, id limit ${BATCH}`,
    [],
  )
  for (const row of rows) {
    const set = completed(row)
    const names = Object.keys(set).map((name) => `${name} = ?`)
    const values = [...Object.values(set), row.brand_id, row.id]
    await tx.run(`update ${table} set ${names.join(', ')} where brand_id = ? and id = ?`, values)
  }
  return rows.length
}

const LISTED = ['venues', 'users', 'customer_groups', 'prices']

/** Then their totals, and where pages of 250 begin. */
export const up = LISTED.map(
  (table) => `
insert into counters (brand_id, name, value) select brand_id, '${table}', count(*) from ${table} where true group by brand_id
  on conflict (brand_id, name) do update set value = excluded.value;
insert into page_marks (brand_id, name, position, id) select brand_id, '${table}', position, id from
  (select brand_id, id, row_number() over (partition by brand_id order by id) as position from ${table}) as numbered
  where position % 250 = 0;
`,
).join('')
