import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { until } from '../../../test/until.ts'
import { bytesOf, cellsOf } from '../bytes.ts'
import { COMMANDS, type Device } from '../device.ts'
import { SAMPLES, writingOf } from '../print-fixture.ts'
import { drawn } from '../raster/draw.ts'
import { defused } from '../raster/page.ts'
import { writeDocument } from '../write.ts'
import { Decoder, linesOf, pictureOf, UnknownCommand } from './decode.ts'
import { type Faults, readFault, startFakePrinter } from './printer.ts'

const WRITING = writingOf('fr')
const device = (rest: Partial<Device> = {}): Device => ({
  command: 'escpos',
  code_page: 'multilingual',
  dots: 576,
  mode: 'auto',
  cut: true,
  ...rest,
})
const TICKET = bytesOf(SAMPLES.ticket, WRITING, device({ mode: 'text' }))

suite('what a printer understands (R18)', () => {
  for (const command of COMMANDS)
    test(`${command}: every byte of every document, in both modes, ends with a cut and a question`, () => {
      for (const mode of ['text', 'raster'] as const)
        for (const document of Object.values(SAMPLES)) {
          const decoder = new Decoder()
          const items = decoder.push(bytesOf(document, WRITING, device({ command, mode })))
          assert.equal(decoder.isMidway, false)
          assert.deepEqual(
            items.slice(-2).map(({ kind }) => kind),
            command === 'stargraphic' ? items.slice(-2).map(({ kind }) => kind) : ['cut', 'done'],
          )
          assert.ok(items.every(({ kind }) => kind !== 'pulse'))
        }
    })

  test('text comes out letter for letter, wherever the bytes were cut', () => {
    const whole = linesOf(new Decoder().push(TICKET))
    assert.ok(
      whole.some((line) => line.includes('Burger maison au comté affiné et aux')),
      whole.join('\n'),
    )
    fc.assert(
      fc.property(fc.array(fc.nat(TICKET.length)), (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), TICKET.length]
        const decoder = new Decoder()
        const items = places.flatMap((place, index) => decoder.push(TICKET.subarray(places[index - 1] ?? 0, place)))
        assert.deepEqual(linesOf(items), whole)
      }),
    )
  })

  test('a picture comes out dot for dot', () => {
    for (const command of ['escpos', 'generic', 'sii', 'fit', 'impact', 'starsbcs'] as const) {
      const page = drawn(writeDocument(SAMPLES.receipt, WRITING, cellsOf({ dots: 576 })), cellsOf({ dots: 576 }))
      const bytes = bytesOf(SAMPLES.receipt, WRITING, device({ command, mode: 'raster' }))
      const picture = pictureOf(new Decoder().push(bytes))!
      assert.equal(picture.width, page.width)
      assert.ok(
        Buffer.from(picture.dots)
          .subarray(0, page.dots().length)
          .equals(Buffer.from(defused(page.dots()))),
        command,
      )
    }
  })

  test('an unknown command is an error that names its bytes', () => {
    assert.throws(() => new Decoder().push(Buffer.from('\x1b@\x1da\x00Ok\n\x1bXYZ', 'latin1')), UnknownCommand)
    assert.throws(() => new Decoder().push(Buffer.from('\x1b\x7f  ', 'latin1')), /1b 7f 20 20/)
  })
})

suite('a printer that is not there (R18)', () => {
  /** Sends bytes and waits for so many bytes of answer, or for the end. */
  async function sent(port: number, bytes: Buffer, answers: number): Promise<Buffer> {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).write(bytes)
    const ended = once(socket, 'close')
    await Promise.race([ended, until(() => Buffer.concat(chunks).length >= answers)])
    socket.destroy()
    return Buffer.concat(chunks)
  }
  const withPrinter = (
    name: string,
    faults: Faults,
    work: (printer: Awaited<ReturnType<typeof startFakePrinter>>) => Promise<void>,
  ) =>
    test(name, async () => {
      const printer = await startFakePrinter({ faults })
      try {
        await work(printer)
      } finally {
        await printer.close()
      }
    })
  const STATUS = Buffer.from([0x10, 0x04, 1, 0x10, 0x04, 2, 0x10, 0x04, 4])

  withPrinter('a paper comes out and is acknowledged once', {}, async ({ port, papers, errors }) => {
    assert.deepEqual([...(await sent(port, Buffer.concat([TICKET, STATUS]), 4))], [0x12, 0x12, 0x12, 0])
    assert.equal(papers.length, 1)
    assert.deepEqual(errors, [])
  })

  withPrinter(
    'without paper it says so, and prints what it has taken once there is some',
    { paper_out: 1 },
    async (printer) => {
      assert.deepEqual([...(await sent(printer.port, Buffer.concat([STATUS, TICKET]), 3))], [0x1a, 0x32, 0x72])
      assert.equal(printer.papers.length, 0)
      printer.setFaults({})
      assert.equal(printer.papers.length, 1)
    },
  )

  withPrinter('an open cover is said, and one roll ends after so many papers', { cover_open: 1 }, async (printer) => {
    assert.deepEqual([...(await sent(printer.port, STATUS, 3))], [0x1a, 0x16, 0x12])
    printer.setFaults({ paper_out_at: 1 })
    await sent(printer.port, Buffer.concat([TICKET, TICKET]), 1)
    assert.equal(printer.papers.length, 1)
  })

  withPrinter('a connection that is cut prints nothing whole', { cut_at: 64 }, async ({ port, papers }) => {
    assert.equal((await sent(port, TICKET, 1)).length, 0)
    assert.equal(papers.length, 0)
  })

  withPrinter('no answer, two answers, garbage, and none that connects', { no_ack: 1 }, async (printer) => {
    assert.deepEqual([...(await sent(printer.port, Buffer.concat([TICKET, STATUS.subarray(0, 3)]), 1))], [0x12])
    printer.setFaults({ ack_twice: 1 })
    assert.deepEqual([...(await sent(printer.port, TICKET, 2))], [0, 0])
    printer.setFaults({ garbage: 1 })
    assert.deepEqual([...(await sent(printer.port, STATUS.subarray(0, 3), 3))], [0xff, 0, 0xaa])
    printer.setFaults({ refuse: 1 })
    assert.equal((await sent(printer.port, TICKET, 1)).length, 0)
    assert.equal(printer.papers.length, 2)
  })

  test('faults are read as they are written on the command line', () => {
    assert.deepEqual(readFault('slow=20'), ['slow', 20])
    assert.deepEqual(readFault('paper_out'), ['paper_out', 1])
    for (const wrong of ['slow', 'paper_out=3', 'fire', 'cut_at=-1', 'cut_at=a'])
      assert.equal(readFault(wrong), undefined)
  })
})
