import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineList, type List, parseList } from './list.ts'
import { refusal } from './list-fixture.ts'

const definition = {
  name: 'things',
  maxLimit: 200,
  always: ['id'],
  members: ['id', 'name'],
  columns: { id: 'integer', name: 'text', created_at: 'instant', updated_at: 'instant' },
  sortable: ['id', 'name', 'created_at', 'updated_at'],
  date: 'created_at',
  ofVenues: true,
} as const
const things = defineList(definition)
const series = defineList({ ...definition, newestFirst: true })

const sortBy = (field: string, direction = 'asc') => `sort[0][0]=${field}&sort[0][1]=${direction}`
const walk = (query: string, list: List = things, venue = 1) => parseList(list, `after=${query}`, venue).walk!
const LAST = { id: 7, key: '2026-01-01T00:00:00.000Z' }

test('a walk goes by id, by the list’s time or by updated_at ascending, and by nothing else (P3)', () => {
  for (const sort of ['id', 'created_at', 'updated_at']) walk(`&${sortBy(sort)}`)
  for (const sort of ['id', 'created_at']) walk(`&${sortBy(sort, 'desc')}`)
  for (const sort of [sortBy('updated_at', 'desc'), sortBy('name'), `${sortBy('created_at')}&sort[1][0]=name`])
    assert.equal(refusal(`after=&${sort}`, things).parameter, 'sort', sort)
})

test('a walk has no page numbers', () => {
  assert.equal(refusal('after=&page=1', things).parameter, 'page')
})

test('a cursor goes on behind its row, in each order', () => {
  const behind = (sort: string, list = things) => {
    const next = walk(sort, list).cursorAfter(LAST)
    return walk(`${next}${sort}`, list).where
  }
  assert.deepEqual(behind(''), { text: ' and id > ?', values: [7] })
  assert.deepEqual(behind(`&${sortBy('id', 'desc')}`), { text: ' and id < ?', values: [7] })
  assert.deepEqual(behind(`&${sortBy('updated_at')}`), {
    text: ' and (updated_at, id) > (?, ?)',
    values: [LAST.key, 7],
  })
  assert.deepEqual(behind(`&${sortBy('created_at', 'desc')}`), {
    text: ' and created_at <= ? and (created_at < ? or id > ?)',
    values: [LAST.key, LAST.key, 7],
  })
  assert.deepEqual(behind('', series), { text: ' and (created_at, id) < (?, ?)', values: [LAST.key, 7] })
})

test('a cursor is refused when it is malformed or belongs to other filters, another sort, list or venue', () => {
  const next = walk('').cursorAfter(LAST)
  const changed = (index: number) => `${next.slice(0, index)}${next[index] === 'A' ? 'B' : 'A'}${next.slice(index + 1)}`
  const decoded = JSON.parse(Buffer.from(next, 'base64url').toString()) as unknown[]
  const written = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  for (const query of [
    'x',
    '!',
    '%00',
    changed(3),
    `${next}A`,
    next.slice(0, -2),
    `${next}=`,
    written(decoded[0], '7'),
    written(decoded[0], 7.5),
    written(decoded[0], 7, 8),
    written(decoded[0]),
    `${next}&filters=[["id",">",1]]`,
    `${next}&${sortBy('created_at')}`,
    `${next}&${sortBy('id', 'desc')}`,
    `${next}&date[0]=2026-01-01`,
    `${next}&venue=all`,
  ])
    assert.equal(refusal(`after=${query}`, things).parameter, 'after', query)
  assert.equal(refusal(`after=${next}`, defineList({ ...definition, name: 'others' })).parameter, 'after')
  assert.throws(() => walk(next, things, 2))
  for (const query of ['', '&limit=7', '&fields=name', `&${sortBy('id')}`]) walk(next + query)
})

test('venue is all, and nothing else', () => {
  assert.equal(parseList(things, 'venue=all').everyVenue, true)
  for (const value of ['', '1', 'ALL']) assert.equal(refusal(`venue=${value}`, things).parameter, 'venue')
  assert.equal(refusal('venue=all', defineList({ ...definition, ofVenues: false })).unknown, 'venue')
})
