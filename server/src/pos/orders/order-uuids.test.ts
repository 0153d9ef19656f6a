import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { ROWS, tills } from '../closing/closing-fixture.ts'

onEachEngine('a uuid is one order or one receipt', (make) => {
  const till = tills(make)
  const shop = async (accept: 'ask' | 'always' = 'ask') => {
    const fixture = await till(ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, accept } : row)))
    const { built, headers, owner } = fixture
    return {
      ...fixture,
      place: (integration_uuid: string) =>
        built.call('/orders', {
          method: 'POST',
          headers,
          body: { sale_type_id: 2, products: [{ product_id: 1, count: 1 }], integration_uuid },
          // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
        }) as Promise<any>,
      sell: (cid: string) => owner.ask('POST', '/receipts', { cid, sale_type_id: 2, lines: [] }),
    }
  }
  const receipt = (cid: string, more: object = {}) => ({
    kind: 'receipt',
    id: 9_000,
    venue_id: 1,
    cid,
    status: 2,
    total: 1,
    created_at: '2026-02-01T10:00:00.000Z',
    closed_at: '2026-02-01T10:00:00.000Z',
    ...more,
  })
  const order = (cid: string, more: object = {}) => ({
    kind: 'order',
    id: 9_000,
    venue_id: 1,
    status: 'IGNORE',
    sale_type_id: 2,
    cid,
    products: [],
    subtotal: 1,
    total: 1,
    price_differs: false,
    integrator: 'Hub',
    created_at: '2026-02-01T10:00:00.000Z',
    ...more,
  })

  for (const accept of ['ask', 'always'] as const)
    test(`of an order and a receipt that come at once, one is made (accept: ${accept})`, async () => {
      const { place, sell, owner, isSound } = await shop(accept)
      for (let round = 0; round < 15; round++) {
        const uuid = randomUUID()
        const asks = [() => place(uuid), () => sell(uuid.toUpperCase())]
        const answers = await Promise.all((round % 2 ? asks : asks.toReversed()).map((ask) => ask()))
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], JSON.stringify(answers))
        assert.equal(answers.find(({ status }) => status === 409)!.body.error, 'duplicate_cid')
        const [placed, sold] = [await place(uuid), await sell(uuid)]
        assert.deepEqual([placed.status, sold.status].sort(), [200, 409], 'and it stays so')
        const { id, status } = placed.body.data ?? {}
        if (status === 'PENDING') assert.equal((await owner.ask('POST', `/orders/${id}/accept`, {})).status, 200)
      }
      await isSound()
    })

  test('the same receipt and the same order, sent twice at once, are one each', async () => {
    const { place, sell } = await shop()
    for (const ask of [place, sell]) {
      const uuid = randomUUID()
      const answers = await Promise.all(Array.from({ length: 4 }, () => ask(uuid)))
      const [{ body }] = answers as [(typeof answers)[number]]
      for (const answer of answers) assert.equal(answer.body.data?.id, body.data.id, JSON.stringify(answer.body))
    }
  })

  test('an import takes uuids too: no order and no receipt gets the other’s', async () => {
    const { place, sell, db, brand_id, isSound } = await shop()
    const [ofReceipt, ofOrder, ordered, sold] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await putRows(db, brand_id, [receipt(ofReceipt), receipt(ofReceipt, { id: 9_001 }), order(ofOrder)]) // P22: receipts may share one
    for (const uuid of [ofReceipt, ofOrder]) {
      assert.equal((await place(uuid)).body.error, 'duplicate_cid')
      assert.equal((await sell(uuid)).body.error, 'duplicate_cid')
    }
    const { id } = (await place(ordered)).body.data
    const made = (await sell(sold)).body.data.id
    await assert.rejects(putRows(db, brand_id, [receipt(ordered, { id: 9_002 })]), {
      message: `cid ${ordered} is that of order ${id}`,
    })
    await assert.rejects(putRows(db, brand_id, [order(sold, { id: 9_002 })]), {
      message: `cid ${sold} is that of receipt ${made}`,
    })
    await putRows(db, brand_id, [receipt(ofReceipt), order(ofOrder)]) // again, as they are
    await isSound()
  })

  test('of an import and an order or a receipt that come at once with one uuid, one is made', async () => {
    const { place, sell, db, brand_id } = await shop()
    for (let round = 0; round < 6; round++) {
      const uuid = randomUUID()
      const id = 9_100 + round
      const [ask, row] = round % 2 ? [place, receipt(uuid, { id })] : [sell, order(uuid, { id })]
      const imported = putRows(db, brand_id, [row]).then(
        () => true,
        () => false,
      )
      const [answer, isImported] = await Promise.all([ask(uuid), imported])
      assert.notEqual(answer.status === 200, isImported, JSON.stringify(answer.body))
    }
  })
})
