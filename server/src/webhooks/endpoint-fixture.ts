import { randomBytes } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { insertRow } from '../storage/rows.ts'
import type { EndpointRow } from './endpoints.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** Puts an active endpoint at the beginning of a feed, without a challenge. */
export async function putEndpoint(
  db: Database,
  given: Pick<EndpointRow, 'brand_id' | 'client_id'> & Partial<EndpointRow>,
): Promise<EndpointRow> {
  const row: EndpointRow = {
    id: `we_${randomBytes(16).toString('base64url')}`,
    integrator_id: 'hub',
    url: 'https://example.com/',
    name: 'Hub',
    types: '["*"]',
    venues: null,
    payload: 'thin',
    skip_own: 0,
    secrets: '[]',
    state: 'active',
    reason: null,
    state_since: AT,
    verified: 1,
    position: 0,
    nonce: 0,
    failures: 0,
    probes: 0,
    notices: 0,
    due_at: null,
    not_before: 0,
    last_success_at: null,
    last_failure: null,
    version: 1,
    term: 0,
    lease_holder: null,
    lease_until: 0,
    created_at: AT,
    updated_at: AT,
    ...given,
  }
  await db.transaction((tx) => insertRow(tx, 'webhook_endpoints', row))
  return row
}
