import assert from 'node:assert/strict'
import test from 'node:test'
import { categories } from '../../resources/menu/categories.ts'
import { products } from '../../resources/menu/products.ts'
import type { Resource } from '../resource.ts'
import { exportLines } from './export-lines.ts'

const idsOf = (resource: Resource, rows: readonly object[]) => {
  const lines = exportLines(resource)
  const pages = [rows.slice(0, 2), rows.slice(2)].map((page) => lines.add(page.map((row) => JSON.stringify(row))))
  const text = [...pages, lines.rest()].join('')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).id)
}
const category = (id: number, parent_id?: number) => ({ id, name: `${id}`, type: 'PRODUCT', status: 1, parent_id })
const dish = (id: number, ...recipe: number[]) => ({ id, name: `${id}`, recipe: recipe.map((part) => ({ id: part })) })

test('a row comes after those of its kind that it names, and otherwise by its id', () => {
  assert.deepEqual(
    idsOf(
      categories as Resource,
      [1, 2, 3].map((id) => category(id)),
    ),
    [1, 2, 3],
  )
  const tree = [category(1, 4), category(2, 1), category(3), category(4, 5), category(5), category(6, 2)]
  assert.deepEqual(idsOf(categories as Resource, tree), [3, 5, 4, 1, 2, 6])
  assert.deepEqual(idsOf(products as Resource, [dish(1, 3, 4), dish(2), dish(3, 4), dish(4)]), [2, 4, 3, 1])
})

test('rows that name one another, themselves, or what is not there come once, at the end', () => {
  assert.deepEqual(idsOf(products as Resource, [dish(1, 2), dish(2, 1), dish(3, 3), dish(4, 1)]), [3, 1, 2, 4])
  assert.deepEqual(idsOf(products as Resource, [dish(1, 9), dish(2, 1), dish(3)]), [3, 1, 2])
})

test('members stand in the schema’s order, however they were stored', () => {
  const line = (row: object) => exportLines(categories as Resource).add([JSON.stringify(row)])
  const ordered = line(category(1, 2)) // held: nothing is written yet
  assert.equal(ordered, '')
  assert.equal(
    line({ status: 1, type: 'PRODUCT', name: 'a', id: 1 }),
    line({ id: 1, name: 'a', type: 'PRODUCT', status: 1 }),
  )
})
