import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Document, Schema } from '../../scripts/sdk/document.ts'
import { committedDocument, generate } from '../../scripts/sdk/generate.ts'
import { namedMethods } from '../../scripts/sdk/names.ts'
import type { Comptoir } from '../src/index.ts'
import { compile } from './package.ts'
import { CREDENTIALS } from './restaurant.ts'

// Operations that the API may get: what they are called, what they take and what they send follows from the document alone.

type Described = Document['paths'][string][string]
type Parameters = NonNullable<Described['parameters']>

const answering = (schema: Schema, more: Partial<Described> = {}): Described => ({
  summary: 'An operation',
  responses: { '200': { content: { 'application/json': { schema } } } },
  ...more,
})
const envelope = (data: Schema, more: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  required: ['success', 'data', ...Object.keys(more)],
  properties: { success: { type: 'boolean' }, data, ...more },
})
const many = (items: Schema): Schema => ({ type: 'array', items })
const paged = (items: Schema) => envelope(many(items), { total: { type: 'integer' }, pagination: { type: 'object' } })
const taking = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const inPath = (name: string, type = 'integer'): Parameters => [{ name, in: 'path', required: true, schema: { type } }]
const inQuery = (name: string, schema: Schema = { type: 'string' }, more = {}): Parameters => [
  { name, in: 'query', schema, ...more },
]

const DUTY: Schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    kind: { type: 'string', enum: ['VAT', 'CITY'] },
    rate: { type: 'number' },
    products: many(ref('Product')),
    cid: { type: 'string' },
    labels: { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } },
    children: many(ref('Duty')),
  },
}

const LIST: Parameters = [
  ...inQuery('page', { type: 'integer' }),
  ...inQuery('limit', { type: 'integer' }),
  ...inQuery('filters', undefined, { 'x-columns': { id: 'integer', kind: 'text', since: 'instant' } }),
  ...inQuery('fields', undefined, { 'x-always': ['id'] }),
  ...inQuery('include', undefined, { 'x-include': { products: ['products'], details: ['cid', 'labels'] } }),
  ...inQuery('sort[0][0]', { type: 'string', enum: ['id', 'name'] }),
  ...inQuery('after'),
  ...inQuery('venue', { type: 'string', enum: ['all'] }),
]

const { paths, components } = committedDocument()
const DOCUMENT: Document = {
  paths: {
    ...paths,
    '/duties/areas': { get: answering(paged(ref('Duty')), { parameters: LIST }) },
    '/duties/areas/{id}': {
      get: answering(envelope(ref('Duty')), {
        parameters: [...inPath('id'), ...inQuery('include', undefined, { 'x-include': { products: ['products'] } })],
      }),
      patch: answering(envelope(ref('Duty')), {
        parameters: [...inPath('id'), { name: 'if-match', in: 'header', schema: { type: 'string' } }],
        requestBody: taking({ type: 'object', properties: { name: { type: 'string' } } }),
      }),
      delete: answering(envelope(ref('Duty')), { parameters: inPath('id') }),
    },
    '/duties/areas/list': { get: answering(envelope(many(ref('Duty')), { total: { type: 'integer' } })) },
    '/duties/areas/report': {
      get: answering(envelope(many({ type: 'object', properties: { base: { type: 'number' } } })), {
        parameters: [...inQuery('date[0]'), ...inQuery('date[1]'), ...inQuery('days', many({ type: 'integer' }))],
      }),
    },
    '/duties/areas/cid/{cid}': { get: answering(envelope(ref('Duty')), { parameters: inPath('cid', 'string') }) },
    '/duties/areas/{id}/product-groups': {
      get: answering(paged(ref('Duty')), { parameters: [...inPath('id'), ...inQuery('page', { type: 'integer' })] }),
    },
    '/duties/areas/{id}/close': {
      post: answering(envelope(ref('Duty')), {
        parameters: [...inPath('id'), ...inQuery('dry_run', { type: 'integer', enum: [1] })],
        requestBody: taking(ref('Duty')),
      }),
    },
    '/feed': {
      get: answering(envelope(many(ref('Duty')), { next: { type: 'string' }, more: { type: 'boolean' } }), {
        parameters: inQuery('after', undefined, { required: true }),
      }),
    },
    '/feed/types': { get: answering(envelope(many({ type: 'string' }))) },
    '/bell': { post: answering(envelope(ref('Duty')), { requestBody: taking(ref('Duty')) }) },
  },
  components: { schemas: { ...components.schemas, Duty: DUTY } },
}

test('every operation has the name that the rule gives it', () => {
  const names = namedMethods(DOCUMENT).map(({ method, path, container, name }) => [
    `${method} ${path}`,
    [...container, name].join('.'),
  ])
  assert.deepEqual(Object.fromEntries(names.filter(([operation]) => !(operation!.split(' ')[1]! in paths))), {
    'GET /duties/areas': 'duties.areas.list',
    'GET /duties/areas/{id}': 'duties.areas.get',
    'PATCH /duties/areas/{id}': 'duties.areas.update',
    'DELETE /duties/areas/{id}': 'duties.areas.delete',
    'GET /duties/areas/list': 'duties.areas.getList',
    'GET /duties/areas/report': 'duties.areas.report',
    'GET /duties/areas/cid/{cid}': 'duties.areas.byCid',
    'GET /duties/areas/{id}/product-groups': 'duties.areas.productGroups',
    'POST /duties/areas/{id}/close': 'duties.areas.close',
    'GET /feed': 'feed.list',
    'GET /feed/types': 'feed.types',
    'POST /bell': 'bell.create',
  })
  assert.deepEqual(
    ['GET /whoami', 'POST /customers', 'GET /receipts/{id}', 'POST /auth'].map(
      (operation) => names.find(([each]) => each === operation)?.[1],
    ),
    ['whoami', 'customers.create', 'receipts.get', undefined],
  )
})

test('two operations of one name stop the generator, and so does a name that every client has', () => {
  const also = (path: string) => () =>
    namedMethods({ ...DOCUMENT, paths: { ...DOCUMENT.paths, [path]: { get: answering(envelope({})) } } })
  assert.throws(
    also('/duties/areas/{id}/report'),
    /client\.duties\.areas\.report\(\), which is GET \/duties\/areas\/report/,
  )
  assert.throws(also('/request'), /a method of every client/)
})

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'comptoir-generated-'))
  await cp(fileURLToPath(new URL('../src', import.meta.url)), join(folder, 'src'), { recursive: true })
  for (const [name, text] of Object.entries(generate(DOCUMENT))) await writeFile(join(folder, 'src', name), text)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})
after(() => rm(folder, { recursive: true }))

const PROGRAM = `
import type { Comptoir } from './src/index.ts'
declare const client: Comptoir
for await (const { id, products } of client.duties.areas.list({ include: ['products'], venue: 'all' })) {
  id satisfies number
  products satisfies object[]
}
const { data, pagination } = await client.duties.areas.list({ after: '', filters: [['kind', 'VAT']], fields: ['rate'] }).page()
pagination.next satisfies string | null
data[0]!.rate satisfies number | undefined
// @ts-expect-error: it was not asked for
data[0]!.name
const [detailed] = (await client.duties.areas.list({ include: ['details'] }).page()).data
detailed!.cid satisfies string | undefined
// @ts-expect-error: it is of the details
client.duties.areas.list({ fields: ['cid'] })
// @ts-expect-error: a walk has no total
pagination.total
// @ts-expect-error: no such kind
client.duties.areas.list({ filters: [['kind', 'STATE']] })
const duty = await client.duties.areas.get(1, { include: ['products'], timeoutMs: 100 })
duty.labels!.one satisfies number | undefined
await client.duties.areas.update(1, { name: 'One' }, { ifMatch: '"3"', idempotencyKey: 'one' })
await client.duties.areas.close(1, duty, { dry_run: 1 })
const [row] = await client.duties.areas.report({ date: ['2026-01-01'], days: [1, 2] })
row!.base satisfies number | undefined
const { next, more } = await client.feed.list({ after: 'latest' })
next satisfies string
more satisfies boolean
// @ts-expect-error: after is required
client.feed.list({})
const types = await client.feed.types()
types satisfies string[]
// @ts-expect-error: a cid is a text
client.duties.areas.byCid(1)
`

test('what is generated has the types of the document', async () => {
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  const options = { ...STRICT, module: 'nodenext', target: 'esnext', lib: ['esnext', 'dom'], types: [] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
  assert.equal(await compile('--project', folder), '')
})

test('what is generated sends what the document says, and gives what is in the envelope', async () => {
  const sdk: { Comptoir: typeof Comptoir } = await import(join(folder, 'src/index.ts'))
  const sent: string[] = []
  let answer: object = {}
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url)
    if (pathname === '/v2/auth') return Response.json({ success: true, token: 't', expires_in: 3600, expires_at: 4e9 })
    const condition = new Headers(init.headers).get('if-match')
    sent.push([init.method, decodeURIComponent(pathname + search), init.body, condition].filter(Boolean).join(' '))
    return Response.json({ success: true, ...answer })
  }
  // biome-ignore lint/suspicious/noExplicitAny: its type is the one of another document
  const client = new sdk.Comptoir({ ...CREDENTIALS, baseUrl: 'https://pos.example/v2', fetch }) as any

  const gives = async (call: () => unknown, body: object, expected: unknown, request: string) => {
    answer = body
    assert.deepEqual(await call(), expected)
    assert.equal(sent.at(-1), request)
  }
  const { areas } = client.duties
  const data = { id: 1 }
  await gives(() => areas.get(1, { include: ['products'] }), { data }, data, 'GET /v2/duties/areas/1?include=products')
  await gives(() => areas.byCid('a/b'), { data }, data, 'GET /v2/duties/areas/cid/a/b')
  await gives(() => areas.getList(), { data: [data], total: 1 }, [data], 'GET /v2/duties/areas/list')
  await gives(
    () => areas.report({ date: [undefined, '2026-01-31'], days: [1, 2] }),
    { data: [] },
    [],
    'GET /v2/duties/areas/report?date[1]=2026-01-31&days=1,2',
  )
  await gives(
    () => areas.update(1, { name: 'One' }, { ifMatch: '"3"' }),
    { data },
    data,
    'PATCH /v2/duties/areas/1 {"name":"One"} "3"',
  )
  await gives(
    () => areas.close(2, data, { dry_run: 1 }),
    { data },
    data,
    'POST /v2/duties/areas/2/close?dry_run=1 {"id":1}',
  )
  await gives(() => areas.delete(3), { data }, data, 'DELETE /v2/duties/areas/3')
  const page = { data: [], next: 'evt_1', more: false }
  await gives(
    () => client.feed.list({ after: 'latest' }),
    page,
    { success: true, ...page },
    'GET /v2/feed?after=latest',
  )
  const groups = { data: [data], pagination: { page: 1, per_page: 50, total: 1, total_pages: 1 } }
  await gives(
    () => Array.fromAsync(areas.productGroups(7)),
    groups,
    [data],
    'GET /v2/duties/areas/7/product-groups?page=1',
  )
  for (const wrong of ['', '.', '..', 1]) await assert.rejects(areas.byCid(wrong), TypeError)
})

test('a list that is given `after` is walked to its end, and asks for no page', async () => {
  const sdk: { Comptoir: typeof Comptoir } = await import(join(folder, 'src/index.ts'))
  const asked: string[] = []
  const fetch = async (url: string) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/v2/auth') return Response.json({ success: true, token: 't', expires_in: 3600, expires_at: 4e9 })
    asked.push(searchParams.toString())
    const place = Number(searchParams.get('after'))
    return Response.json({
      success: true,
      data: [{ id: place }],
      pagination: { per_page: 1, next: place < 2 ? String(place + 1) : null },
    })
  }
  // biome-ignore lint/suspicious/noExplicitAny: its type is the one of another document
  const client = new sdk.Comptoir({ ...CREDENTIALS, baseUrl: 'https://pos.example/v2', fetch }) as any
  const ids: number[] = []
  for await (const { id } of client.duties.areas.list({ after: '', limit: 1 })) ids.push(id)
  assert.deepEqual(ids, [0, 1, 2])
  assert.deepEqual(asked, ['after=&limit=1', 'after=1&limit=1', 'after=2&limit=1'])
})
