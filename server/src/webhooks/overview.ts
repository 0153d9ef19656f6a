import type { Queries } from '../storage/database.ts'
import { instantOf } from '../values/values.ts'

// W20: what an operator sees of all brands: the backlog, receivers that fail, and who holds which endpoint.

const SHOWN = 200

interface OverviewRow {
  slug: string
  id: string
  name: string
  state: string
  reason: string | null
  state_since: string
  failures: number
  due_at: number | null
  lease_holder: string | null
  lease_until: number
  behind: number
  next_at: string | null
  waiting: number
}

/** Endpoints of all brands, those that need somebody first. */
export async function webhooksOverview(db: Queries, now: number) {
  const rows = await db.rows<OverviewRow>(
    `select brands.slug, webhook_endpoints.id, webhook_endpoints.name, state, reason, state_since, failures, due_at,
       lease_holder, lease_until,
       coalesce(
         (select position from events where events.brand_id = feeds.brand_id order by position desc limit 1), feeds.tail
       ) - webhook_endpoints.position as behind,
       (select at from events where events.brand_id = feeds.brand_id and events.position = webhook_endpoints.position + 1) as next_at,
       (select count(*) from webhook_held
        where webhook_held.brand_id = feeds.brand_id and endpoint_id = webhook_endpoints.id and webhook_held.state = 'waiting'
       ) as waiting
     from webhook_endpoints
     join feeds on feeds.brand_id = webhook_endpoints.brand_id
     join brands on brands.id = webhook_endpoints.brand_id
     order by case state when 'failing' then 0 when 'disabled' then 1 else 2 end, behind desc, brands.slug, webhook_endpoints.id`,
    [],
  )
  const states: Record<string, number> = {}
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1
  const sending = rows.filter(({ state }) => state === 'active' || state === 'failing')
  const ages = sending.flatMap(({ next_at }) => (next_at === null ? [] : Date.parse(next_at)))
  return {
    states,
    backlog: {
      events: sending.reduce((sum, { behind }) => sum + Number(behind), 0),
      waiting: sending.reduce((sum, { waiting }) => sum + Number(waiting), 0),
      oldest_seconds: ages.length === 0 ? 0 : Math.max(0, Math.floor((now - Math.min(...ages)) / 1000)),
    },
    endpoints: rows.slice(0, SHOWN).map((row) => shown(row, now)),
  }
}

const shown = (row: OverviewRow, now: number) => ({
  brand: row.slug,
  id: row.id,
  name: row.name,
  state: row.state,
  reason: row.reason,
  state_since: row.state_since,
  failures: row.failures,
  next_probe_at: row.state === 'failing' && row.due_at !== null ? instantOf(row.due_at) : null,
  behind: {
    events: Number(row.behind),
    seconds: row.next_at === null ? 0 : Math.max(0, Math.floor((now - Date.parse(row.next_at)) / 1000)),
  },
  waiting: Number(row.waiting),
  lease: row.lease_holder === null ? null : { holder: row.lease_holder, until: instantOf(row.lease_until) },
})
