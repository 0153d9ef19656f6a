import assert from 'node:assert/strict'
import test from 'node:test'
import { hasLocalTime, hasLocalTimeIn, translateOrder, translateQuery, withInstants } from './request.ts'

const PARIS = 'Europe/Paris'

/** A translated query as its decoded pairs. */
const queryOf = (route: string, raw: string) =>
  [...new URLSearchParams(translateQuery(route, raw, PARIS))].map(([name, value]) => `${name}=${value}`)

const asName = (query: object) => `${encodeURIComponent(JSON.stringify(query))}=`

test('a query in the spelling of existing clients is ours', () => {
  const rows: [route: string, raw: string, ...ours: string[]][] = [
    ['/receipts', '', ...[]],
    ['/receipts', 'page=2&limit=20', 'page=2', 'limit=20'],
    ['/receipts', 'sort_by=created_at&sort_order=-1', 'sort_by=created_at', 'sort_order=-1'],
    ['/products', 'page=1&limit=200', 'page=1', 'limit=200', 'include=details'],
    // The whole query as one JSON object, used as the name of a parameter.
    [
      '/products',
      asName({ page: 1, limit: 50, 'selects[]': 'id,name' }),
      'page=1',
      'limit=50',
      'selects[]=id,name',
      'include=details',
    ],
    ['/products', asName({ filters: { giftable: ['giftable', 1] } }), 'filters=[["giftable",1]]', 'include=details'],
    [
      '/products',
      asName({ filters: [['type', ['GOODS', 'DISH']]] }),
      'filters=[["type",["PRODUCT","DISH"]]]',
      'include=details',
    ],
    [
      '/products',
      asName({ 'selects[]': ['id', 'name'], page: null }),
      'selects[]=id',
      'selects[]=name',
      'include=details',
    ],
    ['/stations', asName({ can_print: true }), 'filters=[["can_print","true"]]'],
    // Plain parameters.
    ['/products', 'type=GOODS&category_id=3', 'filters=[["type","PRODUCT"],["category_id","3"]]', 'include=details'],
    [
      '/products',
      'filters=[["price",">",1]]&type=DISH',
      'filters=[["price",">",1],["type","DISH"]]',
      'include=details',
    ],
    ['/stations', 'can_print=true&status=1', 'status=1', 'filters=[["can_print","true"]]'],
    ['/categories', 'type=PRODUCT&include_children=true', 'type=PRODUCT', 'include_children=true'],
    // Filters.
    ['/customers', 'filters[0][0]=name&filter[0][1]=Ann', 'filters=[["name","Ann"]]', 'include=details'],
    [
      '/customers',
      'filters[a][0]=group_id&filters[a][1][0]=1&filters[a][1][]=2',
      'filters=[["group_id",["1","2"]]]',
      'include=details',
    ],
    ['/products', 'filters=["type","GOODS"]', 'filters=[["type","PRODUCT"]]', 'include=details'],
    ['/products', 'filters=[["type","!=","GOODS"]]', 'filters=[["type","!=","PRODUCT"]]', 'include=details'],
    [
      '/products',
      'filters=[["tags",[1,2]],["has_modifiers",1]]',
      'filters=[["tags",[1,2]],["has_modifiers",1]]',
      'include=details',
    ],
    // Related data.
    ['/customers', 'with[0]=group&with[1]=balance&with[2]=cashback_balance', 'include=details'],
    ['/customers/:id', 'with=group', 'include=details'],
    ['/products/:id', 'with[]=taxes&with[]=unit', 'include=details,taxes,unit'],
    ['/orders/:id', 'with_=receipt:id', 'include=receipt'],
    ['/orders/:id', 'with=receipt:id,service_notification_id,status', 'include=receipt'],
    ['/price-lists', 'with_=prices', 'include=prices'],
    // Date-times without a zone are the venue's; dates and instants stay.
    [
      '/receipts',
      'date_from=2026-07-01T10:00:00&date_to=2026-12-01 10:00:00.123456',
      'date_from=2026-07-01T08:00:00.000Z',
      'date_to=2026-12-01T09:00:00.123Z',
    ],
    [
      '/receipts',
      'date[0]=2026-07-01&date[1]=2026-07-02T00:00:00Z',
      'date[0]=2026-07-01',
      'date[1]=2026-07-02T00:00:00Z',
    ],
    [
      '/receipts',
      'filters=[["closed_at",">=","2026-07-01 10:00:00"]]',
      'filters=[["closed_at",">=","2026-07-01T08:00:00.000Z"]]',
    ],
    [
      '/receipts',
      'filters=[["order_number","2026-07-01 10:00:00"]]',
      'filters=[["order_number","2026-07-01 10:00:00"]]',
    ],
  ]
  for (const [route, raw, ...ours] of rows) assert.deepEqual(queryOf(route, raw), ours, `${route}?${raw}`)
})

test('what cannot be read stays as it was sent, for the API to refuse', () => {
  for (const [raw, ...ours] of [
    ['colour=red', 'colour=red'],
    ['{"page":1=', '{"page":1='],
    ['{}=1', '{}=1'],
    ['filters=not json', 'filters=not json'],
    ['filters=[1,2]', 'filters=[1,2]'],
    ['filters[0]=type', 'filters[0]=type'],
    ['filters[0][0]=type&filters[0][0]=name', 'filters[0][0]=type', 'filters[0][0]=name'],
    ['filters=[["id",1]]&filter[0][0]=id', 'filters=[["id",1]]', 'filter[0][0]=id'],
    ['filters=[["type"]]', 'filters=[["type"]]'],
    ['filters=[["created_at"]]', 'filters=[["created_at"]]'],
    [asName({ '\ud800': '\udc00' }), '\ufffd=\ufffd'],
    ['date_from=2026-02-31 10:00:61', 'date_from=2026-02-31 10:00:61'],
    ['date_from=2026-02-31T10:00:00', 'date_from=2026-02-31T10:00:00'],
    ['date_from=2026-02-28T24:00:00', 'date_from=2026-02-28T24:00:00'],
    ['date_from=0001-01-01 10:00:00', 'date_from=0001-01-01 10:00:00'],
  ] as [string, ...string[]][])
    assert.deepEqual(queryOf('/products', raw), [...ours, 'include=details'], raw)
  assert.equal(translateQuery('/receipts', 'date_from=2026-07-01T10', undefined), 'date_from=2026-07-01T10')
  assert.match(translateQuery('/receipts', 'date_from=2026-07-01T10:00', undefined), /=2026-07-01T10%3A00$/)
  assert.throws(() => translateQuery('/products', 'filters=%ZZ', PARIS), { name: 'invalid_parameter' })
})

test('a venue is asked for its zone only where a time has none', () => {
  for (const raw of ['date_from=2026-07-01T10:00', 'date[0]=2026-07-01+10%3A00%3A00', 'x=2026-07-01%2010:00'])
    assert.ok(hasLocalTime(raw), raw)
  assert.ok(!hasLocalTime('date_from=2026-07-01&page=1'))
  assert.ok(hasLocalTimeIn({ closed_at: '2026-07-01 10:00:00' }))
  for (const body of [
    { closed_at: '2026-07-01T10:00:00Z' },
    { closed_at: '' },
    { closed_at: { toString: 1 } },
    { note: '2026-07-01 10:00' },
    null,
    [1],
  ])
    assert.ok(!hasLocalTimeIn(body), JSON.stringify(body))
})

test('times of bodies are the venue’s, through both changes of the clock', () => {
  for (const [local, instant] of [
    ['2026-07-01 10:00:00', '2026-07-01T08:00:00.000Z'],
    ['2026-03-29T02:30:00', '2026-03-29T01:00:00.000Z'], // skipped: the first moment after it
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'], // shown twice: the first time
    ['2026-07-01T10:00:00+02:00', '2026-07-01T10:00:00+02:00'],
  ])
    assert.deepEqual(withInstants({ id: 1, closed_at: local }, PARIS), { id: 1, closed_at: instant })
  assert.deepEqual(withInstants('text', PARIS), 'text')
})

test('the older body of an order is made flat; what is only shown there is left out, what is unknown stays', () => {
  const service = { sale_type_id: 2, sale_type_name: 'Delivery', venue_id: 1, venue_name: 'Main' }
  const line = {
    product_id: 1,
    count: 2,
    product_modificators: [{ modificator_id: 7, count: 1 }],
    meta: {
      price: 0,
      order_product: { product: { id: 1, name: 'Tea' }, count: 2, status: 'completed', product_hash: 'x' },
    },
  }
  const flatLine = { product_id: 1, count: 2, modifiers: [{ modifier_id: 7, count: 1 }] }
  const rows: [older: object, flat: object][] = [
    [
      {
        customer_id: 1,
        payload: {
          service,
          customer: { id: 9, name: 'Ann', phone: '+1', customer_discount_type: 1 },
          products: [line],
        },
        meta: {
          comment: 'Ring',
          discount: { discount_type: 1, discount_value: 10 },
          orderTotal: '16.2000',
          apply_service_charge: true,
          customer_discount_type: 0,
          service_charge_value: 0,
        },
      },
      {
        venue_id: 1,
        sale_type_id: 2,
        customer: { id: 9, name: 'Ann', phone: '+1', customer_discount_type: 1 },
        products: [flatLine],
        comment: 'Ring',
        discount: { discount_type: 1, discount_value: 10 },
      },
    ],
    [
      { customer_id: 4, payload: { service: { sale_type_id: 2 }, products: [{ product_id: 1, count: 1 }] } },
      { sale_type_id: 2, customer: { id: 4 }, products: [{ product_id: 1, count: 1 }] },
    ],
    [
      { payload: { service: {}, products: 'none' }, meta: { apply_service_charge: false }, order_number: 'A-1' },
      { order_number: 'A-1', products: 'none', service_charge: { enabled: false } },
    ],
    // Nothing is invented: without ids the API refuses it.
    [{ payload: {} }, {}],
    [
      {
        payload: {
          service: { floor: 1 },
          colour: 'red',
          products: [{ product_id: 1, count: 1, meta: { wish: 1 } }, 5],
        },
        meta: { mood: 'good' },
        more: 1,
      },
      { colour: 'red', floor: 1, mood: 'good', more: 1, products: [{ wish: 1, product_id: 1, count: 1 }, 5] },
    ],
    // The newer body is ours already, but for the status of its lines.
    [
      { sale_type_id: 2, status: 'new', products: [{ product_id: 1, count: 1, status: 'new' }, 5] },
      { sale_type_id: 2, status: 'new', products: [{ product_id: 1, count: 1 }, 5] },
    ],
    [
      { payload: { products: [{ product_id: 1, status: 'new' }], customer: null }, meta: null },
      { products: [{ product_id: 1 }] },
    ],
  ]
  for (const [older, flat] of rows) assert.deepEqual(translateOrder(older), flat)
  for (const body of [null, undefined, 5, 'text', [1]]) assert.deepEqual(translateOrder(body), body)
})

test('an older order with members of a wrong type, or with one of them twice, is left to be refused', () => {
  for (const body of [
    { payload: 'text' },
    { payload: { service: 'Main' } },
    { payload: { customer: 'Ann' } },
    { payload: { meta: [1] } },
    { payload: {}, meta: 'text' },
    { payload: { products: [] }, products: [{ product_id: 1 }] },
    { payload: { customer: { id: 1 } }, customer: { id: 2 } },
    { payload: { service: { venue_id: 1 } }, venue_id: 2 },
  ])
    assert.deepEqual(translateOrder(body), body)
  for (const [line, ours] of [
    [{ product_modificators: 'none' }, { modifiers: 'none' }],
    [{ product_modificators: [], modifiers: [] }],
    [{ meta: 'text' }],
  ] as [object, object?][])
    assert.deepEqual(translateOrder({ payload: { products: [line] } }), { products: [ours ?? line] })
  const charged = { payload: {}, meta: { apply_service_charge: 'no' } }
  assert.deepEqual(translateOrder(charged), { apply_service_charge: 'no' })
})
