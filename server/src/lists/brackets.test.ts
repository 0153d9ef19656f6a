import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineList, parseList } from './list.ts'
import { messageOf, priceLists, products, refusal, same, words } from './list-fixture.ts'

// D2.1: brackets, whose keys existing clients choose as they like, and the plain names for parts of a parameter.

test('the keys of include and fields may be anything, in any order, with holes', () => {
  for (const spelling of words(
    'with[1] with[7] include[3] include[prices] with[] include[999999999] with[-1] with[a.b]',
  ))
    same(`${spelling}=prices`, 'include=prices', priceLists)
  for (const query of words(`
    fields[2]=status&fields[7]=price  fields[b]=price&fields[a]=status  selects[x]=price,status  fields[]=status&fields[]=price
    fields[00]=price&fields[0]=status`))
    assert.deepEqual(parseList(products, query).fields, new Set(words('id name type price status')), query)
})

test('the keys of filters may be anything, in any order, with holes', () => {
  same('filters[3][0]=type&filters[3][1]=PRODUCT', 'filters=[["type","PRODUCT"]]')
  same('filters[type][0]=type&filters[type][1]=PRODUCT', 'filters=[["type","PRODUCT"]]')
  same('filters[type][1]=PRODUCT&filters[type][0]=type', 'filters=[["type","PRODUCT"]]')
  same('filters[10][0]=id&filters[9][0]=type&filters[9][1]=A&filters[10][1]=1', 'filters=[["type","A"],["id",1]]')
  same('filters[b][0]=id&filters[a][0]=type&filters[a][1]=A&filters[b][1]=1', 'filters=[["id",1],["type","A"]]')
  same('filters[x][0]=id&filters[5][0]=type&filters[5][1]=A&filters[x][1]=1', 'filters=[["type","A"],["id",1]]')
})

test('[] means the next key: in a filter, and in its list of values', () => {
  same('filters[0][]=price&filters[0][]=>=&filters[0][]=10', 'filters=[["price",">=",10]]')
  same('filters[0][0]=type&filters[0][1][]=A&filters[0][1][]=B', 'filters=[["type",["A","B"]]]')
  same('filters[t][0]=id&filters[t][1]=not in&filters[t][2][]=1', 'filters=[["id","not in",[1]]]')
  same('filters[0][0]=type&filters[0][1][7]=A&filters[0][1][x]=B', 'filters=[["type",["A","B"]]]')
  refusal('filters[][0]=type&filters[][1]=PRODUCT') // two filters, each half of one
})

test('the parts of a filter and of a sort key have the keys 0, 1 and 2, because their place says what they are', () => {
  for (const query of words(`
    filters[0][1]=1  filters[0][0]=id&filters[0][2]=1  filters[0][0]=id&filters[0][3]=1  filters[0][field]=id&filters[0][value]=1
    filters[0][00]=id&filters[0][1]=1  sort[0][1]=asc  sort[0][field]=id  sort[0][0]=id&sort[0][2]=asc`))
    refusal(query)
})

test('the keys of sort may be anything; numbers come in their order, names as they came', () => {
  const order = (query: string) => parseList(products, query).order
  assert.equal(order('sort[7][0]=name&sort[3][0]=price&sort[3][1]=desc'), 'price desc, name_folded, id')
  assert.equal(order('sort[b][0]=name&sort[a][0]=price'), 'name_folded, price, id')
  assert.equal(order('sort[x][]=name&sort[x][]=desc'), 'name_folded desc, id')
})

test('the short form of sort is a field and then a direction, whatever their keys', () => {
  for (const query of words(`
    sort[7]=price&sort[9]=-1  sort[9]=-1&sort[7]=price  sort[10]=desc&sort[9]=price  sort[a]=price&sort[b]=desc
    sort[x]=desc&sort[3]=price  sort[]=price&sort[]=-1`))
    same(query, 'sort[0][0]=price&sort[0][1]=desc')
  for (const query of words('sort[5]=name sort[1]=name sort[x]=name')) same(query, 'sort[0][0]=name')
  for (const query of words('sort[1]=-1 sort[name]=desc sort[9]=name&sort[7]=-1 sort[3]=name&sort[5]=asc&sort[7]=id'))
    refusal(query)
})

test('date has two ends, whatever their keys: the first is the earliest, the second the latest', () => {
  const both = 'date[0]=2026-01-01&date[1]=2026-01-31'
  for (const query of words(`
    date[]=2026-01-01&date[]=2026-01-31  date[1]=2026-01-31&date[0]=2026-01-01  date[3]=2026-01-01&date[9]=2026-01-31
    date[10]=2026-01-31&date[9]=2026-01-01  date[1]=2026-01-01&date[2]=2026-01-31  date[from]=2026-01-01&date[to]=2026-01-31
    date[x]=2026-01-31&date[5]=2026-01-01`))
    same(query, both)
  for (const query of words('date[]=2026-01-01 date[7]=2026-01-01')) same(query, 'date[0]=2026-01-01')
  same('date[1]=2026-01-31', 'date_to=2026-01-31') // 0 and 1 say which end they are, also alone
})

test('a third date is refused, and one date under a name such as date[to]', () => {
  for (const query of words(`
    date[]=2026-01-01&date[]=2026-01-02&date[]=2026-01-03  date[3]=2026-01-01&date[5]=2026-01-02&date[9]=2026-01-03
    date[to]=2026-01-01`))
    assert.equal(refusal(query).parameter, 'date')
  assert.match(messageOf('date[to]=2026-01-01'), /date\[to\]/)
})

test('date_from and date_to are the ends of date', () => {
  same('date_from=2026-01-01&date_to=2026-01-31', 'date[0]=2026-01-01&date[1]=2026-01-31')
  same('date_to=2026-01-31', 'date[1]=2026-01-31')
  assert.deepEqual(refusal('date_to=soon'), { parameter: 'date_to', index: 1 })
  for (const query of words(
    'date_from=2026-01-01&date[1]=2026-01-31 date_to=2026-01-01&date_to=2026-01-01 date_from[]=2026-01-01',
  ))
    refusal(query)
})

test('sort_by with sort_order is one key of sort', () => {
  same('sort_by=name&sort_order=desc', 'sort[0][0]=name&sort[0][1]=desc')
  same('sort_order=-1&sort_by=price', 'sort[0][0]=price&sort[0][1]=desc')
  same('sort_by=name', 'sort[0][0]=name')
  assert.deepEqual(refusal('sort_by=nane'), { parameter: 'sort_by', index: 0, unknown: 'nane', suggestion: 'name' })
  assert.equal(refusal('sort_by=name&sort_order=up').parameter, 'sort_order')
  assert.equal(refusal('sort_order=asc').parameter, 'sort_order')
  assert.match(messageOf('sort_order=asc'), /sort_by=name&sort_order=asc/)
  for (const query of words('sort_by=name&sort[0][0]=id sort_by=name&sort_by=id sort_by[0]=name')) refusal(query)
})

test('a refusal names the key that was sent', () => {
  const names: [query: string, name: string, index?: number | string][] = [
    ['filters[3][0]=prise&filters[3][1]=1', 'filters[3]', 3],
    ['filter[type][0]=id&filter[type][1]=x', 'filter[type]', 'type'],
    ['filters[a][0]=id&filters[a][1]=1&filters[7][0]=id&filters[7][1]=<>&filters[7][2]=1', 'filters[7]', 7],
    ['filters[9][0]=id', 'filters[9]', 9],
    ['filters[0][0]=id&filters[0][0]=id', 'filters[0][0]'],
    ['filters[4]=id', 'filters[4]'],
    ['sort[4][0]=nane', 'sort[4]', 4],
    ['sort[x][0]=name&sort[y][0]=name', 'sort[y]', 'y'],
    ['date[]=soon', 'date[]', 0],
    ['date[1]=soon', 'date[1]', 1],
    ['date[7]=soon', 'date[7]', 7],
    ['date[3]=2026-01-01&date[9]=soon', 'date[9]', 9],
    ['sort[7]=nane', 'sort[7]', 7],
    ['sort[7]=name&sort[9]=up', 'sort[9]', 7],
    ['sort[3]=name&sort[5]=asc&sort[7]=id', 'sort[7]', 7],
    ['fields[2]=prise', 'fields[2]'],
    ['selects[x]=price,prise', 'selects[x]'],
  ]
  for (const [query, name, index] of names) {
    assert.ok(messageOf(query).includes(name), `${query}: ${messageOf(query)}`)
    assert.equal(refusal(query).index, index, query)
    assert.ok(name.startsWith(String(refusal(query).parameter)), query)
  }
  assert.match(messageOf('sort_by=name&sort_order=up'), /^sort_order: /)
  assert.ok(messageOf('with[1]=price', priceLists).includes('with[1]'))
})

test('how many keys may stand under one bracket is bounded', () => {
  const many = (count: number, pair: (key: number) => string) =>
    Array.from({ length: count }, (_, i) => pair(i)).join('&')
  const value = (key: number) => `filters[x][1][v${key}]=${key}`
  parseList(products, `filters[x][0]=id&${many(100, value)}`)
  assert.deepEqual(refusal(`filters[x][0]=id&${many(101, value)}`), { parameter: 'filters', index: 'x', maximum: 100 })
  assert.deepEqual(refusal(many(2_000, value)), { parameter: 'filters', maximum: 128 })
  assert.deepEqual(refusal(many(2_000, (key) => `filters[k${key}][0]=id`)), { parameter: 'filters', maximum: 128 })
  assert.deepEqual(refusal(many(2_000, (key) => `fields[k${key}]=id`)), { parameter: 'fields', maximum: 128 })
})

test('include may name related data that is always there, which changes nothing', () => {
  const list = defineList({
    maxLimit: 10,
    always: ['id'],
    members: ['id', 'recipe', 'prices'],
    columns: { id: 'integer' },
    sortable: ['id'],
    include: ['prices'],
    embedded: ['recipe'],
  })
  for (const query of words('include=recipe with[3]=recipe with[]=recipe')) same(query, '', list)
  same('include=recipe,prices', 'include=prices', list)
  assert.deepEqual(parseList(list, 'fields=recipe').fields, new Set(['id', 'recipe']))
  assert.equal(refusal('include=recipes', list).suggestion, 'recipe')
})
