import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { bytesOf, cellsOf, previewOf } from './bytes.ts'
import { COMMANDS, type Device } from './device.ts'
import type { PrintDocument } from './documents.ts'
import { plain } from './paper/escape.ts'
import { charactersOf, wrap } from './paper/wrap.ts'
import { goldenTexts, PAPERS, SAMPLES, ticketNamed, writingOf } from './print-fixture.ts'
import { drawn, undrawable } from './raster/draw.ts'
import { defused } from './raster/page.ts'
import { pictured } from './raster/picture.ts'
import { writeDocument } from './write.ts'

const WRITING = writingOf('fr')
const device = (rest: Partial<Device> = {}): Device => ({
  command: 'escpos',
  code_page: 'multilingual',
  dots: 576,
  mode: 'auto',
  cut: true,
  ...rest,
})

suite('documents on paper', () => {
  for (const [name, text] of goldenTexts())
    test(`every kind of document looks as in golden/${name}`, () => {
      assert.equal(text, readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8'))
    })

  test('no line is longer than the paper', () => {
    for (const [name, text] of goldenTexts()) {
      const cells = cellsOf({ dots: name.includes('58') ? PAPERS[58] : PAPERS[80] })
      for (const line of text.split('\n')) assert.ok(charactersOf(line).length <= cells, `${name}: ${line}`)
    }
  })

  test('lines break at spaces, and inside a word only where it is longer than a line', () => {
    assert.deepEqual(wrap('mains and sides', 9), ['mains and', 'sides'])
    assert.deepEqual(wrap('a pneumonoultramicroscopic b', 10), ['a', 'pneumonoul', 'tramicrosc', 'opic b'])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 60 }), (text, cells) => {
        const lines = wrap(plain(text), cells)
        for (const line of lines) assert.ok(charactersOf(line).length <= cells)
        assert.equal(lines.join('').replaceAll(' ', ''), plain(text).replaceAll(' ', ''))
      }),
    )
  })
})

suite('values of data on paper (R4)', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'\\|{}~_"`^-=;:x1bp\n\u001b\u0010\u0004 ') }),
    fc.constantFrom(
      '{x:\\x1bp\\x00\\x19\\xfa}',
      '===',
      '---',
      '{i:AAAA}',
      '{c:1}',
      '\\x1bp0',
      '~'.repeat(600),
      'é👩‍👩‍👧😀',
    ),
  )
  /** Pulses of a drawer: ESC p, DLE DC4, and BEL of Star. */
  const PULSES = ['\x1bp', '\x10\x14', '\x07']
  const CUTS = ['\x1dV', '\x1bd\x02', '\x1bd\x03']
  const timesOf = (bytes: Buffer, commands: readonly string[]) =>
    commands.reduce((sum, command) => sum + bytes.toString('latin1').split(command).length - 1, 0)

  test('no name becomes markup: each line of the text is what a plain name of its length gives', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const text = writeDocument(ticketNamed(name), WRITING, 48)
        for (const line of text.split('\n')) {
          if (line.startsWith('{')) assert.match(line, /^\{width:[0-9* auto]+;border:[01]\}$/)
          else assert.doesNotMatch(line.replaceAll(/\\./gu, ''), /[{}~_]|^=+$/)
        }
        assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}\p{Co}]/u)
      }),
      { numRuns: 100 },
    )
  })

  test('no name opens the drawer or cuts the paper, whatever the command set', () => {
    const usual = Object.fromEntries(
      COMMANDS.map((command) => [command, bytesOf(ticketNamed('a'), WRITING, device({ command, mode: 'text' }))]),
    )
    fc.assert(
      fc.property(hostile, fc.constantFrom(...COMMANDS.filter((each) => each !== 'stargraphic')), (name, command) => {
        const bytes = bytesOf(ticketNamed(name), WRITING, device({ command, mode: 'text' }))
        assert.equal(timesOf(bytes, PULSES), 0)
        assert.equal(timesOf(bytes, CUTS), timesOf(usual[command]!, CUTS))
      }),
      { numRuns: 100 },
    )
  })

  test('spaces of every kind are spaces, and 500 characters are kept', () => {
    assert.equal(plain('12\u00a0345\u202f€\n\tnow'), '12 345 € now')
    assert.equal([...plain('😀'.repeat(900))].length, 500)
    assert.equal(plain('e\u0301'), 'é')
    assert.equal(plain('a\u202eb\u0000\ue000c'), 'abc')
  })
})

suite('letters that a printer has not (R5, R6)', () => {
  const isPicture = (bytes: Buffer) => bytes.toString('latin1').includes('\x1d8L')
  const ticket = (name: string): PrintDocument => ({
    kind: 'ticket',
    station: 'Bar',
    place: 'T5',
    at: '2026-11-18T18:42:00.000Z',
    lines: [{ count: 1, name }],
  })

  test('a document is sent as text where the printer has all its characters, and drawn where not', () => {
    assert.equal(isPicture(bytesOf(ticket('Crème brûlée, Борщ'), WRITING, device())), false)
    for (const name of ['Şəki', 'ığdır', '₼', 'Μουσακάς', 'ข้าว'])
      assert.equal(isPicture(bytesOf(ticket(name), WRITING, device())), true, name)
    assert.equal(isPicture(bytesOf(ticket('Şəki'), WRITING, device({ mode: 'text' }))), false)
    assert.equal(isPicture(bytesOf(ticket('plain'), WRITING, device({ mode: 'raster' }))), true)
  })

  test('each character that a printer lacks is one "?" where a person wants text, and drawn where not', () => {
    const family = '👩‍👩‍👧 and 👩‍👩‍👧'
    for (const command of COMMANDS.filter((each) => each !== 'stargraphic')) {
      const bytes = bytesOf(ticket(family), WRITING, device({ command, dots: 384, mode: 'text' }))
      assert.match(bytes.toString('latin1'), /\? and \?/, command)
      const drawn = bytesOf(ticket(family), WRITING, device({ command, dots: 384 }))
      assert.doesNotMatch(drawn.toString('latin1'), / and /, command)
    }
  })

  test('the atlas has Latin with its marks, Greek, Cyrillic and the currencies that venues use', () => {
    assert.deepEqual(
      undrawable('Qaymaqlı Şəki ğıİ őűž Ștefan ẞß Việt Μουσακάς ΐ Борщ Ёжік ґ қ ₼ ₽ ₺ ₸ ₾ € £ ₴ «»„“’…–— №'),
      [],
    )
    assert.deepEqual(undrawable('ab 漢 ข'), ['漢', 'ข'])
  })

  test('every command set prints a picture of any document', () => {
    for (const command of COMMANDS)
      assert.ok(
        bytesOf(SAMPLES.receipt, WRITING, device({ command, mode: 'raster', dots: 384 })).length > 1_000,
        command,
      )
  })

  test('the dots that we send ourselves are those that receiptline would send', () => {
    for (const command of ['escpos', 'citizen', 'generic'] as const)
      for (const dots of [384, 512, 576]) {
        const page = drawn(writeDocument(SAMPLES.receipt, WRITING, cellsOf({ dots })), cellsOf({ dots }))
        const options = { command, cut: true }
        assert.ok(pictured(page, options) === pictured(page, options, false), `${command} ${dots}`)
      }
  })

  test('dots never read as a command in real time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0x10, 0x04, 0x05, 0x14, 0x18, 0xff)), (bytes) => {
        const safe = defused(Uint8Array.from(bytes))
        for (const second of ['\x04', '\x05', '\x14']) assert.ok(!Buffer.from(safe).includes(`\x10${second}`))
        for (const [at, byte] of bytes.entries()) assert.equal(safe[at]! & byte, byte) // dots are only added
      }),
    )
  })

  test('a preview is a PNG as wide as the paper', () => {
    for (const dots of Object.values(PAPERS)) {
      const png = previewOf(SAMPLES.bill, WRITING, device({ dots }))
      assert.equal(png.toString('latin1', 1, 4), 'PNG')
      assert.equal(png.readUInt32BE(16), dots)
    }
  })
})
