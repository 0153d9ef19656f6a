import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineList, parseList } from './list.ts'
import { find, messageOf, priceLists, products, refusal, same, storeEach, words } from './list-fixture.ts'
import { listParameters } from './parameters.ts'

// D2.1: names and spellings.

test('per_page and page_size mean limit', () => {
  same('per_page=7', 'limit=7')
  same('page_size=7', 'limit=7')
})

test('filter means filters, in brackets too', () => {
  same('filter=[["id",1]]', 'filters=[["id",1]]')
  same('filter[0][0]=id&filter[0][1]=1', 'filters=[["id",1]]')
})

test('selects and selects[] mean fields', () => {
  same('selects=price,status', 'fields=price,status')
  same('selects[]=price&selects[]=status', 'fields=price,status')
  same('selects[1]=status&selects[0]=price', 'fields=price,status')
})

test('with, with[], with[N] and include[] mean include', () => {
  for (const spelling of ['with', 'with[]', 'with[0]', 'include[]', 'include[0]'])
    same(`${spelling}=prices`, 'include=prices', priceLists)
})

test('raw and percent-encoded brackets are equal', () => {
  same('sort%5B0%5D%5B0%5D=name&sort%5b0%5d%5b1%5d=desc', 'sort[0][0]=name&sort[0][1]=desc')
  same('with%5B%5D=prices', 'with[]=prices', priceLists)
})

test('a query string is decoded once, and + is a space', () => {
  assert.deepEqual(parseList(products, 'filters[0][0]=name&filters[0][1]=a+b%2B%2525').where.values, ['a b+%25'])
  same('filters[0][0]=id&filters[0][1]=not+in&filters[0][2][0]=1', 'filters=[["id","not in",[1]]]')
})

test('empty pairs of a query string are nothing', () => {
  same('', 'page=1')
  same('&page=2&&limit=5&', 'page=2&limit=5')
})

// D2.2: page, limit, and what is refused.

test('page is 1, limit 50 and the order by id when nothing is said', () => {
  assert.deepEqual(parseList(products, ''), {
    page: 1,
    limit: 50,
    offset: 0,
    walk: undefined,
    everyVenue: false,
    where: { text: '', values: [] },
    filtered: { text: '', values: [] },
    dates: [undefined, undefined],
    days: undefined,
    order: 'id',
    fields: undefined,
    include: new Set(),
    named: new Set(),
    own: {},
  })
})

test('limit goes up to the maximum of its list and is refused beyond, never clamped', () => {
  assert.equal(parseList(products, 'limit=100').limit, 100)
  assert.equal(parseList(priceLists, 'limit=999').limit, 999)
  assert.deepEqual(refusal('limit=101'), { parameter: 'limit', minimum: 1, maximum: 100 })
  assert.deepEqual(refusal('per_page=1000', priceLists), { parameter: 'per_page', minimum: 1, maximum: 999 })
})

test('page and limit are refused unless they are integers from 1', () => {
  for (const value of ['0', '-1', '1.5', '1.0', '1e1', '0x1', '01', '+1', ' 1', '', 'one', '9007199254740992']) {
    assert.equal(refusal(`page=${encodeURIComponent(value)}`).parameter, 'page')
    assert.equal(refusal(`limit=${encodeURIComponent(value)}`).parameter, 'limit')
  }
  assert.equal(refusal('page').parameter, 'page')
})

test('the last page there can be has an offset that is still exact', () => {
  const { page, offset } = parseList(products, 'page=9007199254740991&limit=100')
  assert.equal(page, Number.MAX_SAFE_INTEGER)
  assert.ok(Number.isSafeInteger(offset))
})

test('a parameter given twice is refused, in one spelling or in two', () => {
  const twice = words(`
    page=1&page=1  limit=1&per_page=1  filters=[]&filter=[]  fields=id&selects=id  selects=id&selects[]=id
    selects[]=id&selects[0]=id  sort[0][0]=id&sort[0][0]=id  filters=[]&filters[0][0]=id
    filters[0][1]=1&filters[0][1][0]=1  filters[0][1][0]=1&filters[0][1]=1  filters[0][1]=1&filters[0][1][1]=1  filters[0][0]=id&filter[0][1]=1
    date[0]=2026-01-01&date[0]=2026-01-01`)
  for (const query of twice) refusal(query)
  refusal('include=prices&with=prices', priceLists)
  refusal('with[0]=prices&with[]=prices', priceLists)
})

test('an unknown parameter is refused with the nearest known one', () => {
  assert.deepEqual(refusal('pgae=2'), { parameter: 'pgae', unknown: 'pgae', suggestion: 'page' })
  assert.equal(refusal('sorts[0][0]=id').suggestion, 'sort')
  assert.equal(refusal('LIMIT=1').suggestion, 'limit')
  assert.equal(refusal('perpage=1').suggestion, 'per_page')
})

test('a name that is near to none is refused with all that are known', () => {
  const { suggestion, known } = refusal('x=1') as { suggestion?: string; known: string[] }
  assert.equal(suggestion, undefined)
  for (const name of ['page', 'limit', 'filters', 'sort']) assert.ok(known.includes(name), name)
  assert.match(messageOf('x=1'), /valid names: page, limit/)
  for (const query of words('fields=modifier sort[0][0]=popularity filters=["weight",1] colour=1 filters=["nme_x",1]'))
    assert.equal(refusal(query).suggestion, undefined, query)
  assert.match(messageOf('sort[0][0]=popularity'), /valid names: id, name, price/)
})

test('a letter swapped, missing or too many is near, for every three letters one', () => {
  const near = {
    filtesr: 'filters',
    inclde: 'include',
    fiedls: 'fields',
    pag: 'page',
    pagination: undefined,
    da: undefined,
  }
  for (const [name, suggestion] of Object.entries(near))
    assert.equal(refusal(`${name}=1`, priceLists).suggestion, suggestion, name)
  assert.equal(refusal(`${'page'.repeat(4_000)}=1`).suggestion, undefined)
})

test('a parameter that the list does not have is unknown to it', () => {
  assert.equal(refusal('include=prices').parameter, 'include')
  assert.equal(refusal('date[0]=2026-01-01', priceLists).parameter, 'date[0]')
})

test('names that every object inherits are just unknown', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
    refusal(`${name}=1`)
    refusal(`${name}[0][0]=1`)
    refusal(`fields=${name}`)
    refusal(`include=${name}`, priceLists)
    refusal(`sort[0][0]=${name}`)
    refusal(`filters=[["${name}",1]]`)
    refusal(`filters=[["id","${name}",1]]`)
  }
})

test('a malformed percent sequence is refused', () => {
  for (const value of ['%', '%zz', '%c3', '%ff', '%ed%a0%80']) {
    assert.equal(refusal(`fields=${value}`).parameter, 'fields')
    refusal(`${value}=1`)
  }
})

test('a query string that is not ASCII is refused, because its bytes came undecoded', () => {
  assert.equal(refusal('filters=[["name","Ã§ay"]]').parameter, 'filters')
})

test('brackets other than those of the parameter are refused', () => {
  const malformed = words(`
    page[0]=1  limit[]=1  sort=name  sort[0][0][0]=name
    sort[0=name  sort[0]x=name  sort[0]+[0]=name  sort[0][0]]=id  sort[[0]]=id  date=2026-01-01
    filters[0]=id  filters[]=id  filters[0][0][0][0]=id  filters[0]=id&filters[1]=1  fields[0][0]=id`)
  for (const query of malformed) refusal(query)
})

// D2.3: filters.

test('filters is a JSON array of filters that all must hold', () => {
  storeEach({ type: 'DISH', price: 10_0000 }, { type: 'PRODUCT', price: 9_9999 }, { type: 'PRODUCT', price: 10_0000 })
  assert.deepEqual(find('filters=[["type","PRODUCT"],["price",">=",10]]'), [3])
  assert.deepEqual(find('filters=[]'), [1, 2, 3])
})

test('one bare filter is read as an array of one', () => {
  same('filters=["type","PRODUCT"]', 'filters=[["type","PRODUCT"]]')
  same('filters=["type",["PRODUCT","DISH"]]', 'filters=[["type",["PRODUCT","DISH"]]]')
})

test('filters in brackets mean the same as in JSON', () => {
  same('filters[0][0]=type&filters[0][1]=PRODUCT', 'filters=[["type","PRODUCT"]]')
  same('filters[0][0]=type&filters[0][1][0]=A&filters[0][1][1]=B', 'filters=[["type",["A","B"]]]')
  same('filters[0][0]=id&filters[0][1]=not in&filters[0][2][0]=1', 'filters=[["id","not in",[1]]]')
  same(
    'filters[1][2]=10&filters[1][1]=>=&filters[1][0]=price&filters[0][1]=A&filters[0][0]=type',
    'filters=[["type","A"],["price",">=",10]]',
  )
})

test('the operators compare', () => {
  storeEach({}, {}, {})
  const expected = { '=': [2], '!=': [1, 3], '>': [3], '>=': [2, 3], '<': [1], '<=': [1, 2] }
  for (const [operator, ids] of Object.entries(expected)) assert.deepEqual(find(`filters=["id","${operator}",2]`), ids)
  assert.deepEqual(find('filters=["id","in",[1,3,5]]'), [1, 3])
  assert.deepEqual(find('filters=["id","not in",[1,3,5]]'), [2])
})

test('like finds text that contains the value, whatever its case', () => {
  storeEach({ name: 'Green TEA' }, { name: 'Coffee' }, { name: 'WEISSBIER' }, { name: 'Cafe\u0301' })
  assert.deepEqual(find('filters=["name","like","n te"]'), [1])
  assert.deepEqual(find('filters=["name","like","weißbier"]'.replace('ß', '%C3%9F')), [3])
  assert.deepEqual(find('filters=["name","like","%C3%89"]'), [4])
  assert.deepEqual(find('filters=["name","like","cafe"]'), [])
  assert.deepEqual(find('filters=["name","like",""]'), [1, 2, 3, 4])
  assert.deepEqual(find(`filters=["name","like","${'a'.repeat(60_000)}"]`), [])
})

test('% and _ stand for themselves in like', () => {
  storeEach({ name: 'Milk 2%' }, { name: 'Milk' }, { name: 'Milk_2' }, { name: 'Milk 2\\' })
  assert.deepEqual(find('filters=["name","like","%25"]'), [1])
  assert.deepEqual(find('filters=["name","like","k_"]'), [3])
  assert.deepEqual(find('filters=["name","like","\\\\"]'), [4])
})

test('like searches text only', () => {
  assert.equal(refusal('filters=["price","like","1"]').index, 0)
})

test('is null and is not null ignore their value', () => {
  storeEach({ parent_id: 5 }, { parent_id: null })
  for (const value of ['null', '"x"', '[[1]]', '{}']) {
    assert.deepEqual(find(`filters=["parent_id","is null",${value}]`), [2])
    assert.deepEqual(find(`filters=["parent_id","is not null",${value}]`), [1])
  }
  assert.deepEqual(find('filters[0][0]=parent_id&filters[0][1]=is null&filters[0][2]='), [2])
})

test('a filter of two whose value is a list means in, and null means is null', () => {
  same('filters=["id",[1,2]]', 'filters=["id","in",[1,2]]')
  same('filters=["parent_id",null]', 'filters=["parent_id","is null",0]')
  same('filters=["parent_id","=",null]', 'filters=["parent_id","is null",0]')
  same('filters=["parent_id","!=",null]', 'filters=["parent_id","is not null",0]')
})

test('an absent value is unequal to every value, and neither before nor after any', () => {
  storeEach({ cost_price: null }, { cost_price: 1_0000 })
  assert.deepEqual(find('filters=["cost_price","!=",1]'), [1])
  assert.deepEqual(find('filters=["cost_price","not in",[1,2]]'), [1])
  for (const operator of ['<', '<=', '>', '>=']) assert.ok(!find(`filters=["cost_price","${operator}",1]`).includes(1))
})

test('an empty list holds nothing', () => {
  storeEach({}, { parent_id: 1 })
  assert.deepEqual(find('filters=["parent_id","in",[]]'), [])
  assert.deepEqual(find('filters=["parent_id","not in",[]]'), [1, 2])
})

test('20 filters and 100 values in a list are read, one more is refused', () => {
  const filters = (count: number) => `filters=${JSON.stringify(Array(count).fill(['id', 1]))}`
  const values = (count: number) => `filters=${JSON.stringify(['id', Array.from({ length: count }, (_, i) => i)])}`
  parseList(products, filters(20))
  parseList(products, values(100))
  assert.deepEqual(refusal(filters(21)), { parameter: 'filters', maximum: 20 })
  assert.deepEqual(refusal(values(101)), { parameter: 'filters', index: 0, maximum: 100 })
  refusal(Array.from({ length: 21 }, (_, i) => `filters[${i}][0]=id&filters[${i}][1]=1`).join('&'))
})

test('a value is read by the type of its field in both notations', () => {
  const read = (field: string, json: string) => parseList(products, `filters=["${field}",${json}]`).where.values[0]
  const readText = (field: string, text: string) =>
    parseList(products, `filters[0][0]=${field}&filters[0][1]=${encodeURIComponent(text)}`).where.values[0]

  const integers = { '10': 10, '-3': -3, '0': 0, '-0': 0, '9007199254740991': 9007199254740991 }
  const decimals = {
    '10': 100000,
    '10.5': 105000,
    '0.0001': 1,
    '-1.25': -12500,
    '-0': 0,
    '100000000000': 1e15,
    '0.07': 700,
  }
  const booleans = { '1': 1, true: 1, '0': 0, false: 0 }
  for (const [field, values] of Object.entries({ id: integers, price: decimals, has_modifications: booleans }))
    for (const [text, stored] of Object.entries(values))
      for (const value of [read(field, text), read(field, `"${text}"`), readText(field, text)])
        assert.ok(Object.is(value, stored), `${field} ${text} was read as ${value}`)

  for (const value of [read('name', '"10"'), readText('name', '10')]) assert.equal(value, '10')
})

test('a value of the wrong type is refused with the index of its filter', () => {
  const wrong = {
    id: '1.5 "1.0" "one" "" "+1" "01" true 9007199254740992 "9007199254740992" {} [[1]] 1e400',
    price: '"ten" "1." ".5" "1e3" 0.00001 "1.00000" 1e12 "900000000000.0001" false "NaN" "1,5"',
    has_modifications: '"yes" 2 "TRUE" "" {}',
    name: '10 true {} "\\u0000" "\\ud800" {"toString":1}',
    created_at: '20260101 "yesterday" "" true ["2026-01-01"] {"toString":1}',
  }
  for (const [field, values] of Object.entries(wrong))
    for (const value of words(values)) {
      const details = refusal(`filters=[["id",1],["${field}","=",${value}]]`)
      assert.equal(details.parameter, 'filters')
      assert.equal(details.index, 1, `${field} ${value}`)
    }
  refusal('filters[0][0]=name&filters[0][1]=%00')
})

test('a list and a single value are not taken for each other, and null is no value of a list', () => {
  for (const filter of words('["id","in",1] ["id","=",[1]] ["name","like",["a"]] ["id",[1,null]] ["id",">",null]'))
    assert.equal(refusal(`filters=${filter}`).index, 0)
})

test('an unknown field or operator is refused with the index of its filter and the nearest known one', () => {
  assert.deepEqual(refusal('filters=[["id",1],["prise",1]]'), {
    parameter: 'filters',
    index: 1,
    unknown: 'prise',
    suggestion: 'price',
  })
  assert.deepEqual(refusal('filter=["id","notin",[1]]'), {
    parameter: 'filter',
    index: 0,
    unknown: 'notin',
    suggestion: 'not in',
  })
})

test('operators are read whatever their case', () => {
  for (const [one, other] of [
    ['NOT IN', 'not in'],
    ['Like', 'like'],
    ['IS NOT NULL', 'is not null'],
  ]) {
    const value = other === 'not in' ? '["x"]' : '"x"'
    same(`filters=["name","${one}",${value}]`, `filters=["name","${other}",${value}]`)
  }
})

test('an operator is suggested only for another spelling of itself', () => {
  for (const operator of ['<>', '==', '=>', 'not like', 'ilike', 'liek', 'between', 'is', 'not', '']) {
    const { suggestion, known } = refusal(`filters=["name",${JSON.stringify(operator)},"x"]`)
    assert.equal(suggestion, undefined, operator)
    assert.ok((known as string[]).includes('not in'))
  }
  assert.equal(refusal('filters=["name","IsNotNull",1]').suggestion, 'is not null')
  assert.equal(refusal('filters=["name","not_in",["x"]]').suggestion, 'not in')
})

test('a two-element filter refuses `is null` and `is not null` as a value; other operators may be names', () => {
  for (const value of ['is null', 'is not null', 'IS NULL']) {
    assert.deepEqual(refusal(`filters=[["id",1],["barcode","${value}"]]`), { parameter: 'filters', index: 1 })
    refusal(`filters[0][0]=barcode&filters[0][1]=${value}`)
  }
  assert.match(messageOf('filters=["barcode","is null"]'), /\["barcode","is null",null\]/)
  storeEach({ name: 'like' }, { name: 'is null' }, { name: 'in' })
  assert.deepEqual(find('filters=["name","like"]'), [1])
  assert.deepEqual(find('filters=["name","in"]'), [3])
  assert.deepEqual(find('filters=["name","=","is null"]'), [2])
})

test('filters that are no JSON array of filters are refused', () => {
  const bodies = words(`
    { type null 1 "id" {"id":1} [1] [null] [[]] [["id"]] ["id"] [["id","=",1,2]] [["id",1],"x"] [[["id"],1]] [[null,1]]
    [[{"toString":1},1]] [["id",{"toString":1},1]] [["id",null,1]]`)
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  for (const body of ['', ...bodies, '['.repeat(50_000), deep, `[[${deep},1]]`, `[["id",${deep}]]`])
    refusal(`filters=${body}`)
})

test('text is compared exactly, in its composed form and in code-point order', () => {
  storeEach({ name: 'Cafe\u0301' }, { name: 'café' }, { name: '\ufb01' }, { name: '\u{1f600}' })
  assert.deepEqual(find(`filters=["name","${encodeURIComponent('Café')}"]`), [1])
  assert.deepEqual(find(`filters=["name","${encodeURIComponent('cafe\u0301')}"]`), [2])
  assert.deepEqual(find(`filters=["name",">","${encodeURIComponent('\ufb01')}"]`), [4])
})

test('a decimal is compared exactly', () => {
  storeEach({ price: 1000 }, { price: 3000 }, { price: 3001 })
  assert.deepEqual(find('filters=["price",0.3]'), [2])
  assert.deepEqual(find('filters=["price",">","0.3"]'), [3])
})

test('an instant is a date or a date-time with Z or an offset, brought to UTC', () => {
  const read = (text: string) =>
    parseList(products, `filters=["created_at","${encodeURIComponent(text)}"]`).where.values[0]
  const instants = {
    '2026-01-31': '2026-01-31T00:00:00.000Z',
    '2024-02-29T23:59:59.5Z': '2024-02-29T23:59:59.500Z',
    '2026-01-31T09:30Z': '2026-01-31T09:30:00.000Z',
    '2026-01-01T01:30:00+04:00': '2025-12-31T21:30:00.000Z',
    '2026-01-01T00:00:00.123456-05:30': '2026-01-01T05:30:00.123Z',
    '0001-01-01': '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
  }
  for (const [text, instant] of Object.entries(instants)) assert.equal(read(text), instant)
})

test('a date that is in no calendar and a time that is on no clock are refused', () => {
  const wrong = words(`
    2026-02-29 2026-02-30 2026-04-31 2026-00-10 2026-13-01 2026-01-00 2026-01-32 26-01-01 2026-1-1 +002026-01-01
    2026-01-01Z 2026-01-01T00Z 2026-01-01T00:00:00 2026-01-01T00:00:00.Z 2026-01-01T24:00:00Z
    2026-01-01T23:60:00Z 2026-01-01T23:59:60Z 2026-01-01T00:00:00+24:00 2026-01-01T00:00:00+04:60
    0000-01-01 0000-12-31T23:59:59Z 0001-01-01T00:00:00+00:01 9999-12-31T23:59:59-00:01`)
  wrong.push('2026-01-01 00:00:00Z', '2026-01-01T00:00:00 04:00', ' 2026-01-01', '2026-01-01\n')
  for (const text of wrong) {
    const filter = JSON.stringify(['created_at', text])
    assert.equal(refusal(`filters=${encodeURIComponent(filter)}`).index, 0, text)
    assert.deepEqual(refusal(`date[0]=${encodeURIComponent(text)}`), { parameter: 'date', index: 0 }, text)
  }
})

// D2.5, D2.6: fields and include.

test('fields keeps the named members and those that are always there', () => {
  assert.deepEqual(parseList(products, 'fields=price').fields, new Set(['id', 'name', 'type', 'price']))
  assert.deepEqual(parseList(priceLists, 'fields=name').fields, new Set(['id', 'name']))
})

test('an unknown name in fields is refused with the nearest member', () => {
  assert.deepEqual(refusal('fields=name,prise'), { parameter: 'fields', unknown: 'prise', suggestion: 'price' })
  assert.equal(refusal('fields=parent_id').parameter, 'fields')
  for (const names of ['', 'name,', ',name', 'name, ', 'na me']) refusal(`fields=${names}`)
})

test('spaces around the names of fields and include do not matter', () => {
  same('fields=price, status', 'fields=price,status')
  same('fields=+price+,status+', 'fields=price,status')
  same('selects[]= price&selects[]=status', 'fields=price,status')
  same('include= prices', 'include=prices', priceLists)
})

test('50 names in fields are read, one more is refused', () => {
  parseList(products, `fields=${Array(50).fill('id').join(',')}`)
  assert.deepEqual(refusal(`fields=${Array(51).fill('id').join(',')}`), { parameter: 'fields', maximum: 50 })
})

test('include asks for related data, and what is unknown is refused', () => {
  assert.deepEqual(parseList(priceLists, 'include=prices').include, new Set(['prices']))
  assert.deepEqual(refusal('include=price', priceLists), {
    parameter: 'include',
    unknown: 'price',
    suggestion: 'prices',
  })
})

test('with fields, related data is included only when fields names it too', () => {
  assert.deepEqual(parseList(priceLists, 'include=prices&fields=name').include, new Set())
  assert.deepEqual(parseList(priceLists, 'fields=prices&include=prices').include, new Set(['prices']))
})

test('naming related data in fields without including it is refused', () => {
  assert.deepEqual(refusal('fields=name,prices', priceLists), { parameter: 'fields', field: 'prices' })
})

// D2.7: sort.

test('sort takes fields and directions, and the id is always the last key', () => {
  assert.equal(parseList(products, 'sort[0][0]=name&sort[0][1]=asc').order, 'name_folded, id')
  assert.equal(
    parseList(products, 'sort[0][0]=price&sort[0][1]=desc&sort[1][0]=name&sort[1][1]=asc').order,
    'price desc, name_folded, id',
  )
  assert.equal(parseList(products, 'sort[0][0]=id&sort[0][1]=desc').order, 'id desc')
})

test('1 and -1 are directions too, and asc is meant when none is given', () => {
  same('sort[0][0]=name&sort[0][1]=-1', 'sort[0][0]=name&sort[0][1]=desc')
  same('sort[0][0]=name&sort[0][1]=1', 'sort[0][0]=name&sort[0][1]=asc')
  same('sort[0][0]=name&sort[0][1]=DESC', 'sort[0][0]=name&sort[0][1]=desc')
  same('sort[0][0]=name', 'sort[0][0]=name&sort[0][1]=asc')
})

test('the short form of sort means one key', () => {
  same('sort[0]=created_at&sort[1]=-1', 'sort[0][0]=created_at&sort[0][1]=desc')
})

test('the two forms of sort are not mixed', () => {
  for (const query of [
    'sort[0]=name&sort[1][0]=price',
    'sort[0][0]=name&sort[1]=-1',
    'sort[0]=id&sort[1]=1&sort[2]=name',
  ])
    assert.equal(refusal(query).parameter, 'sort')
})

test('an unknown sort field or direction is refused with the nearest known one', () => {
  assert.deepEqual(refusal('sort[0][0]=id&sort[1][0]=nane'), {
    parameter: 'sort',
    index: 1,
    unknown: 'nane',
    suggestion: 'name',
  })
  assert.equal(refusal('sort[0][0]=type').parameter, 'sort')
  assert.equal(refusal('sort[0][0]=name&sort[0][1]=down').parameter, 'sort')
  assert.deepEqual(refusal('sort[0]=name&sort[1]=dsc').known, ['asc', 'desc', '1', '-1']) // asc is as near as desc
})

test('five sort keys are read, a sixth or the same field twice is refused', () => {
  const sort = (...fields: string[]) => fields.map((field, index) => `sort[${index}][0]=${field}`).join('&')
  parseList(products, sort('id', 'name', 'price', 'cost_price', 'barcode'))
  assert.deepEqual(refusal(sort('id', 'name', 'price', 'cost_price', 'barcode', 'created_at')), {
    parameter: 'sort',
    maximum: 5,
  })
  assert.deepEqual(refusal(sort('name', 'name')), { parameter: 'sort', index: 1 })
})

test('text sorts by its folded form in code-point order', () => {
  storeEach(
    { name: 'b' },
    { name: 'É' },
    { name: 'A' },
    { name: 'e' },
    { name: 'B' },
    { name: 'é' },
    { name: '\u{1f600}' },
  )
  assert.deepEqual(find('sort[0][0]=name'), [3, 1, 5, 4, 2, 6, 7])
})

test('rows without a value sort before all others, and after them when descending', () => {
  storeEach({ barcode: 'b' }, { barcode: null }, { barcode: '' })
  assert.deepEqual(find('sort[0][0]=barcode'), [2, 3, 1])
  assert.deepEqual(find('sort[0][0]=barcode&sort[0][1]=desc'), [1, 3, 2])
  const order = 'barcode_folded desc nulls last, id' // the engines differ where this is not said
  assert.equal(parseList(products, 'sort[0][0]=barcode&sort[0][1]=desc').order, order)
})

test('an id that is a text sorts as it is', () => {
  const customers = defineList({
    maxLimit: 200,
    always: ['id'],
    members: ['id'],
    columns: { id: 'text' },
    sortable: ['id'],
  })
  assert.equal(parseList(customers, 'sort[0][0]=id&sort[0][1]=desc').order, 'id desc')
})

// D2.8: date.

test('date is an inclusive range on created_at, a date being that whole day', () => {
  storeEach(
    { created_at: '2025-12-31T23:59:59.999Z' },
    { created_at: '2026-01-01T00:00:00.000Z' },
    { created_at: '2026-01-31T23:59:59.999Z' },
    { created_at: '2026-02-01T00:00:00.000Z' },
  )
  assert.deepEqual(find('date[0]=2026-01-01&date[1]=2026-01-31'), [2, 3])
  assert.deepEqual(find('date[0]=2026-01-01T00:00:00.001Z&date[1]=2026-02-01T00:00:00Z'), [3, 4])
  assert.deepEqual(find('date[1]=2026-01-01T03:59:59.999%2B04:00'), [1])
  assert.deepEqual(find('date[1]=2025-12-31'), [1])
  assert.deepEqual(find('date[0]=2026-02-01'), [4])
  assert.deepEqual(find('date[0]=2026-02-01&date[1]=2026-01-01'), [])
})

test('date and filters hold together', () => {
  storeEach({ created_at: '2026-01-01T00:00:00.000Z' }, { created_at: '2026-01-01T00:00:00.000Z' })
  assert.deepEqual(find('filters=["id",2]&date[0]=2026-01-01'), [2])
})

// The documentation.

test('listParameters documents what the list reads, and its examples are read', () => {
  for (const list of [products, priceLists]) {
    const parameters = listParameters(list)
    for (const { name, example } of parameters)
      if (name !== 'sort[0][1]' && example !== undefined) parseList(list, `${name}=${encodeURIComponent(example)}`)
    const described = parameters.map(({ name, description }) => `${name} ${description}`).join(' ')
    for (const spelling of list.spellings.keys()) assert.match(described, new RegExp(`\\b${spelling}\\b`))
    const limit = parameters.find(({ name }) => name === 'limit')
    assert.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: list.maxLimit, default: 50 })
  }
  const names = listParameters(products).map(({ name }) => name)
  assert.deepEqual(names, [
    'page',
    'limit',
    'filters',
    'fields',
    'sort[0][0]',
    'sort[0][1]',
    'date[0]',
    'date[1]',
    'after',
  ])
})

test('a default that the documentation names is read when it is sent alone', () => {
  for (const { name, schema } of [...listParameters(products), ...listParameters(priceLists)])
    if (schema.default !== undefined) parseList(products, `${name}=${schema.default}`)
})
