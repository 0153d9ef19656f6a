import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { offices } from '../office-fixture.ts'
import type { DataTables } from '../schema.ts'

const rows: Row[] = [
  ...[1, 2].map((id) => ({ kind: 'venue', id, name: `Venue ${id}`, is_main: id === 1 })),
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['receipts:read'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'waiter', name: 'Wanda', role_id: 2, venue_ids: [2] },
  ...[1, 2, 3].map((id) => ({ kind: 'product', id, name: `Dish ${id}`, type: 'DISH', status: 1, price: id })),
  { kind: 'price_list', id: 1, name: 'Terrace', status: true },
  { kind: 'price', id: 1, list_id: 1, product_id: 2, price: 9 },
  ...[1, 2, 3, 4].map((id) => ({ kind: 'customer', id: String(id), name: `Guest ${id}`, phone: `+3360000000${id}` })),
  ...[1, 2, 3].map((id) => ({
    kind: 'receipt',
    id,
    venue_id: id === 2 ? 2 : 1,
    total: id * 10,
    created_at: `2026-02-0${4 - id}T10:00:00.000Z`,
  })),
  ...[1, 2].map((id) => ({ kind: 'stock_operation', id, venue_id: 1, product_id: id, receipt_id: 1, quantity: 1 })),
]

onEachEngine('the data pages', (make) => {
  const office = offices(make)

  test('one person runs four searches at a time; others and other brands do not notice', async () => {
    const { deps, brand, staffBrowser } = await office()
    await brand('bistro', { rows })
    await brand('cantine', { rows })
    const person = await staffBrowser('bistro')
    const others = [await staffBrowser('bistro', 'waiter'), await staffBrowser('cantine')]
    const { rows: read } = deps.activity
    const { scan } = deps.db
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    deps.activity.rows = (...args) => held.then(() => read(...args))
    deps.db.scan = (...args) => held.then(() => scan(...args)) as never
    const paths = ['/data/receipts', '/data/receipts?sort[0][0]=id&sort[0][1]=asc', '/activity/calls']
    const answers: number[] = []
    const searches = Array.from({ length: 80 }, async (_, index) => {
      const answer = await person.ask('GET', paths[index % paths.length]!)
      answers.push(answer.status)
      return answer
    })
    const elsewhere = others.map((other) => other.ask('GET', '/data/receipts'))
    while (answers.length < 76) await new Promise(setImmediate)
    release()
    for (const { status, body, headers } of await Promise.all(searches))
      if (status !== 200) {
        assert.deepEqual([status, body.error, headers['retry-after']], [429, 'too_many_searches', '1'])
        assert.equal(body.message, 'At most 4 searches at a time: wait for one to finish.')
      }
    assert.equal(answers.filter((status) => status === 200).length, 4)
    for (const { status } of await Promise.all(elsewhere)) assert.equal(status, 200)
    deps.activity.rows = read
    deps.db.scan = scan
    for (const path of [...paths, '/data/receipts?page=0', '/data/price-lists?include=prices', '/audit', ...paths])
      assert.notEqual((await person.ask('GET', path)).status, 429, 'a search that ended, or failed, counts no more')
  })

  test('show what the API serves, byte for byte, in pages that sort and filter', async () => {
    const { brand, staffBrowser, call, token } = await office()
    const { credentials } = await brand('bistro', { rows })
    const headers = { 'x-token': await token(credentials) }
    const owner = await staffBrowser('bistro')
    for (const path of ['/products?sort[0][0]=price&sort[0][1]=desc&limit=2', '/price-lists?include=prices']) {
      const shown = await owner.ask('GET', `/data${path}`)
      assert.deepEqual([shown.status, JSON.stringify(shown.body)], [200, (await call(path, { headers })).text])
    }
    for (const resource of ['receipts', 'stock-operations']) {
      const { data } = (await owner.ask('GET', `/data/${resource}`)).body
      assert.ok(data.length > 0)
      for (const shown of data) {
        const served = await call(`/${resource}/${shown.id}`, {
          headers: { ...headers, 'x-venue': String(shown.venue_id) },
        })
        assert.deepEqual(shown, served.body.data)
      }
    }
    const created = await call('/customers', { method: 'POST', headers, body: { name: 'Ana', phone: '+33699999999' } })
    const search = encodeURIComponent('[["name","like","ana"]]')
    const { data, pagination } = (await owner.ask('GET', `/data/customers?filters=${search}`)).body
    assert.deepEqual(data, [created.body.data])
    assert.deepEqual(pagination, { page: 1, per_page: 50, total: 1, total_pages: 1 })
    const byPhone = encodeURIComponent('[["phone","+33600000003"]]')
    assert.equal((await owner.ask('GET', `/data/customers?filters=${byPhone}`)).body.data[0].name, 'Guest 3')
    assert.equal((await owner.ask('GET', '/data/customers?limit=2&page=2')).body.pagination.total, 5)

    const newest = (await owner.ask('GET', '/data/receipts?sort[0][0]=created_at&sort[0][1]=desc')).body.data
    assert.deepEqual(
      newest.map(({ id }: Row) => id),
      [1, 2, 3],
    )
    const unknown = await owner.ask('GET', '/data/receipts?filters=[["subtotal",10]]')
    assert.deepEqual([unknown.status, unknown.body.error], [400, 'invalid_parameter'])
    const like = await owner.ask('GET', '/data/customers?filters=[["phone","like","0003"]]')
    assert.deepEqual(
      like.body.data.map(({ name }: Row) => name),
      ['Guest 3'],
    )
  })

  test('a file has every row that the filters leave, of the venues that one may enter, and no formula', async () => {
    const { brand, staffBrowser } = await office()
    const guests = Array.from({ length: 450 }, (_, index) => ({
      kind: 'customer',
      id: String(index + 1),
      name: index % 2 === 0 ? `=Guest ${index}` : `Guest, ${index}`,
    }))
    await brand('bistro', { rows: [...rows.filter(({ kind }) => kind !== 'customer'), ...guests] })
    const [owner, waiter] = [await staffBrowser('bistro'), await staffBrowser('bistro', 'waiter')]
    const file = async (path: string, browser = owner) => {
      const { status, body, headers } = await browser.ask('GET', `/data/${path}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
      return (body as string).trimEnd().split('\r\n')
    }
    const search = encodeURIComponent('[["name","like","=Guest"]]')
    const [header, ...lines] = await file(
      `customers.csv?filters=${search}&page=3&limit=25&sort[0][0]=name&sort[0][1]=desc`,
    )
    assert.match(header!, /^"id","name","email"/)
    assert.equal(lines.length, 225)
    assert.ok(lines.every((line) => /^"\d+","'=Guest/.test(line)))
    assert.equal((await file('customers.csv')).length, 451)
    assert.equal((await file('receipts.csv')).length, 4)
    const theirs = await file('receipts.csv', waiter)
    assert.deepEqual([theirs.length, theirs[1]!.split(',')[0]], [2, '2'])
    assert.equal((await waiter.ask('GET', '/data/customers.csv')).status, 403)
    assert.equal((await owner.ask('GET', '/data/customers.csv?filters=[["what",1]]')).body.error, 'invalid_parameter')
    for (const { name, list, wire } of RESOURCES)
      if (list) {
        const columns = Object.keys(wire.properties).map((column) => `"${column}"`)
        assert.equal((await file(`${name.many}.csv`))[0], columns.join(','), name.many)
      }
  })

  test('every data page can be searched and sorted by what it offers, and shows members that rows have', async () => {
    const { brand, staffBrowser } = await office()
    await brand('bistro', { rows })
    const owner = await staffBrowser('bistro')
    const { tables } = (await owner.ask('GET', '/data')).body as DataTables
    assert.deepEqual(
      tables.map(({ resource }) => resource),
      RESOURCES.filter(({ list }) => list).map(({ name }) => name.many),
    )
    for (const { resource, columns, search, sort, include, newest_first } of tables) {
      const members = Object.keys(RESOURCES.find(({ name }) => name.many === resource)!.wire.properties)
      for (const { name } of columns) assert.ok(members.includes(name), `${resource} ${name}`)
      const value = { like: 'x', exact: 'x', number: 1 }
      const filters = search.map(({ name, kind }) => [[name, ...(kind === 'like' ? ['like'] : []), value[kind]]])
      for (const query of [
        ...filters.map((filter) => ({ filters: JSON.stringify(filter) })),
        ...[...sort, newest_first ?? 'id'].map((name) => ({ 'sort[0][0]': name, 'sort[0][1]': 'desc' })),
        ...(include.length > 0 ? [{ include: include.join(), limit: '1' }] : []),
      ]) {
        const { status, body } = await owner.ask('GET', `/data/${resource}?${new URLSearchParams(query)}`)
        assert.equal(status, 200, `${resource} ${JSON.stringify(query)}: ${JSON.stringify(body)}`)
      }
    }
    const waiter = await staffBrowser('bistro', 'waiter')
    const theirs = ((await waiter.ask('GET', '/data')).body as DataTables).tables.map(({ resource }) => resource)
    assert.deepEqual(
      [theirs, (await waiter.ask('GET', '/me')).body.reads],
      [
        ['reasons', 'receipts'],
        ['reasons', 'receipts'],
      ],
    )
  })

  test('the change feed is for staff with events:read, of what else they may read', async () => {
    const { brand, staffBrowser } = await office()
    const follower = ['events:read', 'products:read']
    await brand('bistro', {
      rows: [
        ...rows,
        { kind: 'role', id: 3, name: 'Follower', permissions: follower },
        { kind: 'user', id: 3, username: 'follower', role_id: 3 },
      ],
    })
    const waiter = await staffBrowser('bistro', 'waiter')
    assert.equal((await waiter.ask('GET', '/events?after=oldest')).status, 403)
    const person = await staffBrowser('bistro', 'follower')
    const { body } = await person.ask('GET', '/events?after=oldest&limit=1000')
    const things = new Set(body.data.map(({ type }: Row) => String(type).split('.')[0]))
    assert.ok(things.has('product') && !things.has('customer'), [...things].join())
    const last = await person.ask('GET', `/events?after=${body.next}`)
    assert.deepEqual([last.body.data, last.body.more], [[], false])
    // Newest first, in pages, down to the requested start.
    const back: Row[] = []
    for (let before = ''; ; ) {
      const query = `since=2020-01-01T00:00:00Z&limit=2${before}`
      const page = await person.ask('GET', `/events/newest?${query}`)
      assert.deepEqual([page.status, page.body.next], [200, body.next], JSON.stringify(page.body))
      back.push(...page.body.data)
      if (page.body.previous === null) break
      before = `&before=${page.body.previous}`
    }
    assert.deepEqual(back.toReversed(), body.data)
    const filtered = await person.ask('GET', '/events/newest?since=2020-01-01T00:00:00Z&types=product.created&limit=1')
    const newest = body.data.findLast(({ type }: Row) => type === 'product.created')
    assert.deepEqual(filtered.body.data, [newest])
    assert.deepEqual((await person.ask('GET', '/events/newest?since=2090-01-01T00:00:00Z')).body.data, [])
    for (const query of [
      '',
      'since=today',
      'since=2020-01-01T00:00:00Z&before=evt_1',
      'since=2020-01-01T00:00:00Z&x=1',
    ])
      assert.equal((await person.ask('GET', `/events/newest?${query}`)).status, 400, query)
    assert.equal((await waiter.ask('GET', '/events/newest?since=2020-01-01T00:00:00Z')).status, 403)
    const types = (await (await staffBrowser('bistro')).ask('GET', '/events/types')).body.data
    assert.ok(types.every(({ allowed }: Row) => allowed))
  })

  test('need the staff user’s own permission, keep to their venues and their brand, and change nothing', async () => {
    const { brand, staffBrowser, operatorBrowser } = await office()
    await brand('bistro', { rows })
    await brand('trattoria', { rows: [...rows, { kind: 'product', id: 9, name: 'Theirs', type: 'DISH' }] })
    const waiter = await staffBrowser('bistro', 'waiter')
    for (const resource of ['products', 'price-lists', 'customers', 'stock-operations']) {
      const { status, body } = await waiter.ask('GET', `/data/${resource}`)
      assert.deepEqual([status, body.error], [403, 'forbidden'], resource)
    }
    const { data, pagination } = (await waiter.ask('GET', '/data/receipts')).body
    assert.deepEqual([data.map(({ id }: Row) => id), pagination.total], [[2], 1])

    const owner = await staffBrowser('bistro')
    assert.equal((await owner.ask('GET', '/data/products')).body.data.length, 3)
    assert.equal((await owner.ask('POST', '/data/customers', { name: 'Ana' })).status, 405)
    const operator = await operatorBrowser('ada')
    assert.equal((await operator.ask('GET', '/data/products')).status, 403)
  })
})
