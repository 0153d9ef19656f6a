import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { tills } from '../pos/closing/closing-fixture.ts'

const KITCHEN = { name: 'Kitchen', printer_kind: 'virtual', status: 1 }

onEachEngine('printers and routes', (make) => {
  const till = tills(make)

  test('R1, R2: staff make, change and remove them; what is used stays; the API lists them, and each is an event', async () => {
    const { owner, built, headers, isSound, db, brand_id } = await till()
    const made = await owner.ask('POST', '/edit/printers', { ...KITCHEN, paper: 58 })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const printer_id = made.body.data.id as number
    assert.deepEqual(made.body.data.values.dots, 384)
    const route = await owner.ask('POST', '/edit/print-routes', { station_id: 1, printer_id })
    assert.equal(route.status, 200, JSON.stringify(route.body))
    for (const wrong of [
      { printer_id },
      { printer_id, station_id: 1, document: 'bill' },
      { station_id: 1, printer_id: 99 },
      { station_id: 1, printer_id, copies: 4 },
    ])
      assert.equal((await owner.ask('POST', '/edit/print-routes', wrong)).status, 400, JSON.stringify(wrong))
    const { body: there } = await owner.ask('POST', '/edit/printers', KITCHEN, { 'x-venue': '2' })
    const elsewhere = { printer_id: there.data.id as number }
    for (const answer of [
      await owner.ask('POST', '/edit/print-routes', { station_id: 1, ...elsewhere }),
      await owner.ask('PATCH', '/edit/print-routes/1', elsewhere),
      await owner.ask('PATCH', '/edit/terminals/1', elsewhere),
    ])
      assert.deepEqual([answer.status, answer.body.details.errors[0].field], [400, 'printer_id'], 'I13')
    assert.equal(
      (await owner.ask('DELETE', `/edit/printers/${there.data.id}`, undefined, { 'x-venue': '2' })).status,
      200,
    )
    assert.equal((await owner.ask('PATCH', '/edit/terminals/1', { printer_id })).status, 200)

    const listed = await built.call('/printers', { headers })
    assert.deepEqual(listed.body.data, [
      {
        id: printer_id,
        venue_id: 1,
        name: 'Kitchen',
        printer_kind: 'virtual',
        command: 'escpos',
        paper: 58,
        dots: 384,
        code_page: 'multilingual',
        mode: 'auto',
        ack: 1,
        drawer: 0,
        cut: 1,
        status: 1,
      },
    ])
    const routes = await built.call('/print-routes', { headers })
    assert.deepEqual(routes.body.data, [{ id: 1, venue_id: 1, station_id: 1, printer_id, copies: 1 }])

    assert.equal((await owner.ask('DELETE', `/edit/printers/${printer_id}`)).status, 409)
    await owner.ask('PATCH', '/edit/terminals/1', { printer_id: null })
    assert.equal((await owner.ask('DELETE', '/edit/print-routes/1')).status, 200)
    assert.equal((await owner.ask('DELETE', `/edit/printers/${printer_id}`)).status, 200)
    assert.equal((await owner.ask('DELETE', `/edit/printers/${printer_id}`)).status, 404)
    const published = "select type from events where brand_id = ? and type like 'print%' order by position"
    assert.deepEqual(await db.texts(published, [brand_id]), [
      'printer.created',
      'print_route.created',
      'printer.created',
      'printer.deleted',
      'print_route.deleted',
      'printer.deleted',
    ])
    await isSound()
  })

  test('R19: an address is refused as it is saved, and the setting is named', async () => {
    const { owner } = await till()
    const save = (address: string, port?: number) =>
      owner.ask('POST', '/edit/printers', { ...KITCHEN, printer_kind: 'network', address, ...(port && { port }) })
    for (const [address, port, setting] of [
      ['127.0.0.1', 9100, 'COMPTOIR_PRINT_NETWORKS'],
      ['169.254.169.254', 9100, 'COMPTOIR_PRINT_NETWORKS'],
      ['::ffff:10.0.0.9', 9100, 'COMPTOIR_PRINT_NETWORKS'],
      ['10.0.0.9', 22, 'COMPTOIR_PRINT_PORTS'],
    ] as const) {
      const { status, body } = await save(address, port)
      assert.deepEqual([status, body.error, body.details.setting], [400, 'address_not_allowed', setting], address)
    }
    for (const address of ['printer.local', '2130706433', '0x7f000001'])
      assert.equal((await save(address)).body.error, 'validation_failed', address)
    assert.equal((await owner.ask('POST', '/edit/printers', { ...KITCHEN, printer_kind: 'network' })).status, 400)
  })
})
