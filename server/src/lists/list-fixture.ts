/** A list of products and a table to try it on, for the tests of the list language. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Refusal } from '../http/errors.ts'
import { fold, nfc } from '../values/fold.ts'
import { defineList, type List, parseList } from './list.ts'

export const products = defineList({
  maxLimit: 100,
  always: ['id', 'name', 'type'],
  members: ['id', 'name', 'type', 'status', 'price', 'cost_price', 'has_modifications', 'created_at'],
  columns: {
    id: 'integer',
    name: 'text',
    type: 'text',
    price: 'decimal',
    cost_price: 'decimal',
    has_modifications: 'boolean',
    parent_id: 'integer',
    barcode: 'text',
    created_at: 'instant',
  },
  nullable: ['cost_price', 'parent_id', 'barcode'],
  sortable: ['id', 'name', 'price', 'cost_price', 'barcode', 'created_at'],
  date: 'created_at',
})

export const priceLists = defineList({
  maxLimit: 999,
  always: ['id'],
  members: ['id', 'name', 'status', 'prices'],
  columns: { id: 'integer', name: 'text', status: 'boolean' },
  sortable: ['id', 'name'],
  include: ['prices'],
})

/** The body with which a query string is refused. */
function refusalBody(query: string, list: List): Readonly<Record<string, unknown>> {
  try {
    parseList(list, query)
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.status, 400)
    assert.equal(error.body.error, 'invalid_parameter')
    assert.equal(typeof error.body.message, 'string')
    return error.body
  }
  return assert.fail(`${query} was read`)
}

export const refusal = (query: string, list: List = products) =>
  refusalBody(query, list).details as Record<string, unknown>

export const messageOf = (query: string, list: List = products) => String(refusalBody(query, list).message)

/** Texts that hold no space, one after the other. */
export const words = (text: string) => text.trim().split(/\s+/)

export const same = (one: string, other: string, list: List = products) =>
  assert.deepEqual(parseList(list, one), parseList(list, other), `${one} and ${other}`)

export interface Row {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly price: number
  readonly cost_price: number | null
  readonly has_modifications: boolean
  readonly parent_id: number | null
  readonly barcode: string | null
  readonly created_at: string
}

const db = new DatabaseSync(':memory:')
db.exec(`create table products (
  id bigint, name text, name_folded text, type text, type_folded text, price bigint, cost_price bigint,
  has_modifications bigint, parent_id bigint, barcode text, barcode_folded text, created_at text
)`)
const insert = db.prepare(`insert into products values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)

export function store(rows: readonly Row[]) {
  db.exec('delete from products')
  for (const row of rows) {
    const barcode = row.barcode === null ? [null, null] : [nfc(row.barcode), fold(row.barcode)]
    insert.run(
      row.id,
      nfc(row.name),
      fold(row.name),
      row.type,
      fold(row.type),
      row.price,
      row.cost_price,
      Number(row.has_modifications),
      row.parent_id,
      ...barcode,
      row.created_at,
    )
  }
}

/** The ids that a query string finds among the stored rows, in order. */
export function find(query: string): number[] {
  const { where, order, limit, offset } = parseList(products, query)
  const select = `select id from products where 1 = 1${where.text} order by ${order} limit ? offset ?`
  return db
    .prepare(select)
    .all(...where.values, limit, offset)
    .map(({ id }) => Number(id))
}

const tea: Row = {
  id: 1,
  name: 'Tea',
  type: 'PRODUCT',
  price: 10_0000,
  cost_price: 2_5000,
  has_modifications: false,
  parent_id: null,
  barcode: null,
  created_at: '2026-01-01T00:00:00.000Z',
}

/** Stores a cup of tea for each set of changes, with ids 1, 2, 3 … */
export const storeEach = (...changes: Partial<Row>[]) =>
  store(changes.map((change, index) => ({ ...tea, id: index + 1, ...change })))
