import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { services } from '../../test/service.ts'

onEachEngine('GET /whoami', (make) => {
  const service = services(make)

  test('returns what a token stands for, and counts in tier 3 like every call', async () => {
    const { brand, call, token, clock } = await service()
    const rows = [
      ...[1, 2, 3].map((id) => ({ kind: 'venue', id, name: `Venue ${id}`, is_main: id === 1 })),
      { kind: 'role', id: 1, name: 'Kitchen', permissions: ['products:read'] },
      { kind: 'user', id: 1, username: 'owner', role_id: 1, venue_ids: [1, 3] },
    ]
    const { credentials, integrator } = await brand('bistro', { quota: 10, rows })
    const headers = { 'x-token': await token(credentials) }
    await call('/receipts/1', { headers }) // a failure: 403
    const { status, body, headers: told } = await call('/whoami', { headers: { ...headers, 'x-venue': '3' } })
    assert.equal(status, 200)
    const { tiers } = body.data as { tiers: Record<string, { limit: number; remaining: number; reset: number }> }
    // Redis has its own clock, which goes on.
    for (const { reset } of Object.values(tiers)) assert.ok(reset > 30 && reset <= 60, String(reset))
    const remaining = Object.entries(tiers).map(([name, { limit, remaining }]) => [name, { limit, remaining }])
    assert.deepEqual(body, {
      success: true,
      data: {
        brand: { slug: 'bistro', name: 'bistro' },
        integrator: { id: integrator, name: integrator },
        mode: 'live',
        venue: { id: 3, name: 'Venue 3' },
        venues: [
          { id: 1, name: 'Venue 1' },
          { id: 3, name: 'Venue 3' },
        ],
        permissions: ['products:read'],
        expires_at: clock.ms / 1000 + 3600,
        tiers,
      },
    })
    assert.deepEqual(Object.fromEntries(remaining), {
      sign_ins: { limit: 60, remaining: 59 },
      failures: { limit: 600, remaining: 599 },
      calls: { limit: 10, remaining: 8 },
    })
    assert.equal(told['ratelimit-remaining'], '8')
    assert.equal((await call('/whoami')).status, 401)
    assert.equal((await call('/whoami', { headers: { ...headers, 'x-venue': '2' } })).status, 403)
  })
})
