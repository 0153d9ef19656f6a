import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { until } from '../../../test/until.ts'
import { type FakePrinter, type Faults, startFakePrinter } from '../../printing/fake/printer.ts'
import { CARD, CASH, tills } from '../closing/closing-fixture.ts'

const PRINTS = { COMPTOIR_PRINT_NETWORKS: '127.0.0.0/8', COMPTOIR_PRINT_PORTS: '1024-65535' }
const GALETTE = 1
const textsOf = ({ papers }: FakePrinter) => papers.map(({ lines }) => lines.join('\n'))

onEachEngine('papers', (make) => {
  const till = tills(make, PRINTS)
  const fakes: FakePrinter[] = []
  after(async () => {
    for (const fake of fakes) await fake.close()
  })

  /** A till whose kitchen, and whose terminal, print on fake printers. */
  async function printing(faults: Faults = {}, more: object = {}) {
    const built = await till()
    const { owner, db, brand_id } = built
    const make = async (name: string, wanted: Faults) => {
      const fake = await startFakePrinter({ faults: wanted })
      fakes.push(fake)
      const printer = {
        name,
        printer_kind: 'network',
        address: '127.0.0.1',
        port: fake.port,
        drawer: 1,
        status: 1,
        ...more,
      }
      const { status, body } = await owner.ask('POST', '/edit/printers', printer)
      assert.equal(status, 200, JSON.stringify(body))
      return { fake, id: body.data.id as number }
    }
    const kitchen = await make('Kitchen', faults)
    const desk = await make('Till', {})
    const route = await owner.ask('POST', '/edit/print-routes', { station_id: 1, printer_id: kitchen.id })
    assert.equal(route.status, 200, JSON.stringify(route.body))
    assert.equal((await owner.ask('PATCH', '/edit/terminals/1', { printer_id: desk.id })).status, 200)
    const jobs = (printer_id: number) =>
      db.rows<{ seq: number; kind: string; state: string; begun: number; duplicate: number }>(
        'select seq, kind, state, begun, duplicate from print_jobs where brand_id = ? and printer_id = ? order by seq',
        [brand_id, printer_id],
      )
    const states = async (printer_id: number) => (await jobs(printer_id)).map(({ kind, state }) => `${kind} ${state}`)
    return { ...built, kitchen, desk, jobs, states }
  }

  test('R8: what is sent, voided, locked and paid is printed once, in order, and no drawer opens without cash', async () => {
    const { owner, open, line, pay, kitchen, desk, states, isSound } = await printing()
    const id = await open([line(GALETTE, 2, { note: 'no salt' })], { terminal_id: 1, table_id: 1 })
    assert.equal((await owner.ask('POST', `/receipts/${id}/send`, {})).status, 200)
    await until(() => kitchen.fake.papers.length === 1)
    const [ticket] = textsOf(kitchen.fake)
    for (const said of ['T 1', 'Galette', 'no salt']) assert.ok(ticket!.includes(said), ticket)
    assert.ok(!ticket!.includes('14.9'))

    const { body } = await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(GALETTE)] })
    assert.equal(body.success, true)
    await owner.ask('POST', `/receipts/${id}/send`, {})
    const [, second] = (await owner.ask('GET', `/tickets`)).body.data as { lines: { id: number }[] }[]
    assert.equal((await owner.ask('DELETE', `/receipts/${id}/lines/${second!.lines[0]!.id}`)).status, 200)
    assert.equal((await owner.ask('POST', `/receipts/${id}/lock`, {})).status, 200)
    await until(() => desk.fake.papers.length === 1)
    assert.match(textsOf(desk.fake)[0]!, /Not a receipt/)
    const paid = await pay(id, [[CARD, 29.8]])
    assert.equal(paid.status, 200, JSON.stringify(paid.body))
    await until(async () => (await states(kitchen.id)).join() === 'ticket printed,ticket printed,void printed')
    assert.match(textsOf(kitchen.fake)[2]!, /V O I D/)
    assert.deepEqual(await states(desk.id), ['bill printed'])
    assert.equal(desk.fake.pulses, 0)
    assert.deepEqual(kitchen.fake.errors, [])
    await isSound()
  })

  test('R16: cash opens the drawer of the terminal, once, and a pulse that could not go is dropped', async () => {
    const { open, line, pay, desk, states, built, isSound } = await printing()
    const sell = async () => {
      const id = await open([line(3)], { terminal_id: 1 })
      assert.equal((await pay(id, [[CASH, 6.2]])).status, 200)
    }
    await sell()
    await until(() => desk.fake.pulses === 1)
    desk.fake.setFaults({ refuse: 1 })
    await until(async () => (await states(desk.id)).join() === 'drawer printed')
    await sell()
    built.clock.ms += 6_000
    await until(async () => (await states(desk.id)).join() === 'drawer printed,drawer expired')
    desk.fake.setFaults({})
    await sell()
    await until(() => desk.fake.pulses === 2)
    await isSound()
  })

  test('R8: print_receipt always prints what is closed, by the API too, and refunds with the number of the original', async () => {
    const { owner, open, line, pay, desk, read, isSound } = await printing()
    assert.equal(
      (await owner.ask('PATCH', '/edit/venues/1', { print_receipt: 'always', print_language: 'fr' })).status,
      200,
    )
    const id = await open([line(3, 2)], { terminal_id: 1 })
    assert.equal((await pay(id, [[CARD, 12.4]])).status, 200)
    await until(() => desk.fake.papers.length === 1)
    assert.match(textsOf(desk.fake)[0]!, /12,40/)
    const refund = await owner.ask('POST', `/receipts/${id}/refund`, {})
    assert.equal(refund.status, 200, JSON.stringify(refund.body))
    await until(() => desk.fake.papers.length === 2)
    const { number } = await read(id)
    assert.match(textsOf(desk.fake)[1]!, new RegExp(`${number}`))
    await isSound()
  })

  test('R9: paper runs out in the middle, and what may be on paper is marked when it is sent again', async () => {
    const { owner, open, line, kitchen, jobs, isSound } = await printing({ cut_at: 200 })
    const id = await open([line(GALETTE)], { terminal_id: 1, table_id: 1 })
    await owner.ask('POST', `/receipts/${id}/send`, {})
    await until(async () => (await jobs(kitchen.id))[0]!.state === 'unsure')
    kitchen.fake.setFaults({})
    await until(async () => (await jobs(kitchen.id))[0]!.state === 'printed')
    assert.match(textsOf(kitchen.fake).at(-1)!, /D U P L I C A T E/)
    assert.equal((await jobs(kitchen.id))[0]!.duplicate, 1)
    await isSound()
  })

  test('R9: a job that cannot be sent holds those behind it, and nothing is marked that never began', async () => {
    const { owner, open, line, kitchen, states, jobs, isSound } = await printing({ paper_out: 1 })
    for (let sale = 0; sale < 3; sale += 1) {
      const id = await open([line(GALETTE)], { terminal_id: 1, table_id: 1 })
      await owner.ask('POST', `/receipts/${id}/send`, {})
    }
    await until(async () => (await states(kitchen.id)).length === 3)
    assert.deepEqual(await states(kitchen.id), ['ticket waiting', 'ticket waiting', 'ticket waiting'])
    kitchen.fake.setFaults({})
    await until(async () => (await states(kitchen.id)).every((state) => state === 'ticket printed'))
    assert.ok((await jobs(kitchen.id)).every(({ duplicate, begun }) => duplicate === 0 && begun === 1))
    assert.equal(kitchen.fake.papers.length, 3)
    await isSound()
  })
})
