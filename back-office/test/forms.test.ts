import './english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditField, EditForm } from '../../server/src/back-office/schema.ts'
import { readDecimal, readIntegers, standsFor } from '../src/forms/inputs/typed.ts'
import { changesOf, mergedValues, startOf } from '../src/forms/members.ts'
import { refusalTexts as english } from '../src/texts/en/office/refusals.ts'
import { refusalTexts as french } from '../src/texts/fr/office/refusals.ts'

const field = (name: string, schema: EditField['schema'], more: Partial<EditField> = {}): EditField => ({
  name,
  schema,
  required: false,
  only_new: false,
  options: null,
  ...more,
})

const form = (...fields: EditField[]): EditForm => ({
  resource: 'things',
  one: 'thing',
  scope: 'brand',
  permission: 'settings:write',
  single: false,
  reviewed: [],
  is_shared: false,
  removable: false,
  series: false,
  fields,
  start: { values: {}, names: {} },
})

test('what is new is active, whether its status is a number or yes and no', () => {
  assert.deepEqual(startOf(form(field('status', { type: 'boolean' }))), { status: true })
  assert.deepEqual(startOf(form(field('status', { enum: [1, 0] }))), { status: 1 })
})

test('what is typed is a value with every key, and no number is left for the server to refuse', () => {
  assert.deepEqual(['', '15', '15,', '15, 3', ' 15 ; 30', '15, x'].map(readIntegers), [
    null,
    [15],
    [15],
    [15, 3],
    [15, 30],
    [15, 'x'],
  ])
  assert.deepEqual(
    ['', '4,', '−2.5', 'x'].map((typed) => readDecimal(typed)),
    [null, 4, -2.5, 'x'],
  )
  assert.equal(readDecimal('1.5', 60), 90)
})

test('a text stays as it was typed while it stands for the value, and is written again when that is another', () => {
  assert.ok(standsFor(readDecimal('4,'), 4))
  assert.ok(standsFor(readIntegers('15,'), [15]))
  assert.ok(standsFor(readDecimal(''), undefined))
  assert.ok(!standsFor(readDecimal('4'), 5), 'somebody else changed it')
  assert.ok(!standsFor(readIntegers('15, 30'), [10, 30]))
})

test('after somebody else changed the row, a form has what each of both changed, and where both did what is here', () => {
  const product = form(...['name', 'price', 'hours', 'modifications', 'taxes'].map((name) => field(name, {})))
  const size = (id: number, price: number) => ({ id, name: `Size ${id}`, price })
  const before = {
    name: 'Tea',
    price: 3,
    hours: { mon: [1], tue: [1] },
    modifications: [size(1, 1), size(2, 2), size(3, 3), size(4, 4)],
    taxes: [1],
  }
  const here = {
    ...before,
    price: 4,
    hours: { mon: [2], tue: [1] },
    modifications: [{ name: 'New', price: 9 }, { ...size(2, 2), price: 2.5 }, size(1, 1), size(4, 4)],
    taxes: [1, 2],
  }
  const there = {
    name: 'Chai',
    price: 5,
    hours: { mon: [1], tue: [3], wed: [1] },
    modifications: [size(1, 1.5), { ...size(2, 2), name: 'Large' }, size(3, 3), size(5, 5)],
    taxes: [1, 3],
  }
  const merged = mergedValues(product, before, here, there)
  assert.deepEqual(merged, {
    name: 'Chai',
    price: 4,
    hours: { mon: [2], tue: [3], wed: [1] },
    modifications: [{ name: 'New', price: 9 }, { id: 2, name: 'Large', price: 2.5 }, size(1, 1.5), size(5, 5)],
    taxes: [1, 2],
  })
  assert.deepEqual(
    changesOf(product, there, merged).map(({ member, from, to }) => (member === 'price' ? [from, to] : member)),
    [[5, 4], 'hours', 'modifications', 'taxes'],
    'what this form changes, from what it is now',
  )
  assert.deepEqual(mergedValues(product, before, before, there), there, 'nothing was changed here')
})

test('of a list that is too long the pages say what it is and how many it may have, in both languages', () => {
  for (const { tooMany } of [english, french])
    for (const what of ['items', 'lines', 'other']) assert.match(tooMany[what]!('500'), /500/)
})
