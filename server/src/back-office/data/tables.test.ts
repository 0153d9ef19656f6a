import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { DateTime, Decimal, Id, Maybe, Name, Nullable } from '../../resource/values.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { readableTables, tableOf } from './tables.ts'

const gadgets = defineResource({
  name: { one: 'kitchen-gadget', many: 'kitchen-gadgets' },
  tag: 'Gadgets',
  about: 'Things in the drawer.',
  wire: Type.Object({
    id: Id(),
    name: Name(),
    status: Maybe(Type.Enum([1, 0], { description: '1 active, 0 inactive' })),
    sharp: Type.Enum([1, 0], { description: '1 if it cuts' }),
    state: Maybe(Type.Enum([1, 2], { description: '1 clean, 2 dirty' })),
    price: Maybe(Nullable(Decimal())),
    count_left: Maybe(Decimal()),
    parts: Maybe(Type.Array(Type.Object({ name: Name() }))),
    used_at: Maybe(DateTime()),
    created_at: Maybe(DateTime()),
  }),
  scope: 'brand',
  columns: { id: 'integer', name: 'text', price: 'decimal', used_at: 'instant', created_at: 'instant' },
  list: { maxLimit: 200, sortable: ['id', 'price'], date: 'created_at' },
})

test('a resource that is defined has a data page, whose columns, searches and sorts follow from it', () => {
  const column = (name: string, kind: string, more = {}) => ({ name, kind, sortable: false, labels: {}, ...more })
  assert.deepEqual(tableOf(gadgets), {
    resource: 'kitchen-gadgets',
    one: 'kitchen-gadget',
    columns: [
      column('name', 'name'),
      column('status', 'active'),
      column('sharp', 'boolean'),
      column('state', 'choice', { labels: { 1: 'clean', 2: 'dirty' } }),
      column('price', 'amount', { sortable: true }),
      column('created_at', 'instant'),
    ],
    search: [
      { name: 'name', kind: 'like' },
      { name: 'id', kind: 'number' },
    ],
    filters: [],
    query: {},
    sort: ['id', 'price'],
    has_dates: true,
    newest_first: null,
    include: [],
  })
})

test('a role without read permissions has no data page, and one with all of them has a page for each list', () => {
  const all = [...RESOURCES, gadgets]
  const names = (...permissions: string[]) => readableTables(all, new Set(permissions)).map(({ resource }) => resource)
  assert.deepEqual(names(), [])
  assert.deepEqual(names('kitchen-gadgets:read', 'customers:write'), ['kitchen-gadgets'])
  assert.deepEqual(
    names('*'),
    all.filter(({ list }) => list).map(({ name }) => name.many),
  )
})
