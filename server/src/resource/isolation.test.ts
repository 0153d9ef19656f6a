import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, type Client } from '../../test/api.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import type { Row } from '../../test/database/store.ts'
import { exampleRow } from '../../test/example-rows.ts'
import type { Answer } from '../../test/service.ts'
import { may } from '../auth/permissions.ts'
import { permissionsOf, RESOURCES } from '../resources/catalogue.ts'

// Every route × brand × role × id: no request shows anything of another brand or venue.

const BRANDS = 2
/** Permissions that a route here requires; the others guard nothing yet. */
const ASKED = new Set([...RESOURCES.map(({ permission }) => permission), 'customers:write'])
const ROLES: readonly (readonly string[])[] = [
  ['*'],
  [],
  ...permissionsOf(RESOURCES).flatMap((permission) => (ASKED.has(permission) ? [[permission]] : [])),
]

const served = (what: 'list' | 'get') =>
  RESOURCES.filter(({ api }) => api[what]).map((resource) => ({
    resource,
    path: `/${resource.path}`,
    permission: resource.permission,
  }))
const BY_ID = served('get')
const LISTS = served('list').flatMap(({ resource, path, permission }) => [
  { resource, path, permission },
  ...[...resource.list!.include].map((related) => ({ resource, path: `${path}?include=${related}`, permission })),
])
const OWN = 1 // in every brand, at its first venue
const uuid = (id: number) => `0d6ef8c6-6f0e-4f59-9d3b-${String(id).padStart(12, '0')}`
const AT = '2026-01-01T00:00:00.000Z'

const OTHER_READS = [
  { path: '/products/stop-list', permission: 'products:read' },
  { path: '/suppliers/total', permission: 'suppliers:read' },
  ...['types', 'report', 'total'].map((view) => ({ path: `/finance/taxes/${view}`, permission: 'finance-taxes:read' })),
  ...['list', 'customer', 'transactions', 'date-states'].map((view) => ({
    path: `/finance/balances/${view}`,
    permission: 'finance-balances:read',
  })),
  { path: `/finance/cash-shifts/${uuid(OWN)}/report`, permission: 'finance-cash-shifts:read' },
  ...['total', 'info', 'product', 'product-group'].map((view) => ({
    path: `/stock/${view}`,
    permission: 'stock:read',
  })),
  ...['operations/total', 'operations/statuses', 'operation-items/total', 'operations/1/items'].map((path) => ({
    path: `/${path}`,
    permission: 'operations:read',
  })),
  ...['total', 'products'].map((view) => ({ path: `/stock-operations/${view}`, permission: 'stock-operations:read' })),
]
const MALFORMED = ['0', '-1', '01', '1.5', 'x', '1;', '9007199254740992', '%00']

const ELSEWHERE = 2 // in every brand, at its second venue
const ABSENT = 999
const only = (brand: number) => 100 + brand // in that brand alone
const group = (brand: number) => 10 + brand
const marker = (brand: number) => `marker-${brand}-`

/** Rows of all kinds; those of a kind that is not named here follow its schema. */
const rowsOf = (brand: number): Row[] => {
  const named = namedRowsOf(brand)
  const others = RESOURCES.filter(({ api, kind }) => api.list && !named.some((row) => row.kind === kind))
  return [
    ...named,
    ...others.flatMap((resource) =>
      [OWN, only(brand), ...(resource.scope === 'venue' ? [ELSEWHERE] : [])].map((id) => ({
        ...exampleRow(resource, id, marker(brand)),
        ...(resource.scope === 'venue' && { venue_id: id === ELSEWHERE ? 2 : 1 }),
      })),
    ),
  ]
}

const namedRowsOf = (brand: number): Row[] => [
  { kind: 'venue', id: 2, name: `${marker(brand)}venue` },
  ...[OWN, only(brand), 500].map((id) => ({
    kind: 'balance',
    id,
    venue_id: 1,
    name: `${marker(brand)}balance`,
    type: 'CASH',
    position: 0, // 500: others come after it
  })),
  { kind: 'customer_group', id: group(brand), name: `${marker(brand)}group` },
  ...[OWN, only(brand)].map((id) => ({ kind: 'product', id, name: `${marker(brand)}product`, type: 'PRODUCT' })),
  ...[OWN, only(brand)].map((id) => ({ kind: 'customer', id: String(id), name: `${marker(brand)}customer` })),
  { kind: 'stop_list_entry', venue_id: 2, id: OWN, limit: 0 },
  { kind: 'price_list', id: 1, name: `${marker(brand)}list` },
  { kind: 'price', id: 1, list_id: 1, product_id: 1, price: brand },
  ...[OWN, ELSEWHERE, only(brand)].flatMap((id): Row[] => {
    const venue_id = id === ELSEWHERE ? 2 : 1
    return [
      { kind: 'receipt', id, venue_id, cid: `${marker(brand)}${id}` },
      { kind: 'stock_operation', id, venue_id, quantity: brand },
      { kind: 'terminal', id, venue_id, name: `${marker(brand)}terminal`, status: 1 },
      { kind: 'table', id, venue_id, name: `${marker(brand)}table`, status: 1 },
      {
        kind: 'storage',
        id,
        venue_id,
        name: `${marker(brand)}storage`,
        is_main: id === only(brand) ? 0 : 1,
        status: 1,
      },
      {
        kind: 'cash_shift',
        id: uuid(id),
        venue_id,
        terminal_id: id,
        number: id,
        status: 'CLOSED',
        receipts: 0,
        opening_amount: brand,
        expected_amount: brand,
        opened_at: AT,
        shift_date: '2026-01-01',
      },
      { kind: 'stock', id, venue_id, storage_id: id, product_id: OWN },
      {
        kind: 'operation',
        id,
        venue_id,
        type: 1,
        type_name: 'Supply',
        status: 2,
        number: id,
        storage_id: id,
        user_id: 1,
        items_count: 1,
        total_cost: 1,
        document_date: '2026-01-01T00:00:00Z',
        description: `${marker(brand)}document`,
      },
      { kind: 'operation_item', id, venue_id, operation_id: id, product_id: OWN, quantity: 1, cost: 1, total_cost: 1 },
    ]
  }),
  ...[OWN, only(brand)].flatMap((id, index): Row[] => {
    const named = (kind: string) => ({ kind, id, name: `${marker(brand)}${kind}` })
    return [
      { kind: 'user', id, username: `${marker(brand)}${id}`, role_id: 1 },
      { ...named('category'), type: 'PRODUCT', status: 1 },
      { ...named('station'), status: 1, type: 1, printable: 0 },
      { ...named('sale_type'), system_type: 'IN', channel: 'IN', status: {}, position: id },
      { ...named('tax'), rate: 10, included: true, sale_type_ids: [], is_default: 0, status: 1 },
      { ...named('payment_method'), payment_kind: 'CASH', status: {}, customer_required: 0, position: id },
      { ...named('supplier'), status: 1 },
      { ...named('finance_category'), type: 'INCOME', status: 1 },
      {
        kind: 'transaction',
        id,
        venue_id: 1,
        balance_id: OWN,
        category_id: id,
        step: index + 1,
        operated_at: AT,
        amount: 1,
        before_amount: index,
        after_amount: index + 1,
        description: `${marker(brand)}transaction`,
      },
    ].filter(({ kind, id }) => kind !== 'user' || id !== OWN) // the user who signs in
  }),
  ...[OWN, ELSEWHERE, only(brand)].flatMap((id): Row[] => {
    const venue_id = id === ELSEWHERE ? 2 : 1
    return [
      {
        kind: 'order',
        id,
        venue_id,
        status: 'PENDING',
        sale_type_id: OWN,
        products: [],
        cid: uuid(id),
        subtotal: 0,
        total: 0,
        price_differs: false,
        integrator: `${marker(brand)}integrator`,
      },
      { kind: 'waiter_call', id, venue_id, table_id: id, type: 'WAITER', created_at: AT },
    ]
  }),
]

/** Rows that a list shows at the first venue: its own, of both ids, unless there is only one. */
const TOTALS: Readonly<Record<string, number>> = {
  price_list: 1,
  price: 1,
  balance: 9, // and those of suppliers, and of payment methods in each venue
}

/** Blanks the headers in which two equal responses may differ: those that identify the request. */
const alike = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: { ...headers, 'x-request-id': '', 'ratelimit-remaining': '', 'ratelimit-reset': '', date: '' },
})

onEachEngine('isolation', (make) => {
  const { brand } = api(make)
  let probes = 0

  async function probe(client: Client, permissions: readonly string[], number: number): Promise<void> {
    const seen: string[] = []
    const get = async (path: string, headers?: Record<string, string>) => {
      const answer = await client.get(path, headers)
      seen.push(answer.text)
      return answer
    }
    const others = [...Array(BRANDS).keys()].filter((each) => each !== number)
    const refusedFor = (permission: string) => !may(new Set(permissions), permission)
    const hasOnePermission = permissions.length === 1 && permissions[0] !== '*'

    for (const { resource, path, permission } of BY_ID) {
      const ofVenue = resource.scope === 'venue'
      const at = (id: number) => `${path}/${resource.kind === 'cash_shift' ? uuid(id) : id}`
      // The id makes no difference to a refusal: the role without permissions tries them all.
      if (hasOnePermission && refusedFor(permission)) {
        const { status, body } = await get(at(OWN))
        assert.deepEqual([status, body.details], [403, { required: permission }], path)
        continue
      }
      const hidden = [ABSENT, ELSEWHERE, ...others.map(only)].map((id) => get(at(id)))
      const answers = await Promise.all([
        ...hidden,
        // Ours, but not at this venue.
        ...(ofVenue ? [OWN, only(number)] : []).map((id) => get(at(id), { 'x-venue': '2' })),
      ])
      for (const answer of answers) assert.deepEqual(alike(answer), alike(answers[0]!), path)
      assert.equal(answers[0]!.status, refusedFor(permission) ? 403 : 404)
      for (const id of resource.kind === 'customer' ? ['%00'] : MALFORMED)
        assert.equal((await get(`${path}/${id}`)).status, refusedFor(permission) ? 403 : 400, id)

      const there = ofVenue ? ELSEWHERE : only(number)
      for (const { status, body } of [await get(at(OWN)), await get(at(there), { 'x-venue': '2' })])
        if (refusedFor(permission)) assert.deepEqual([status, body.details], [403, { required: permission }])
        else assert.equal(status, 200)
    }

    for (const { resource, path, permission } of LISTS) {
      const { status, body } = await get(path)
      if (refusedFor(permission)) assert.deepEqual([status, body.details], [403, { required: permission }], path)
      else assert.equal((body.pagination as { total: number }).total, TOTALS[resource.kind] ?? 2, path)
    }

    for (const { path, permission } of OTHER_READS) {
      const { status, body } = await get(path)
      assert.equal(status, refusedFor(permission) ? 403 : 200, path)
      if (status === 403) assert.deepEqual(body.details, { required: permission }, path)
    }

    for (const group_id of [group(number), ...others.map(group), ABSENT]) {
      const { status, text } = await client.post('/customers', { name: 'Aysel', phone: '1', group_id })
      seen.push(text)
      if (refusedFor('customers:write')) assert.equal(status, 403)
      else assert.equal(status, group_id === group(number) ? 200 : 400) // the same phone in every brand
    }

    for (const text of seen) for (const other of others) assert.ok(!text.includes(marker(other)), text)
    if (permissions.includes('*')) assert.ok(seen.some((text) => text.includes(marker(number))))
    probes += seen.length
  }

  test('no role of any brand learns anything of another, or of a venue it is not in', async () => {
    for (const permissions of ROLES) {
      const brands: Client[] = []
      for (let number = 0; number < BRANDS; number++) brands.push(await brand({ permissions, rows: rowsOf(number) }))
      await Promise.all(brands.map((client, number) => probe(client, permissions, number)))
    }
    assert.ok(probes > 500, `${probes} probes`)
  })
})
