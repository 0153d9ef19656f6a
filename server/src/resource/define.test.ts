import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Type from 'typebox'
import { api, type Client } from '../../test/api.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import { overTheWire } from '../../test/over-the-wire.ts'
import { buildApp } from '../app.ts'
import { inviteUser } from '../back-office/people/accounts.ts'
import { exported } from '../cli/export.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import { defineResource } from './define.ts'
import { importer } from './files/import.ts'
import { DateTime, Decimal, Id, Maybe, Name } from './values.ts'

const TABLE = `create table gadgets (brand_id bigint not null, id bigint not null, name text not null,
  name_folded text not null, weight bigint, in_use bigint, created_at text not null, body text not null, primary key (brand_id, id))`

const Gadget = Type.Object(
  { id: Id(), name: Name(), weight: Maybe(Decimal()), in_use: Maybe(Type.Boolean()), created_at: Maybe(DateTime()) },
  { $id: 'Gadget' },
)

const gadgets = defineResource({
  name: { one: 'gadget', many: 'gadgets' },
  tag: 'Gadgets',
  about: 'Things in the drawer.',
  wire: Gadget,
  scope: 'brand',
  columns: { id: 'integer', name: 'text', weight: 'decimal', in_use: 'boolean', created_at: 'instant' },
  stamped: ['created_at'],
  list: { sortable: ['id', 'name', 'weight'], date: 'created_at' },
  api: {
    list: {},
    get: {},
    actions: ['write'],
    routes: (app, { command }) =>
      command(app, {
        method: 'POST',
        url: '/gadgets',
        permission: 'gadgets:write',
        events: ['gadget.created', 'gadget.updated'],
        query: Type.Object({ drawer: Maybe(Type.Integer()) }),
        body: Type.Object({ id: Id(), name: Name() }),
        described: {
          operationId: 'createGadget',
          summary: 'Create a gadget',
          description: 'A new one.',
          tag: 'Gadgets',
          answers: Gadget,
          refusals: [400],
        },
        message: 'Gadget created.',
        isTimed: true,
        run: async (context, { body }) => (await gadgets.write(context, [body]))[0]!,
      }),
  },
})

test('the order of resources is one in which each points only at those before it, or at its own', () => {
  for (const [index, resource] of RESOURCES.entries())
    for (const { table } of resource.references({ id: 1 }))
      assert.ok(
        RESOURCES.slice(0, index + 1).some((before) => before.table === table),
        `${resource.kind} → ${table}`,
      )
})

test('a misspelt column does not compile', () => {
  const { name, tag, about } = gadgets
  // @ts-expect-error: wieght is no member
  defineResource({ name, tag, about, wire: Gadget, scope: 'brand', columns: { id: 'integer', wieght: 'decimal' } })
})

onEachEngine('one more resource', (make) => {
  const { brand, running } = api(make)
  let served: Promise<ReturnType<typeof buildApp>> | undefined
  after(async () => (await served)?.close())

  const service = () => {
    served ??= running().then(async ({ deps }) => {
      await deps.db.transaction((tx) => tx.run(TABLE, []))
      return buildApp(deps, { resources: [...RESOURCES, gadgets] })
    })
    return served
  }

  async function call({ token }: Client, path: string, more: { headers?: object; payload?: unknown } = {}) {
    const { headers = {}, payload } = more
    const { statusCode, body } = await overTheWire(await service(), {
      method: payload === undefined ? 'GET' : 'POST',
      url: `/v2${path}`,
      headers: { 'x-token': token, ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload: JSON.stringify(payload) }),
    })
    return { status: statusCode, text: body, body: JSON.parse(body) }
  }

  async function withGadgets(...rows: object[]): Promise<Client> {
    await service()
    const client = await brand()
    const { deps } = await running()
    await deps.db.transaction(async (tx) => {
      const into = importer(
        { tx, brand_id: client.id, actor: 'test', now: '2026-01-01T00:00:00.000Z' },
        {
          resources: [gadgets],
          venuePointers: [],
        },
      )
      for (const [index, row] of rows.entries()) await into.add({ kind: 'gadget', ...row }, index)
      await into.finish()
    })
    return client
  }

  const whisk = { id: 3, name: 'Whisk', weight: 0.25 }
  const ladle = { id: 7, name: 'Ladle', in_use: true }
  const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)

  test('is served, as a list and by its id, and only to its own brand', async () => {
    const mine = await withGadgets(whisk, ladle)
    const other = await withGadgets({ id: 8, name: 'Sieve' })
    const { body } = await call(mine, '/gadgets')
    assert.deepEqual(body.data, [
      { ...whisk, created_at: '2026-01-01T00:00:00.000Z' },
      { ...ladle, created_at: '2026-01-01T00:00:00.000Z' },
    ])
    assert.equal(body.pagination.total, 2)
    assert.deepEqual((await call(mine, '/gadgets/7')).body, { success: true, data: body.data[1] })
    assert.deepEqual(idsOf((await call(other, '/gadgets')).body), [8])
    for (const id of [7, 99]) assert.equal((await call(other, `/gadgets/${id}`)).status, 404)
    assert.equal((await call(mine, '/gadgets/x')).status, 400)
  })

  test('is filtered, sorted and narrowed by the list language', async () => {
    const client = await withGadgets(whisk, ladle)
    for (const [query, ids] of [
      ['filters=[["name","like","WHI"]]', [3]],
      ['filters=[["weight",0.25]]', [3]],
      ['filters=[["in_use",true]]', [7]],
      ['sort[0][0]=name', [7, 3]],
      ['sort[0][0]=weight&sort[0][1]=desc', [3, 7]],
      ['date[0]=2026-02-01', []],
    ] as const)
      assert.deepEqual(idsOf((await call(client, `/gadgets?${encodeURI(query)}`)).body), ids, query)
    assert.deepEqual((await call(client, '/gadgets?fields=weight&limit=1')).body.data, [{ id: 3, weight: 0.25 }])
    assert.equal((await call(client, '/gadgets?limit=201')).status, 400)
  })

  test('is documented', async () => {
    const answer = await overTheWire(await service(), { method: 'GET', url: '/openapi.json' })
    const { paths, components } = JSON.parse(answer.body)
    const { operationId, summary, description, tags, parameters } = paths['/gadgets'].get
    assert.deepEqual([operationId, summary, tags], ['listGadgets', 'List gadgets', ['Gadgets']])
    assert.equal(description, 'Things in the drawer. Needs the permission `gadgets:read`.')
    assert.match(JSON.stringify(parameters), /Fields: id, name, weight, in_use, created_at/)
    assert.equal(paths['/gadgets/{id}'].get.operationId, 'getGadget')
    assert.deepEqual(Object.keys(components.schemas.Gadget.properties), Object.keys(Gadget.properties))
  })

  test('is exported as the import reads it', async () => {
    const client = await withGadgets(ladle, whisk)
    const { db } = (await running()).deps
    const lines = (await Array.fromAsync(exported(db, client.id, [...RESOURCES, gadgets]))).join('').trim().split('\n')
    const written = lines.map((text) => JSON.parse(text)).filter(({ kind }) => kind === 'gadget')
    assert.deepEqual(
      written.map(({ kind: _, ...line }) => gadgets.read(line).id),
      [3, 7],
    )
  })

  test('is exported from its first row on, also where ids are texts', async () => {
    const { db } = (await running()).deps
    await db.transaction((tx) =>
      tx.run(
        'create table labels (brand_id bigint not null, id text not null, body text not null, primary key (brand_id, id))',
        [],
      ),
    )
    const labels = defineResource({
      name: { one: 'label', many: 'labels' },
      tag: 'Gadgets',
      about: 'What is written on things.',
      wire: Type.Object({ id: Type.String() }),
      scope: 'brand',
      columns: { id: 'key' },
    })
    const brand_id = (await brand()).id
    const context = { brand_id, actor: 'test', now: '2026-01-01T00:00:00.000Z' }
    await db.transaction((tx) => labels.write({ ...context, tx, counted: [] }, [{ id: '#1' }, { id: 'a' }]))
    assert.deepEqual((await labels.readExportPage(db, brand_id, undefined)).objects, ['{"id":"#1"}', '{"id":"a"}'])
  })

  test('is refused to a role without its permission, and is one that a role can have', async () => {
    await service()
    const nobody = await brand({ permissions: ['products:read'] })
    for (const path of ['/gadgets', '/gadgets/1']) {
      const { status, body } = await call(nobody, path)
      assert.deepEqual([status, body.details], [403, { required: 'gadgets:read' }], path)
    }
    const { permissions } = (await call(await brand(), '/whoami')).body.data
    assert.ok(permissions.includes('gadgets:read') && permissions.includes('gadgets:write'))
  })

  test('is on the data pages, behind the back office’s guard', async () => {
    const read = async (resource: string) =>
      (await overTheWire(await service(), { method: 'GET', url: `/back-office/api/data/${resource}` })).statusCode
    assert.deepEqual([await read('gadgets'), await read('widgets')], [401, 404])
  })

  test('is on the data pages of staff who may read it', async () => {
    const client = await withGadgets(whisk)
    const { db, now } = (await running()).deps
    const token = await inviteUser(db, 'test', client.credentials.brand!, 'owner', now())
    const headers = { host: 'pos.example.com', 'sec-fetch-site': 'same-origin', 'x-comptoir': '1' }
    const app = await service()
    const accept = () =>
      app.inject({
        method: 'POST',
        url: '/back-office/api/invitation/acceptance',
        headers,
        payload: { token, password: 'a long and quiet afternoon' },
      })
    let accepted = await accept()
    while (accepted.statusCode === 503) accepted = await accept() // a busy machine hashes slowly
    const cookie = [accepted.headers['set-cookie'] ?? []]
      .flat()
      .map((set) => set.split(';')[0])
      .join('; ')
    const page = await app.inject({ url: '/back-office/api/data/gadgets', headers: { ...headers, cookie } })
    assert.deepEqual([page.statusCode, idsOf(page.json())], [200, [3]], page.body)
  })

  test('is written once for its key, in which the query counts as body (D4.6)', async () => {
    const client = await withGadgets(whisk)
    const headers = { 'idempotency-key': 'k' }
    const first = await call(client, '/gadgets?drawer=1', { headers, payload: { id: 7, name: 'Ladle' } })
    assert.equal(first.status, 200, first.text)
    assert.equal(first.body.data.created_at, '2026-03-01T12:00:00.000Z')
    const again = await call(client, '/gadgets?drawer=1', { headers, payload: { id: 7, name: 'Ladle' } })
    assert.equal(again.text, first.text)
    for (const path of ['/gadgets?drawer=2', '/gadgets'])
      assert.equal((await call(client, path, { headers, payload: { id: 7, name: 'Ladle' } })).status, 422, path)
    assert.equal((await call(client, '/gadgets')).body.pagination.total, 2)
  })
})
