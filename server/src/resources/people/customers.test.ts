import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Answer } from '../../../test/service.ts'
import type { Customer } from './customer-schema.ts'

const CID = '3f0e1f9a-6c1e-4c39-9b5c-0c5c4a7b2d10'

const customerOf = ({ body }: Answer) => body.data as Customer
const faultsOf = ({ body }: Answer) =>
  (body.details as { errors: { field: string; rule: string; message: string }[] }).errors

onEachEngine('POST /customers', (make) => {
  const { brand, running } = api(make)

  const stored = async (brand_id: number) =>
    (await running()).deps.db.rows<Record<string, unknown>>('select * from customers where brand_id = ? order by id', [
      brand_id,
    ])

  test('answers exactly the members of §2.1 and §2.2, with the instant of its creation', async () => {
    const { post } = await brand()
    const answer = await post('/customers', {
      name: 'Aysel',
      email: 'aysel@example.az',
      phone: '+994 50 111-22-33',
      code: 'A1',
      cid: CID,
      description: 'Window seat',
      group_id: 1,
      gender: 2,
      date_of_birth: '1990-02-28',
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const { data, message, time, ...rest } = answer.body
    const now = '2026-03-01T12:00:00.000Z'
    assert.deepEqual(rest, { success: true, timestamp: now, unix: Date.parse(now) / 1000 })
    assert.equal(typeof message, 'string')
    assert.ok(Number.isInteger(time) && (time as number) >= 0)
    assert.deepEqual(data, {
      id: '1',
      name: 'Aysel',
      email: 'aysel@example.az',
      phone: '+994 50 111-22-33',
      group_id: 1,
      balance: { id: 1, amount: 0, type: 'CUSTOMER' },
      cashback_balance: { id: 2, amount: 0, type: 'CASHBACK' },
      created_at: now,
      group: (data as Customer).group,
    })
    assert.deepEqual(Object.keys(data as Customer), [
      'id',
      'name',
      'email',
      'phone',
      'group_id',
      'balance',
      'cashback_balance',
      'group',
      'created_at',
    ])
    assert.deepEqual(Object.keys((data as Customer).group), [
      'id',
      'name',
      'discount_type',
      'discount_value',
      'system_type',
      'total_amount',
      'created_at',
      'updated_at',
      'deleted_at',
    ])
  })

  test('needs a name only: the rest is left out of the answer, the group is the default, a cid is generated', async () => {
    const { id, post } = await brand({
      rows: [
        { kind: 'customer_group', id: 1, name: 'Staff', system_type: 'employee' },
        { kind: 'customer_group', id: 5, name: 'Guests', system_type: 'default' },
      ],
    })
    const customer = customerOf(await post('/customers', { name: 'Aysel' }))
    assert.deepEqual(Object.keys(customer).sort(), [
      'balance',
      'cashback_balance',
      'created_at',
      'group',
      'group_id',
      'id',
      'name',
    ])
    assert.equal(customer.group_id, 5)
    assert.equal(customer.group.name, 'Guests')
    const [row] = await stored(id)
    assert.match(String(row!.cid), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(row!.gender, null)
  })

  test('stores texts as they were sent, trimmed, and an empty one not at all', async () => {
    const { id, post } = await brand()
    const answer = await post('/customers', {
      name: '  Aÿsel \t',
      email: ' ',
      phone: '',
      code: '  ',
      cid: '',
      description: '  no nuts  ',
      gender: null,
      date_of_birth: '',
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(customerOf(answer).name, 'Aÿsel')
    const [{ email, phone, phone_key, code, code_key, description, date_of_birth } = {}] = await stored(id)
    assert.deepEqual(
      { email, phone, phone_key, code, code_key, description, date_of_birth },
      {
        email: null,
        phone: null,
        phone_key: null,
        code: null,
        code_key: null,
        description: 'no nuts',
        date_of_birth: null,
      },
    )
    assert.equal((await post('/customers', { name: 'Leyla', phone: '', code: '' })).status, 200)
  })

  test('takes null for an optional member as none at all', async () => {
    const { id, post } = await brand()
    const optional = ['email', 'phone', 'code', 'cid', 'description', 'group_id', 'gender', 'date_of_birth']
    const answer = await post('/customers', {
      name: 'Aysel',
      ...Object.fromEntries(optional.map((name) => [name, null])),
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(customerOf(answer).group_id, 1)
    const [{ email, phone, code, description, cid } = {}] = await stored(id)
    assert.deepEqual([email, phone, code, description], [null, null, null, null])
    assert.match(String(cid), /^[0-9a-f-]{36}$/)
  })

  test('continues the customer numbers after an import, and counts the customers', async () => {
    const { id, post } = await brand({ rows: [{ kind: 'customer', id: '41', name: 'Leyla' }] })
    assert.equal(customerOf(await post('/customers', { name: 'Aysel' })).id, '42')
    assert.equal(customerOf(await post('/customers', { name: 'Nigar' })).id, '43')
    const { db } = (await running()).deps
    const [counter] = await db.rows<{ value: number }>(
      `select value from counters where brand_id = ? and name = 'customers'`,
      [id],
    )
    assert.equal(counter!.value, 3)
  })

  // §4.2: 400

  test('answers 400 with all faults in the order of the schema, unknown members last, and stores nothing', async () => {
    const { id, post } = await brand()
    const answer = await post('/customers', {
      vip: true,
      date_of_birth: '2026-02-30',
      gender: 3,
      group_id: '1',
      description: 'x'.repeat(2001),
      cid: 'no',
      code: 'x'.repeat(65),
      phone: 5,
      email: 'a@b@c.d',
      name: ' ',
      points: 1,
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error, 'validation_failed')
    assert.deepEqual(
      faultsOf(answer).map(({ field, rule }) => `${field} ${rule}`),
      [
        'name required',
        'email format',
        'phone type',
        'code length',
        'cid format',
        'description length',
        'group_id type',
        'gender choice',
        'date_of_birth format',
        'vip unknown',
        'points unknown',
      ],
    )
    for (const { message } of faultsOf(answer)) assert.match(message, /^\w+ .*\.$/)
    assert.equal(answer.body.message, faultsOf(answer)[0]!.message)
    assert.deepEqual(Object.keys(answer.body), ['error', 'message', 'details'])
    assert.deepEqual(await stored(id), [])
  })

  const bad: [field: string, rule: string, ...values: unknown[]][] = [
    ['name', 'required', undefined, null, '', ' \t '],
    ['name', 'type', 7, true, [], {}],
    ['name', 'name', '\u200b', '\u2060\u00ad', '\u3164', 'a\tb', 'a\u001b[31mb'],
    ['name', 'length', 'x'.repeat(256), '😀'.repeat(256)],
    ['name', 'characters', 'a\0b', '\ud800', 'x\udc00y'],
    ['email', 'type', 7],
    [
      'email',
      'format',
      'a',
      '@',
      'a@',
      '@b.c',
      'a@b',
      'a@.c',
      'a@b.',
      'a@b..c',
      'a b@c.d',
      'a@b c.d',
      '<a@b.c>',
      'a@b@c.d',
      '.a@c.de',
      'a.@c.de',
      'a..b@c.de',
      'a@-c.de',
      'a@c-.de',
      'a@c_d.de',
      'a@c.-de',
      'a\u200b@c.de',
      '"a"@c.de',
      'a@[127.0.0.1]',
    ],
    ['email', 'length', `${'x'.repeat(60)}@${'y'.repeat(190)}.example`],
    ['phone', 'length', '1'.repeat(65)],
    ['phone', 'type', 994501112233],
    ['phone', 'format', '-', '(', '( ) - . /', '\u2013\u2014', '\u00a0-'],
    ['code', 'length', '1'.repeat(65)],
    ['cid', 'format', 'x', CID.slice(1), `{${CID}}`, CID.replaceAll('-', '')],
    ['description', 'length', 'x'.repeat(2001)],
    ['group_id', 'type', 1.5, '1', true, 2 ** 53],
    ['group_id', 'minimum', 0, -1],
    ['group_id', 'exists', 2, Number.MAX_SAFE_INTEGER],
    ['gender', 'choice', 3, -1, 1.5, '1', true],
    [
      'date_of_birth',
      'format',
      '2026-02-29',
      '1990-13-01',
      '1990-00-10',
      '90-01-01',
      '1990-1-1',
      '0000-01-01',
      '1990-01-01T00:00:00Z',
    ],
    ['date_of_birth', 'past', '2026-03-02', '9999-12-31'],
  ]
  for (const [field, rule, ...values] of bad)
    test(`answers 400 for a ${field} that breaks the rule ${rule}, naming nothing else`, async () => {
      const { post } = await brand()
      for (const value of values) {
        const answer = await post('/customers', { name: 'Aysel', [field]: value })
        assert.equal(answer.status, 400, JSON.stringify(value))
        assert.deepEqual(
          faultsOf(answer).map((fault) => [fault.field, fault.rule]),
          [[field, rule]],
          JSON.stringify(value),
        )
      }
    })

  test('takes each value at the edge of its rule', async () => {
    const { post } = await brand()
    const good = [
      { name: '😀'.repeat(255) },
      { name: ` ${'x'.repeat(255)} ` },
      { email: `${'x'.repeat(64)}@${'y'.repeat(63)}.${'z'.repeat(63)}.example` },
      { email: 'jörg.o’neil+pos@exämple.co.uk' },
      { email: "a.b-c_d!#$%&'*+/=?^`{|}~@c-d.de" },
      { email: '用户@例子.广告' },
      { email: 'उपयोगकर्ता@उदाहरण.कॉम' },
      { name: 'می\u200cخواهم' },
      ...[0, 1, 2, 9, null].map((gender) => ({ gender })),
      { date_of_birth: '2026-03-01' },
      { date_of_birth: '2024-02-29' },
      { phone: '1'.repeat(64), code: '2'.repeat(64), description: '3'.repeat(2000) },
      { cid: CID.toUpperCase() },
    ]
    for (const members of good) {
      const { status, text } = await post('/customers', { name: 'Aysel', ...members })
      assert.equal(status, 200, text)
    }
  })

  test('answers 400 for a body that is no object, and for none at all', async () => {
    const { post } = await brand()
    for (const body of ['[]', '"name"', '7', 'null', 'true', undefined]) {
      const answer = await post('/customers', body)
      assert.equal(answer.status, 400, String(body))
      assert.deepEqual(
        faultsOf(answer).map(({ field, rule }) => [field, rule]),
        [['body', 'type']],
      )
    }
  })

  test('names at most a hundred of thousands of unknown members', async () => {
    const { post } = await brand()
    const answer = await post('/customers', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, 1])))
    assert.equal(answer.status, 400)
    assert.equal(faultsOf(answer).length, 100)
    assert.equal(faultsOf(answer)[0]!.field, 'name')
  })

  test('repeats no value that was sent in a refusal', async () => {
    const { post } = await brand()
    const canary = 'canary-5f1c'
    for (const field of ['name', 'email', 'phone', 'code', 'cid', 'description', 'group_id', 'gender', 'date_of_birth'])
      for (const value of [`${canary}\0`, canary.repeat(300), { canary }, [canary]]) {
        const { status, text } = await post('/customers', { name: 'x', [field]: value })
        assert.equal(status, 400)
        assert.ok(!text.includes(canary), text)
      }
  })

  test('does not know the group of another brand', async () => {
    const [one, other] = [await brand({ rows: [{ kind: 'customer_group', id: 9, name: 'Club' }] }), await brand()]
    assert.equal((await one.post('/customers', { name: 'Aysel', group_id: 9 })).status, 200)
    assert.equal(faultsOf(await other.post('/customers', { name: 'Aysel', group_id: 9 }))[0]!.field, 'group_id')
  })

  // §4.2: 409

  const sameValues: [field: 'phone' | 'code' | 'cid', first: string, ...others: string[]][] = [
    [
      'phone',
      '+994 50 111-22-33',
      '+994501112233',
      '+994 (50) 111.22/33',
      '+994\u00a050\u2011111\u201322\u201433',
      ' +994501112233 ',
    ],
    ['code', 'Ésel', 'Ésel', 'E\u0301sel', ' Ésel '],
    ['cid', CID, CID.toUpperCase(), ` ${CID}`],
  ]
  for (const [field, first, ...others] of sameValues)
    test(`answers 409 when the ${field} is taken in the same brand, however it is written`, async () => {
      const { id, post } = await brand()
      assert.equal((await post('/customers', { name: 'Aysel', [field]: first })).status, 200)
      for (const value of others) {
        const { status, body } = await post('/customers', { name: 'Leyla', [field]: value })
        assert.equal(status, 409, value)
        assert.deepEqual(body, {
          error: `duplicate_${field}`,
          message: `Another customer already has this ${field}.`,
          details: { field },
        })
      }
      assert.equal((await stored(id)).length, 1)
    })

  test('knows the phones, codes and cids of imported customers', async () => {
    const { post } = await brand({
      rows: [{ kind: 'customer', id: 'x-1', name: 'Leyla', phone: '050 1', code: 'K', cid: CID }],
    })
    for (const [field, value] of [
      ['phone', '0501'],
      ['code', 'K'],
      ['cid', CID],
    ])
      assert.equal((await post('/customers', { name: 'Aysel', [field!]: value })).body.error, `duplicate_${field}`)
  })

  test('tells codes apart by case, and phones by their plus', async () => {
    const { post } = await brand()
    for (const members of [{ code: 'a' }, { code: 'A' }, { phone: '994' }, { phone: '+994' }])
      assert.equal((await post('/customers', { name: 'Aysel', ...members })).status, 200)
  })

  test('names the first of phone, code, cid when several are taken, by one customer or by several', async () => {
    const { post } = await brand()
    const cid = (last: number) => `${CID.slice(0, -1)}${last}`
    await post('/customers', { name: 'One', phone: '1', code: '1', cid: cid(1) })
    await post('/customers', { name: 'Two', phone: '2', code: '2', cid: cid(2) })
    const taken: [members: object, field: string][] = [
      [{ phone: '1', code: '1', cid: cid(1) }, 'phone'],
      [{ phone: '2', code: '1', cid: cid(1) }, 'phone'],
      [{ phone: '3', code: '2', cid: cid(1) }, 'code'],
      [{ code: '1', cid: cid(2) }, 'code'],
      [{ phone: '3', code: '3', cid: cid(2) }, 'cid'],
    ]
    for (const [members, field] of taken)
      assert.equal((await post('/customers', { name: 'Three', ...members })).body.error, `duplicate_${field}`)
  })

  test('lets two brands know the same phone, code and cid', async () => {
    const same = { name: 'Aysel', phone: '+994501112233', code: 'A1', cid: CID }
    for (const { post } of [await brand(), await brand()]) assert.equal((await post('/customers', same)).status, 200)
  })

  test('gives the phone of a deleted customer to another', async () => {
    const { id, post } = await brand()
    await post('/customers', { name: 'Aysel', phone: '1' })
    await (await running()).deps.db.transaction((tx) =>
      tx.run(`update customers set deleted_at = '2026-02-01T00:00:00.000Z' where brand_id = ?`, [id]),
    )
    assert.equal((await post('/customers', { name: 'Leyla', phone: '1' })).status, 200)
  })

  // D4.5

  for (const field of ['phone', 'code', 'cid'])
    test(`gives a ${field} that 64 ask for at once to exactly one of them`, async () => {
      const { id, postWithRetries } = await brand()
      const value = field === 'cid' ? CID : '+1 (2) 3'
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) => postWithRetries('/customers', { name: `Guest ${i}`, [field]: value })),
      )
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, ...Array(63).fill(409)])
      assert.ok(answers.every(({ status, body }) => status === 200 || body.error === `duplicate_${field}`))
      assert.equal((await stored(id)).length, 1)
    })

  test('answers crossed races with one customer for each pair of fields, and no failure', async () => {
    const { id, postWithRetries } = await brand()
    const pairs = Array.from({ length: 16 }, (_, i) => [
      { name: 'A', phone: `${i} 1`, code: `${i} 2` },
      { name: 'B', phone: `${i} 2`, code: `${i} 1` },
      { name: 'C', phone: `${i} 1`, code: `${i} 1` },
      { name: 'D', phone: `${i} 2`, code: `${i} 2` },
    ]).flat()
    const answers = await Promise.all(pairs.map((body) => postWithRetries('/customers', body)))
    assert.ok(answers.every(({ status }) => status === 200 || status === 409))
    const rows = await stored(id)
    assert.equal(rows.length, answers.filter(({ status }) => status === 200).length)
    for (const column of ['phone_key', 'code_key', 'id'])
      assert.equal(new Set(rows.map((row) => row[column])).size, rows.length)
    assert.equal(rows.length, 32) // of four customers two can exist together: A and B, or C and D
  })

  test('gives no two customers one id or one balance, however many come at once', async () => {
    const { postWithRetries } = await brand()
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => postWithRetries('/customers', { name: `Guest ${i}` })),
    )
    const customers = answers.map(customerOf)
    assert.equal(new Set(customers.map(({ id }) => id)).size, 64)
    assert.equal(new Set(customers.flatMap((each) => [each.balance.id, each.cashback_balance.id])).size, 128)
  })
})
