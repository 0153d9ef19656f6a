import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableOf } from '../../server/src/back-office/data/tables.ts'
import type { Me } from '../../server/src/back-office/schema.ts'
import { roles } from '../../server/src/demo/people.ts'
import { permissionsOf, RESOURCES } from '../../server/src/resources/catalogue.ts'
import { isFarAbove, isUntaxed, wordFor } from '../src/components/data/words.ts'
import { landingOf, officeOf } from '../src/me.ts'
import { rightTexts } from '../src/texts/en/rights.ts'

const person = (permissions: readonly string[], reads: readonly string[] = ['products']) =>
  ({ kind: 'user', permissions, reads }) as unknown as Me
const roleOf = (name: string) => person(roles.find((role) => role.name === name)!.permissions)

test('everybody begins where they work, and can leave the till and the kitchen for the pages', () => {
  const landings = ['Owner', 'Manager', 'Cashier', 'Waiter', 'Cook', 'Accountant'].map((name) =>
    landingOf(roleOf(name)),
  )
  assert.deepEqual(landings, ['/open-api', '/open-api', '/till', '/till', '/kitchen', '/reports'])
  assert.equal(landingOf({ kind: 'operator' } as Me), '/operator/brands')
  assert.equal(landingOf(person(['receipts:write', 'menu:write'])), '/data', 'who runs the place')
  for (const role of ['Waiter', 'Cook']) assert.equal(officeOf(roleOf(role)), '/data')
  assert.equal(landingOf(person([], [])), '/account')
})

test('every right that a role can have is said in the words of a restaurant', () => {
  const missing = ['*', ...permissionsOf(RESOURCES)].filter((permission) => rightTexts[permission] === undefined)
  assert.deepEqual(missing, [])
  for (const text of Object.values(rightTexts)) assert.doesNotMatch(text, /\w:\w/)
})

const table = (name: string) => tableOf(RESOURCES.find((resource) => resource.name.many === name)!)

test('a status is a word, and only money is an amount', () => {
  assert.deepEqual(
    [1, 2, 3].map((status) => wordFor(table('receipts'), 'status', status)),
    ['Open', 'Closed', 'Cancelled'],
  )
  assert.equal(wordFor(table('products'), 'status', 0), 'Inactive')
  assert.equal(wordFor(table('receipts'), 'order_status', 'IN_PROGRESS'), 'In progress')
  assert.equal(wordFor(table('receipts'), 'total', 12.5), '12.50')
  assert.equal(wordFor(undefined, 'status', undefined), '–')
})

test('what is sold without a tax is marked; what is only used is not', () => {
  const products = table('products')
  const tax = { id: 1, name: 'VAT', rate: 10 }
  for (const type of ['PRODUCT', 'DISH', 'TIMER']) assert.equal(isUntaxed(products, { type }), true, type)
  assert.equal(isUntaxed(products, { type: 'DISH', taxes: [] }), true)
  assert.equal(isUntaxed(products, { type: 'DISH', taxes: [tax] }), false)
  for (const type of ['INGREDIENT', 'MODIFICATION']) assert.equal(isUntaxed(products, { type }), false, type)
  assert.equal(isUntaxed(table('receipts'), { type: 'DISH' }), false)
})

test('a price more than ten times the one before is asked about', () => {
  assert.equal(isFarAbove(4.5, 45), false)
  assert.equal(isFarAbove(4.5, 450), true)
  for (const none of [undefined, null, 0]) assert.equal(isFarAbove(none, 450), false)
  assert.equal(isFarAbove(4.5, undefined), false)
})
