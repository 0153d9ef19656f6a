import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { until } from '../../../test/until.ts'
import { forgetPapers } from '../../printing/queue/forget.ts'
import { DAY_MS } from '../../values/wall-clock.ts'
import { CARD, CASH, ROWS, tills } from '../closing/closing-fixture.ts'

const PRINTS = { COMPTOIR_PRINT_NETWORKS: '127.0.0.0/8' }
const GALETTE = 1

interface Job {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly copy?: number
  readonly duplicate: boolean
}

onEachEngine('what people do with printers', (make) => {
  const till = tills(make, PRINTS)

  /** A till with a kitchen and a desk on pages. */
  async function printing(rows?: Row[]) {
    const built = await till(rows)
    const { owner } = built
    const made = async (path: string, body: object) => {
      const answer = await owner.ask('POST', path, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.data.id as number
    }
    const virtual = (name: string) => made('/edit/printers', { name, printer_kind: 'virtual', drawer: 1, status: 1 })
    const [kitchen, desk] = [await virtual('Kitchen'), await virtual('Till')]
    await made('/edit/print-routes', { station_id: 1, printer_id: kitchen })
    await made('/edit/print-routes', { document: 'bill', printer_id: desk })
    await made('/edit/print-routes', { document: 'report', printer_id: desk })
    const jobs = async (printer: number) => (await owner.ask('GET', `/printers/${printer}/jobs`)).body.data as Job[]
    const state = async (printer: number, wanted: string) =>
      until(async () => (await jobs(printer)).every((job) => job.state === wanted))
    const print = (body: object) => owner.ask('POST', '/print', body)
    const act = (job: string, what: string, body: object = {}) => owner.ask('POST', `/print-jobs/${job}/${what}`, body)
    const faults = async (printer: number, ...wanted: string[]) =>
      assert.equal((await owner.ask('PUT', `/printers/${printer}/faults`, { faults: wanted })).status, 200)
    const sent = async () => {
      const id = await built.open([built.line(GALETTE)], { table_id: 1 })
      assert.equal((await owner.ask('POST', `/receipts/${id}/send`, {})).status, 200)
      return id
    }
    return { ...built, kitchen, desk, jobs, state, print, act, faults, sent }
  }

  test('R9: what a person asks for again is COPY n, and a closed receipt needs a right of its own', async () => {
    const { owner, built, slug, open, line, pay, print, jobs, desk, state, isSound } = await printing()
    const id = await open([line(3)], {})
    await owner.ask('POST', `/receipts/${id}/lock`, {})
    const again = await print({ document: 'bill', receipt_id: id })
    assert.equal(again.body.data.jobs.length, 1, JSON.stringify(again.body))
    await state(desk, 'printed')
    assert.deepEqual(
      (await jobs(desk)).map(({ copy }) => copy),
      [1, undefined],
    )
    for (const document of ['receipt', 'refund', 'share'])
      assert.equal((await print({ document, receipt_id: id })).status, 400, document)
    assert.equal((await pay(id, [[CARD, 6.2]])).status, 200)
    assert.equal((await print({ document: 'bill', receipt_id: id })).status, 400)
    const waiter = await built.staffBrowser(slug, 'waiter')
    assert.equal((await waiter.ask('POST', '/print', { document: 'receipt', receipt_id: id })).status, 200)
    assert.equal((await waiter.ask('POST', '/print', { document: 'receipt', receipt_id: id })).status, 403)
    assert.equal((await print({ document: 'receipt', receipt_id: id })).status, 200)

    // Jobs are forgotten after thirty days, what was printed is not.
    await state(desk, 'printed')
    built.clock.ms += 31 * 86_400_000
    await forgetPapers(built.deps.db, built.clock.ms)
    const other = await built.staffBrowser(slug, 'waiter')
    assert.equal((await other.ask('POST', '/print', { document: 'receipt', receipt_id: id })).status, 403)
    const later = await built.staffBrowser(slug)
    assert.equal((await later.ask('POST', '/print', { document: 'receipt', receipt_id: id })).status, 200)
    const [copy] = (await later.ask('GET', `/printers/${desk}/jobs`)).body.data as Job[]
    assert.equal(copy!.copy, 3, 'one may have been printed by itself, two were asked for')
    await isSound()
  })

  test('R8: a job is cancelled, tried again and moved; a ticket keeps one job for each route', async () => {
    const { kitchen, desk, jobs, act, faults, sent, state, isSound } = await printing()
    await faults(kitchen, 'paper_out')
    await sent()
    const [job] = await jobs(kitchen)
    assert.equal((await act(job!.id, 'cancel')).status, 200)
    assert.equal((await act(job!.id, 'retry')).status, 200)
    assert.equal((await jobs(kitchen))[0]!.state, 'waiting')
    assert.equal((await act(job!.id, 'move', { printer_id: desk })).status, 200)
    await state(desk, 'printed')
    const [moved] = await jobs(desk)
    assert.deepEqual([moved!.kind, moved!.duplicate], ['ticket', false])
    assert.equal((await jobs(kitchen))[0]!.state, 'moved')
    assert.equal((await act(job!.id, 'cancel')).body.error, 'job_printed')
    assert.equal((await act(moved!.id, 'retry')).body.error, 'job_printed')
    assert.equal((await act('99-1', 'retry')).status, 404)
    await isSound()
  })

  test('R12: a ticket that is late is an alarm until it is printed, and one that expired stays an alarm', async () => {
    const { owner, built, kitchen, faults, sent, state } = await printing()
    const alarms = async () => (await owner.ask('GET', '/print-alarms')).body.data.alarms
    await faults(kitchen, 'paper_out')
    await sent()
    assert.deepEqual(await alarms(), [])
    built.clock.ms += 31_000
    const [alarm] = await alarms()
    assert.deepEqual([alarm.printer, alarm.tickets, alarm.station_ids], ['Kitchen', 1, [1]])
    await until(async () => (await alarms())[0].state === 'paper_out')
    await faults(kitchen)
    await state(kitchen, 'printed')
    assert.deepEqual(await alarms(), [])
    await owner.ask('PATCH', '/edit/venues/1', { ticket_max_minutes: 1 })
    await faults(kitchen, 'away')
    await sent()
    built.clock.ms += 61_000
    await until(async () =>
      (await owner.ask('GET', `/printers/${kitchen}/jobs`)).body.data.some((job: Job) => job.state === 'expired'),
    )
    assert.equal((await alarms())[0].tickets, 1)
  })

  test('R3: a receipt has its tip and the change, a void says why, and a document fits what it is about', async () => {
    const { owner, built, slug, open, line, sent, print, brand_id } = await printing([
      ...ROWS,
      { kind: 'reason', id: 1, name: 'Dropped', kinds: ['void'], needs_note: 0, position: 1, status: 1 },
      { kind: 'role', id: 9, name: 'Runner', permissions: ['receipts:write'] },
      { kind: 'user', id: 9, username: 'runner', role_id: 9 },
    ])
    const stored = async (kind: string) => {
      const text = 'select document from print_jobs where brand_id = ? and kind = ? order by seq desc limit 1'
      return JSON.parse((await built.deps.db.text(text, [brand_id, kind]))!).document
    }
    const cooking = await sent()
    const { data } = (await owner.ask('GET', `/read/receipts/${cooking}?include=receipt_products`)).body
    const path = `/receipts/${cooking}/lines/${data.receipt_products[0].id}`
    await owner.ask('DELETE', `${path}?reason_id=1&reason_note=hot%20plate`)
    assert.equal((await stored('void')).reason, 'Dropped: hot plate')

    const id = await open([line(3)], {})
    const closing = { payment_methods: [{ id: CASH, amount: 6.2, tip: 1.8 }], change: 2 }
    assert.equal((await owner.ask('POST', `/receipts/${id}/close`, { ...closing, change: 0.001 })).status, 400)
    assert.equal((await owner.ask('POST', `/receipts/${id}/close`, closing)).status, 200)
    assert.equal((await print({ document: 'receipt', receipt_id: id })).status, 200)
    const { tip, change } = await stored('receipt')
    assert.deepEqual([tip, change], [1.8, 2])

    const other = { document: 'report', shift_id: 'a5b0a1de-7b7e-4f4e-9d0e-3a8f0b6f4c11', receipt_id: id }
    assert.deepEqual((await print(other)).body.details.errors[0].field, 'receipt_id')
    assert.deepEqual((await print({ ...other, document: 'receipt' })).body.details.errors[0].field, 'shift_id')
    const runner = await built.staffBrowser(slug, 'runner')
    const preview = await runner.ask('GET', `/print/preview?document=receipt&receipt_id=${id}`)
    assert.deepEqual([preview.status, preview.body.details.required], [403, 'receipts:read'])
  })

  test('R16: the drawer opens by a right of its own, and a page is told when it did not', async () => {
    const { owner, built, slug, desk, faults, jobs } = await printing()
    const drawers = async () => (await owner.ask('GET', '/print-alarms')).body.data.drawers
    assert.equal((await owner.ask('POST', '/terminals/1/drawer', {})).status, 200)
    await until(async () => (await jobs(desk))[0]!.state === 'printed')
    assert.deepEqual(await drawers(), [])
    await faults(desk, 'away')
    await owner.ask('POST', '/terminals/1/drawer', {})
    built.clock.ms += 6_000
    assert.equal((await drawers()).length, 1)
    const cook = await built.staffBrowser(slug, 'cook')
    assert.equal((await cook.ask('POST', '/terminals/1/drawer', {})).status, 403)
  })

  test('R7, R17: papers are pictures of what came out; a preview is made of a document that fits', async () => {
    const { owner, kitchen, desk, sent, state, print } = await printing()
    const id = await sent()
    await state(kitchen, 'printed')
    const [paper] = (await owner.ask('GET', `/printers/${kitchen}/papers`)).body.data as Job[]
    const isPicture = async (path: string) => {
      const { status, headers } = await owner.ask('GET', path)
      return status === 200 && headers['content-type'] === 'image/png'
    }
    assert.ok(await isPicture(`/print-jobs/${paper!.id}/paper`))
    assert.ok(await isPicture(`/print/preview?document=bill&receipt_id=${id}`))
    assert.ok(await isPicture(`/print/preview?document=test&printer_id=${desk}`))
    assert.equal((await owner.ask('GET', `/print/preview?document=refund&receipt_id=${id}`)).status, 400)
    const share = { document: 'share', receipt_id: id, share: { by: 'even', count: 2, label: '1/2' } }
    assert.equal((await print(share)).status, 200)
    const bySeat = await print({ ...share, share: { by: 'seat', label: 'seat 1' } })
    assert.equal(bySeat.body.details.errors[0].rule, 'seat', 'nobody sits on a seat')
    const lines = Array.from({ length: 201 }, (_, index) => index + 1)
    for (const unbounded of [
      { by: 'even', count: 1e9, label: '1/2' },
      { by: 'lines', lines, label: 'lines' },
    ])
      assert.equal((await print({ ...share, share: unbounded })).status, 400, unbounded.by)
    const [queue] = (await owner.ask('GET', '/printers')).body.data
    assert.deepEqual([queue.name, queue.waiting, queue.printed], ['Kitchen', 0, 1])
  })

  test('R20: a customer who is erased takes their papers along, and old ones go by themselves', async () => {
    const { owner, db, built, brand_id, open, line, pay, desk, state, jobs, isSound } = await printing()
    const id = await open([line(3)], { customer_id: 8 })
    await owner.ask('POST', `/receipts/${id}/lock`, {})
    assert.equal((await pay(id, [[CARD, 6.2]])).status, 200)
    await state(desk, 'printed')
    const documents = () =>
      db.texts('select document from print_jobs where brand_id = ? and document is not null', [brand_id])
    assert.match((await documents())[0]!, /Leyla/)
    const erased = await owner.ask('POST', '/customers/8/erase', { with_balance: true })
    assert.equal(erased.status, 200, JSON.stringify(erased.body))
    assert.deepEqual(await documents(), [])

    for (let test = 0; test < 2; test += 1) await owner.ask('POST', '/print', { document: 'test', printer_id: desk })
    await state(desk, 'printed')
    await forgetPapers(db, built.clock.ms + 4 * DAY_MS)
    assert.deepEqual(await documents(), [])
    assert.equal((await jobs(desk)).length, 3)
    await forgetPapers(db, built.clock.ms + 31 * DAY_MS)
    assert.equal((await jobs(desk)).length, 1) // the last one says which numbers were given
    await isSound()
  })

  test('R9: a document that cannot be drawn does not hold those behind it', async () => {
    const { owner, db, built, brand_id, desk, jobs, faults } = await printing()
    const { registry } = built.deps.metrics
    await faults(desk, 'away')
    for (let page = 0; page < 2; page += 1) await owner.ask('POST', '/print', { document: 'test', printer_id: desk })
    const broken = JSON.stringify({ document: { kind: 'bill' }, writing: {} })
    await db.transaction((tx) =>
      tx.run('update print_jobs set document = ? where brand_id = ? and printer_id = ? and seq = 1', [
        broken,
        brand_id,
        desk,
      ]),
    )
    await until(async () =>
      /\{state="waiting"\} [1-9]/.test(await registry.getSingleMetricAsString('comptoir_print_jobs')),
    )
    await faults(desk)
    await until(async () => (await jobs(desk)).every(({ state }) => state === 'printed' || state === 'expired'))
    assert.deepEqual(
      (await jobs(desk)).map(({ id, state }) => [id, state]),
      [
        [`${desk}-2`, 'printed'],
        [`${desk}-1`, 'expired'],
      ],
    )
  })

  test('R3: X has no cash, because the drawer is counted blind, and Z has it', async () => {
    const { owner, db, brand_id, print } = await printing()
    const opened = await owner.ask('POST', '/shifts', { terminal_id: 1, opening_amount: 100 })
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    const shift_id = opened.body.data.id as string
    assert.equal((await print({ document: 'report', shift_id })).status, 200)
    assert.equal((await owner.ask('POST', `/shifts/${shift_id}/close`, { closing_amount: 100 })).status, 200)
    assert.equal((await print({ document: 'report', shift_id })).status, 200)
    const documents = await db.texts(
      `select document from print_jobs where brand_id = ? and kind = 'report' order by seq`,
      [brand_id],
    )
    const [x, z] = documents.map((text) => JSON.parse(text).document)
    assert.deepEqual([x.form, x.cash, z.form, z.cash.opening], ['X', undefined, 'Z', 100])
  })

  test('R2: a printer that is off, or of another venue, is refused; without one the till prints by its browser', async () => {
    const { owner, open, line, print, desk, jobs, pay } = await printing()
    const id = await open([line(3)], {})
    const elsewhere = await owner.ask(
      'POST',
      '/edit/printers',
      { name: 'There', printer_kind: 'virtual' },
      { 'x-venue': '2' },
    )
    const there = elsewhere.body.data.id as number
    const set = await owner.ask('PATCH', '/edit/terminals/2', { printer_id: there }, { 'x-venue': '2' })
    assert.equal(set.status, 200, JSON.stringify(set.body))
    const own = await print({ document: 'bill', receipt_id: id, terminal_id: 2 })
    assert.match(own.body.data.jobs[0], new RegExp(`^${desk}-`), 'not where the till of another venue prints')
    assert.equal((await jobs(desk)).length, 1)
    await owner.ask('PATCH', `/edit/printers/${desk}`, { status: 0 })
    assert.equal((await print({ document: 'bill', receipt_id: id, printer_id: desk })).body.error, 'printer_off')
    assert.equal((await print({ document: 'bill', receipt_id: id, printer_id: 99 })).status, 400)
    assert.deepEqual((await print({ document: 'bill', receipt_id: id })).body.data.jobs, [])
    assert.equal((await pay(id, [[CASH, 6.2]])).status, 200)
  })
})
