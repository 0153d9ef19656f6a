import './english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRIES } from '../../server/src/setup/countries.ts'
import { type Draft, emptyDraft, requestOf, slugOf, stepOf } from '../src/pages/setup/draft.ts'

const country = (code: string) => COUNTRIES.find((each) => each.code === code) as Parameters<typeof emptyDraft>[0]
const draftOf = (code: string, part: Partial<Draft> = {}): Draft => ({
  ...emptyDraft(country(code), 'Europe/Paris', 'Chez Odile'),
  counter: true,
  ...part,
})
/** What the server gets: JSON has no number for what is none. */
const sent = (draft: Draft) =>
  JSON.parse(JSON.stringify(requestOf(draft, { password: 'secret', language: 'en', isLinked: false })))

test('what a country proposes is sent as it is, and rates as they are typed', () => {
  const { country: code, brand, taxes } = sent(draftOf('FR'))
  assert.deepEqual([code, brand.slug, brand.currency, brand.money_places], ['FR', 'chez-odile', 'EUR', 2])
  assert.deepEqual(
    taxes.map(({ rate, included }: { rate: number; included: boolean }) => [rate, included]),
    [
      [10, true],
      [10, true],
      [5.5, true],
      [20, true],
    ],
  )
  const typed = (rate: string) => sent(draftOf('US', { taxes: [{ key: 0, name: 'Sales tax', rate }] })).taxes[0].rate
  assert.deepEqual([typed('8,875'), typed(' 7.25 '), typed('0')], [8.875, 7.25, 0])
})

test('what was left empty is sent as nothing, which the server refuses at its field, and never as 0', () => {
  assert.equal(sent(draftOf('US')).taxes[0].rate, null, 'a rate that differs from town to town')
  for (const tableCount of ['', ' ', '0'])
    assert.equal(sent(draftOf('FR', { tables: true, tableCount })).selling.tables, null)
  assert.equal(sent(draftOf('FR', { tables: false, tableCount: '' })).selling.tables, 0)
  assert.deepEqual(sent(draftOf('FR', { menu: 'file' })).menu, { file: '' }, 'not an empty menu')
  assert.deepEqual(sent(draftOf('FR', { menu: 'empty' })).menu, {})
})

test('a refused field leads to its step', () => {
  assert.deepEqual(
    ['taxes[0].rate', 'brand.slug', 'selling.tables', 'menu.file', 'owner.password'].map(stepOf),
    [0, 0, 1, 2, 3],
  )
})

test('a short name is made of a name', () => {
  assert.deepEqual(['Chez Odile, Paris', 'Straße', 'Kafé Ə', 'Кафе', ' '].map(slugOf), [
    'chez-odile-paris',
    'strasse',
    'kafe-e',
    'restaurant',
    '',
  ])
})
