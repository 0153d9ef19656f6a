import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { bodyOf, type Checks, expectEnvelope, expectError, expectMembers, isInstant, need } from '../check.ts'

const CUSTOMER = ['id', 'name', 'group_id', 'balance', 'cashback_balance', 'group', 'created_at']

/** §4.2, D4: one customer is created, with a phone, code, cid and key that nobody else has. */
export const customers: Checks = async (check, { send }) => {
  const digits = Array.from({ length: 12 }, () => randomInt(10)).join('')
  const customer = {
    name: 'Acceptance test',
    phone: `+999 ${digits.slice(0, 6)} ${digits.slice(6)}`,
    code: `acceptance-${randomUUID()}`,
    cid: randomUUID(),
  }
  const key = { 'idempotency-key': `acceptance-${randomUUID()}` }
  const create = (body: object, headers = {}) => send('POST', '/customers', { body, headers })
  let created: string | undefined

  await check('POST /customers creates a customer', async () => {
    const answer = await create(customer, key)
    const body = bodyOf(answer, 200)
    created = answer.text
    expectEnvelope(body)
    const data = body.data as Record<string, Record<string, unknown>>
    expectMembers(data, CUSTOMER, ['email', 'phone'])
    assert.equal(typeof data.id, 'string')
    assert.equal(data.name, customer.name)
    assert.equal(data.phone, customer.phone)
    assert.ok(isInstant(data.created_at), 'created_at is an instant')
    assert.equal(data.balance!.amount, 0)
    assert.equal(data.balance!.type, 'CUSTOMER')
    assert.equal(data.cashback_balance!.amount, 0)
    assert.equal(data.cashback_balance!.type, 'CASHBACK')
    assert.equal(data.group!.id, data.group_id)
    assert.equal(answer.headers['idempotency-replayed'], undefined)
  })
  await check('a repeated request with the same Idempotency-Key gets the stored response', async () => {
    need(created, 'no customer was created')
    const answer = await create(customer, key)
    assert.equal(answer.text, created)
    assert.equal(answer.headers['idempotency-replayed'], 'true')
  })
  await check('another body with this key is 422', async () => {
    need(created, 'no customer was created')
    expectError(await create({ ...customer, name: 'Another' }, key), 422, 'idempotency_mismatch')
  })
  await check('a key of more than 255 characters is 400', async () => {
    need(created, 'no customer was created')
    bodyOf(await create(customer, { 'idempotency-key': 'k'.repeat(256) }), 400)
  })
  const phone = `(+999)${digits.slice(0, 3)}-${digits.slice(3, 9)}.${digits.slice(9)}`
  const duplicates: [field: string, body: object][] = [
    ['phone', { phone }],
    ['code', { code: ` ${customer.code} ` }],
    ['cid', { cid: customer.cid.toUpperCase() }],
    ['phone', { phone, code: customer.code, cid: customer.cid }],
    ['code', { code: customer.code, cid: customer.cid }],
  ]
  for (const [field, body] of duplicates)
    await check(`a customer with the same ${Object.keys(body).join(', ')} is 409 duplicate_${field}`, async () => {
      need(created, 'no customer was created')
      const answer = await create({ name: 'Duplicate', ...body })
      assert.deepEqual(expectError(answer, 409, `duplicate_${field}`), { field })
    })
  await check('all faults of a body are listed', async () => {
    const body = { name: ' ', gender: 3, date_of_birth: '2026-02-30', email: 'nobody', cid: 'none', group_id: 'one' }
    const answer = await create(body)
    const { errors } = expectError(answer, 400, 'validation_failed') as { errors: Record<string, unknown>[] }
    for (const error of errors) expectMembers(error, ['field', 'rule', 'message'])
    const named = errors.map(({ field }) => field)
    assert.deepEqual([...new Set(named)].sort(), Object.keys(body).sort(), answer.text)
  })
  const tooLong = { name: 256, phone: 65, code: 65, email: 255, description: 2_001 }
  for (const [field, length] of Object.entries(tooLong))
    await check(`${field} has at most ${length - 1} characters`, async () => {
      const text = field === 'email' ? `${'a'.repeat(length - 12)}@example.com` : '1'.repeat(length)
      await refuses(field, text)
    })
  await check('a future date of birth, an unknown group and an unknown gender are 400', async () => {
    await refuses('date_of_birth', '9999-01-01')
    await refuses('group_id', Number.MAX_SAFE_INTEGER)
    await refuses('gender', 3)
  })

  /** With the cid of the customer that is there: a service that does not see the fault creates nobody either. */
  async function refuses(field: string, value: unknown): Promise<void> {
    need(created, 'no customer was created')
    const answer = await create({ name: 'Faulty', cid: customer.cid, [field]: value })
    const { errors } = expectError(answer, 400, 'validation_failed') as { errors: { field: string }[] }
    assert.deepEqual(
      errors.map((error) => error.field),
      [field],
      answer.text,
    )
  }
}
