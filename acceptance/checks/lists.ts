import assert from 'node:assert/strict'
import {
  type Check,
  type Checks,
  type Deployment,
  expectError,
  expectInvalidParameter,
  filters,
  need,
  pageOf,
  query,
} from '../check.ts'

interface List {
  path: string
  maxLimit: number
  /** Members that `fields` cannot take away. */
  always: string[]
  sortable: string[]
}

const LISTS: readonly List[] = [
  {
    path: '/products',
    maxLimit: 100,
    always: ['id', 'name', 'type'],
    sortable: ['id', 'name', 'price', 'created_at', 'updated_at'],
  },
  { path: '/price-lists', maxLimit: 999, always: ['id'], sortable: ['id', 'name', 'created_at'] },
]

/** §4.3, §4.4, D2: what both lists have in common. */
export const lists: Checks = async (check, deployment) => {
  for (const list of LISTS) {
    await pages(check, deployment, list)
    await narrowing(check, deployment, list)
    await order(check, deployment, list)
  }
}

async function pages(check: Check, { send }: Deployment, { path, maxLimit }: List): Promise<void> {
  const page = async (parameters: Record<string, string | number>) =>
    pageOf(await send('GET', path + query(parameters)))

  await check(`GET ${path} gives page 1 of 50 rows by id`, async () => {
    const { data, pagination } = await page({})
    assert.equal(pagination.page, 1)
    assert.equal(pagination.per_page, 50)
    assert.deepEqual(
      data.map(({ id }) => id),
      data.map(({ id }) => id).sort((a, b) => a - b),
    )
  })
  await check(`GET ${path}: limit is 1 to ${maxLimit}, one more is 400`, async () => {
    assert.equal((await page({ limit: 1 })).pagination.per_page, 1)
    assert.equal((await page({ limit: maxLimit })).pagination.per_page, maxLimit)
    for (const limit of [maxLimit + 1, 0, -1, 'ten', '1.5', ''])
      expectInvalidParameter(await send('GET', path + query({ limit })), 'limit')
  })
  await check(`GET ${path}: page begins at 1`, async () => {
    for (const number of [0, -1, 'one'])
      expectInvalidParameter(await send('GET', path + query({ page: number })), 'page')
  })
  await check(`GET ${path}: pages follow each other`, async () => {
    const { data: both } = await page({ limit: 2 })
    need(both.length === 2, 'there are fewer than two rows')
    const { data: second } = await page({ limit: 1, page: 2 })
    assert.deepEqual(second, both.slice(1))
  })
  await check(`GET ${path}: a page past the last is empty`, async () => {
    const { data } = await page({ page: 1_000_000_000, limit: maxLimit })
    assert.deepEqual(data, [])
  })
  await check(`GET ${path}: other spellings mean the same`, async () => {
    const { data } = await page({ limit: 1, fields: 'name' })
    for (const spelling of [
      { per_page: 1, selects: 'name' },
      { page_size: 1, 'selects[]': 'name' },
    ])
      assert.deepEqual((await page(spelling)).data, data)
  })
  await check(`GET ${path}: a parameter that is unknown or given twice is 400`, async () => {
    const { suggestion } = expectInvalidParameter(await send('GET', `${path}?pag=1`), 'pag')
    assert.equal(suggestion, 'page')
    expectInvalidParameter(await send('GET', `${path}?page=1&page=1`), 'page')
    expectError(await send('GET', `${path}?limit=1&per_page=1`), 400, 'invalid_parameter')
  })
}

async function narrowing(check: Check, { send }: Deployment, { path, always }: List): Promise<void> {
  const rows = async (parameters: string) => pageOf(await send('GET', path + parameters)).data

  await check(`GET ${path}: fields narrows each row`, async () => {
    const data = await rows(query({ fields: 'created_at', limit: 3 }))
    need(data.length > 0, 'there are no rows')
    for (const row of data) assert.deepEqual(Object.keys(row).sort(), [...always, 'created_at'].sort())
    expectInvalidParameter(await send('GET', `${path}?fields=colour`), 'fields')
  })
  await check(`GET ${path}: every notation of a filter means the same`, async () => {
    const [first] = await rows('?limit=1')
    need(first, 'there are no rows')
    const { id, name } = first
    const same = [
      filters(['id', id]),
      filters(['id', '=', String(id)]),
      query({ filters: JSON.stringify(['id', id]) }),
      query({ filter: JSON.stringify([['id', [id]]]) }),
      query({ 'filters[0][0]': 'id', 'filters[0][1]': id }),
      query({ 'filters[0][0]': 'id', 'filters[0][1][0]': id }),
      filters(['id', 'in', [id]], ['name', 'like', name.toUpperCase().toLowerCase()]),
      filters(['id', '<=', id], ['id', '>=', id]),
    ]
    for (const parameters of same) assert.deepEqual(await rows(parameters), [first], decodeURIComponent(parameters))
  })
  await check(`GET ${path}: filters that exclude each other find nothing`, async () => {
    assert.deepEqual(await rows(filters(['id', '>', 5], ['id', '<', 5])), [])
    assert.deepEqual(await rows(filters(['id', 'is null', null])), [])
    assert.deepEqual(await rows(filters(['created_at', '>', '9999-01-01T00:00:00Z'])), [])
  })
  await check(`GET ${path}: a filter that is not understood is 400 and its index named`, async () => {
    const unknown = [
      ['colour', 'red'],
      ['id', '~', 1],
      ['id', 'many'],
      ['id', { a: 1 }],
    ]
    for (const filter of unknown) {
      const answer = await send('GET', path + filters(['id', '>', 0], filter))
      assert.equal(expectInvalidParameter(answer, 'filters').index, 1, answer.text)
    }
    expectInvalidParameter(await send('GET', path + query({ filters: 'type' })), 'filters')
  })
  await check(`GET ${path}: 20 filters and 100 values, one more is 400`, async () => {
    const filled = (count: number) => filters(...Array.from({ length: count }, () => ['id', '>', 0]))
    const values = (count: number) => filters(['id', 'in', Array.from({ length: count }, (_, index) => index + 1)])
    await rows(filled(20))
    await rows(values(100))
    expectInvalidParameter(await send('GET', path + filled(21)), 'filters')
    expectInvalidParameter(await send('GET', path + values(101)), 'filters')
  })
  await check(`GET ${path}: date is an inclusive range of created_at`, async () => {
    const [first] = await rows('?limit=1&fields=created_at')
    need(first, 'there are no rows')
    const day = String(first.created_at).slice(0, 10)
    const range = (from: string, to: string) => `&${query({ 'date[0]': from, 'date[1]': to }).slice(1)}`
    const only = filters(['id', first.id])
    assert.equal((await rows(only + range(day, day))).length, 1, 'found on its day')
    const instant = String(first.created_at)
    assert.equal((await rows(only + range(instant, instant))).length, 1, 'found at its instant')
    assert.equal((await rows(`${only}&${query({ date_from: day, date_to: day }).slice(1)}`)).length, 1, 'date_from')
    assert.equal((await rows(only + range('1970-01-01', '1970-01-02'))).length, 0, 'not found in 1970')
    expectInvalidParameter(await send('GET', path + query({ 'date[0]': '2026-02-30' })), 'date')
  })
}

async function order(check: Check, { send }: Deployment, { path, sortable }: List): Promise<void> {
  const ids = async (parameters: Record<string, string>) =>
    pageOf(await send('GET', path + query({ limit: 100, ...parameters }))).data.map(({ id }) => id)
  const sort = (field: string, direction: string) => ({ 'sort[0][0]': field, 'sort[0][1]': direction })

  for (const field of sortable)
    await check(`GET ${path}: sort by ${field}, both ways`, async () => {
      for (const direction of ['asc', 'desc']) {
        const { data } = pageOf(await send('GET', path + query({ limit: 100, ...sort(field, direction) })))
        for (const [index, row] of data.entries()) {
          const before = data[index - 1]
          if (!before) continue
          const step = compare(before[field], row[field]) * (direction === 'asc' ? 1 : -1)
          assert.ok(
            step < 0 || (step === 0 && before.id < row.id),
            `${row.id} stands after ${before.id} (${direction})`,
          )
        }
      }
    })
  await check(`GET ${path}: every notation of a sort means the same`, async () => {
    const expected = await ids(sort('name', 'desc'))
    const same: Record<string, string>[] = [
      sort('name', '-1'),
      { 'sort[0]': 'name', 'sort[1]': '-1' },
      { sort_by: 'name', sort_order: 'desc' },
      { ...sort('name', 'desc'), 'sort[1][0]': 'id', 'sort[1][1]': 'asc' },
    ]
    for (const parameters of same) assert.deepEqual(await ids(parameters), expected, JSON.stringify(parameters))
  })
  await check(`GET ${path}: an unknown sort field or direction is 400`, async () => {
    expectInvalidParameter(await send('GET', path + query(sort('colour', 'asc'))), 'sort')
    expectInvalidParameter(await send('GET', path + query(sort('id', 'up'))), 'sort')
  })
}

/** D2.7: numbers and instants by value, text folded and by code point. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(folded(one), folded(other)) // the order of UTF-8 is that of code points
}

const folded = (text: unknown) =>
  Buffer.from(
    String(text ?? '')
      .normalize('NFC')
      .toLowerCase()
      .toUpperCase()
      .toLowerCase(),
  )
