import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { addIntegrator } from '../../directory/registry.ts'
import type { Database } from '../../storage/database.ts'

const HOUR = 3_600_000

onEachEngine('an Idempotency-Key', (make, engine) => {
  const { brand, running } = api(make)

  const aysel = { name: 'Aysel', phone: '+994501112233', gender: 2 }
  const key = (text = 'k-1') => ({ 'idempotency-key': text })

  const customersOf = async (brand_id: number) =>
    (await running()).deps.db.texts('select id from customers where brand_id = ?', [brand_id])
  const keysOf = async (brand_id: number) =>
    (await running()).deps.db.texts('select key from idempotency_keys where brand_id = ? order by key', [brand_id])

  test('gives the same answer again, to the byte, and says that it does', async () => {
    const { id, post } = await brand()
    const first = await post('/customers', aysel, key())
    assert.equal(first.status, 200)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    for (let again = 0; again < 3; again++) {
      const { status, text, headers } = await post('/customers', aysel, key())
      assert.equal(status, 200)
      assert.equal(text, first.text)
      assert.equal(headers['idempotency-replayed'], 'true')
      assert.equal(headers['content-type'], first.headers['content-type'])
    }
    assert.equal((await customersOf(id)).length, 1)
  })

  test('compares what bodies mean, not how they are written', async () => {
    const { post } = await brand()
    const { text } = await post('/customers', aysel, key())
    for (const body of [
      '{"gender":2.0,"phone":"+994501112233" , "name":"Aysel"}',
      { ...aysel, name: ' Aysel ', email: '' },
    ])
      assert.equal((await post('/customers', body, key())).text, text)
  })

  test('is refused with 422 for another body, and the first answer stays', async () => {
    const { post } = await brand()
    const { text } = await post('/customers', aysel, key())
    for (const change of [{ name: 'Leyla' }, { phone: '1' }, { gender: 1 }, { code: 'A' }]) {
      const { status, body } = await post('/customers', { ...aysel, ...change }, key())
      assert.equal(status, 422)
      assert.equal(body.error, 'idempotency_mismatch')
    }
    assert.equal((await post('/customers', aysel, key())).text, text)
  })

  test('is refused with 422 in another venue, and the venue of the token may be named', async () => {
    const { post } = await brand({ rows: [{ kind: 'venue', id: 2, name: 'Second' }] })
    const { text } = await post('/customers', aysel, key())
    const elsewhere = await post('/customers', aysel, { ...key(), 'x-venue': '2' })
    assert.deepEqual([elsewhere.status, elsewhere.body.error], [422, 'idempotency_mismatch'])
    assert.equal((await post('/customers', aysel, { ...key(), 'x-venue': '1' })).text, text)
  })

  test('is not used up by a refusal: neither by faults nor by a duplicate', async () => {
    const { id, post } = await brand()
    await post('/customers', { name: 'Leyla', phone: aysel.phone })
    assert.equal((await post('/customers', { ...aysel, gender: 5 }, key())).status, 400)
    assert.equal((await post('/customers', { ...aysel, group_id: 99 }, key())).status, 400)
    assert.equal((await post('/customers', aysel, key())).status, 409)
    assert.deepEqual(await keysOf(id), [])
    const { status, headers } = await post('/customers', { name: 'Aysel' }, key())
    assert.equal(status, 200)
    assert.equal(headers['idempotency-replayed'], undefined)
  })

  test('leads to a success after a 409, once nothing is in the way of the same request', async () => {
    const { id, post } = await brand()
    await post('/customers', { name: 'Leyla', phone: aysel.phone })
    assert.equal((await post('/customers', aysel, key())).body.error, 'duplicate_phone')
    await (await running()).deps.db.transaction((tx) =>
      tx.run(`update customers set deleted_at = '2026-02-01T00:00:00.000Z' where brand_id = ?`, [id]),
    )
    const { status, headers } = await post('/customers', aysel, key())
    assert.equal(status, 200)
    assert.equal(headers['idempotency-replayed'], undefined)
    assert.equal((await post('/customers', aysel, key())).headers['idempotency-replayed'], 'true')
  })

  test('belongs to its brand and its integrator', async () => {
    const [one, other] = [await brand(), await brand()]
    const answers = [await one.post('/customers', aysel, key()), await other.post('/customers', aysel, key())]
    assert.ok(answers.every(({ status, headers }) => status === 200 && !headers['idempotency-replayed']))

    // For another integrator of the brand the key is free; the phone is not.
    const { deps, token } = await running()
    await addIntegrator(deps.db, 'test', { name: 'Second', id: `second-${engine}`, test: false })
    const second = await token({ ...one.credentials, integrator_id: `second-${engine}` })
    const { body } = await one.post('/customers', aysel, { ...key(), 'x-token': second })
    assert.equal(body.error, 'duplicate_phone')
  })

  test('has 1 to 255 characters', async () => {
    const { id, post } = await brand()
    for (const text of ['', 'x'.repeat(256)]) {
      const { status, body } = await post('/customers', aysel, key(text))
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_parameter')
      assert.equal((body.details as { parameter: string }).parameter, 'Idempotency-Key')
    }
    assert.equal((await customersOf(id)).length, 0)
    assert.equal((await post('/customers', aysel, key('x'.repeat(255)))).status, 200)
  })

  test('is good for 24 hours, after which it is a new one', async () => {
    const { deps, clock } = await running()
    const { id, post } = await brand()
    const age = (ms: number) =>
      deps.db.transaction((tx) =>
        tx.run('update idempotency_keys set created_at = ? where brand_id = ?', [
          new Date(clock.ms - ms).toISOString(),
          id,
        ]),
      )
    const first = await post('/customers', { name: 'Aysel' }, key())
    await age(24 * HOUR - 1)
    assert.equal((await post('/customers', { name: 'Aysel' }, key())).text, first.text)
    await age(24 * HOUR)
    const second = await post('/customers', { name: 'Leyla' }, key())
    assert.equal(second.status, 200)
    assert.equal(second.headers['idempotency-replayed'], undefined)
    assert.equal((await post('/customers', { name: 'Leyla' }, key())).text, second.text)
  })

  test('of 64 that come at once lets one write; the others hear that it runs or get its answer', async () => {
    const { id, postWithRetries } = await brand()
    const answers = await Promise.all(Array.from({ length: 64 }, () => postWithRetries('/customers', aysel, key())))
    assert.equal((await customersOf(id)).length, 1)
    const written = answers.filter(({ status, headers }) => status === 200 && !headers['idempotency-replayed'])
    assert.equal(written.length, 1)
    for (const { status, text, body, headers } of answers) {
      if (status === 409) assert.equal(body.error, 'idempotency_in_progress')
      else assert.equal(text, written[0]!.text)
      assert.ok(status === 409 || status === 200, `${status} ${headers['idempotency-replayed']}`)
    }
    assert.ok(answers.some(({ status }) => status === 409))
    assert.equal((await postWithRetries('/customers', aysel, key())).text, written[0]!.text)
  })

  test('of many keys that come at once, 8 times each, writes one customer each', async () => {
    const { id, postWithRetries } = await brand()
    const answers = await Promise.all(
      Array.from({ length: 256 }, (_, i) =>
        postWithRetries('/customers', { name: `Guest ${i % 32}` }, key(`k-${i % 32}`)),
      ),
    )
    const others = answers.filter(({ status }) => status !== 200 && status !== 409)
    assert.deepEqual(others, [])
    assert.equal((await customersOf(id)).length, 32)
    assert.equal((await keysOf(id)).length, 32)
  })

  /** The same service, with a database in which something happens. */
  async function serviceWith(t: TestContext, change: (db: Database) => Partial<Database>) {
    const { deps } = await running()
    const db = { ...deps.db }
    const app = buildApp({ ...deps, db })
    t.after(() => app.close())
    const post = async (token: string, body: object) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/v2/customers',
        headers: { 'x-token': token, 'content-type': 'application/json', ...key() },
        payload: JSON.stringify(body),
      })
      return { status: answer.statusCode, text: answer.body }
    }
    let isChanged = false
    return async (token: string, body: object) => {
      // A block of ids is taken in a transaction of its own, which is not meant here: one that is refused takes it.
      if (!isChanged) assert.equal((await post(token, { name: 'Refused', group_id: 999_999 })).status, 400)
      if (!isChanged) Object.assign(db, change(deps.db))
      isChanged = true
      return post(token, body)
    }
  }

  test('is free again when the write breaks down between it and the commit', async (t) => {
    const { id, token, post } = await brand()
    const brokenPost = await serviceWith(t, (db) => ({
      transaction: (work) =>
        db.transaction(async (tx) => {
          await work(tx)
          throw new Error('the power went out')
        }),
    }))
    assert.equal((await brokenPost(token, aysel)).status, 500)
    assert.deepEqual([await customersOf(id), await keysOf(id)], [[], []])
    const { status, headers } = await post('/customers', aysel, key())
    assert.equal(status, 200)
    assert.equal(headers['idempotency-replayed'], undefined)
  })

  /** A door that `arrive` waits at until it is opened. */
  function door(t: TestContext) {
    const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    t.after(() => opened.resolve())
    return {
      arrived: arrived.promise,
      open: opened.resolve,
      arrive() {
        arrived.resolve()
        return opened.promise
      },
    }
  }

  test('answers 409 while the first is still running, and its answer afterwards', async (t) => {
    const { token, post } = await brand()
    const { arrived, arrive, open } = door(t)
    const slowPost = await serviceWith(t, (db) => ({
      transaction: async (work) => {
        await arrive()
        return db.transaction(work)
      },
    }))
    const first = slowPost(token, aysel)
    await arrived
    for (const body of [aysel, { name: 'Leyla' }]) {
      const { status, text } = await slowPost(token, body)
      assert.equal(status, 409)
      assert.equal(JSON.parse(text).error, 'idempotency_in_progress')
    }
    open()
    const { status, text } = await first
    assert.equal(status, 200)
    assert.equal((await post('/customers', aysel, key())).text, text)
  })

  if (engine === 'PostgreSQL')
    test('answers 409 in one process while another has the first open, without waiting for it', async (t) => {
      const { token, post } = await brand()
      const { arrived, arrive, open } = door(t)
      const postElsewhere = await serviceWith(t, (db) => ({
        transaction: (work) =>
          db.transaction(async (tx) => {
            const result = await work(tx)
            await arrive()
            return result
          }),
      }))
      const first = postElsewhere(token, aysel)
      await arrived
      const { status, body } = await post('/customers', aysel, key())
      assert.equal(status, 409)
      assert.equal(body.error, 'idempotency_in_progress')
      open()
      const { text } = await first
      const replay = await post('/customers', aysel, key())
      assert.equal(replay.text, text)
      assert.equal(replay.headers['idempotency-replayed'], 'true')
    })

  test('no write waits for the removal of expired keys, nor fails with it (P16)', async (t) => {
    const { id, token, post } = await brand()
    await post('/customers', { name: 'Leyla' }, key('old'))
    await (await running()).deps.db.transaction((tx) =>
      tx.run(`update idempotency_keys set created_at = '2020-01-01T00:00:00.000Z' where brand_id = ?`, [id]),
    )
    const brokenPost = await serviceWith(t, (db) => ({
      transaction: (work, source) =>
        db.transaction(
          (tx) =>
            work({
              ...tx,
              run(text, values) {
                if (text.startsWith('delete from idempotency_keys')) throw new Error('somebody holds them')
                return tx.run(text, values)
              },
            }),
          source,
        ),
    }))
    assert.equal((await brokenPost(token, aysel)).status, 200)
    assert.deepEqual(await keysOf(id), ['k-1', 'old'])
    assert.equal((await customersOf(id)).length, 2)
  })

  test('storing a key deletes some expired keys of the brand', async () => {
    const { deps, clock } = await running()
    const [one, other] = [await brand(), await brand()]
    const old = new Date(clock.ms - 24 * HOUR).toISOString()
    const recent = new Date(clock.ms - 24 * HOUR + 1).toISOString()
    await deps.db.transaction(async (tx) => {
      for (const { id } of [one, other])
        for (let i = 0; i < 50; i++)
          await tx.run(
            `insert into idempotency_keys (brand_id, integrator_id, route, key, fingerprint, body, created_at)
             values (?, 'hub', 'POST /v2/customers', ?, '', '{}', ?)`,
            [id, `old-${i}`, i < 45 ? old : recent],
          )
    })
    const left = async (id: number) => (await keysOf(id)).filter((name) => name.startsWith('old')).length
    // They are removed beside the answer, not before it.
    for (const [i, expected] of [30, 10, 5, 5].entries()) {
      await one.post('/customers', { name: `Guest ${i}` }, key(`new-${i}`))
      await until(async () => (await left(one.id)) === expected, `${expected} are not left`)
    }
    assert.equal(await left(other.id), 50)
  })
})
