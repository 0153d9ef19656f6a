import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PNG_SIGNATURE, pngChunk, pngChunks, pngOf } from '../../../test/database/pictures.ts'
import pictures from '../../demo/pictures.json' with { type: 'json' }
import { ImageProblem, readImage } from './image-format.ts'

// M13: a picture is read byte by byte. A phone's place, in whatever form it comes, is refused.

const PLACE = Buffer.from('Exif\0\0MM\0*\0\0\0\x08GPS 48.8738,2.3617')
const webp = Buffer.from(pictures[0]!.small.data, 'base64')
// 16 × 16, grey, as libjpeg writes it.
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/' +
    'wAALCAAQABABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKB' +
    'kaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWm' +
    'p6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APyqooooor//2Q==',
  'base64',
)

const refused = (bytes: Buffer, message: RegExp) =>
  assert.throws(
    () => readImage(bytes),
    (error) => error instanceof ImageProblem && message.test(error.message),
    message.source,
  )
const METADATA = /remove its metadata/

/** A segment of JPEG. */
function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const afterSoi = (more: Buffer) => Buffer.concat([JPEG.subarray(0, 2), more, JPEG.subarray(2)])

/** A chunk of RIFF, padded. */
function riffChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

function riff(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

function extended(flags: number, ...chunks: Buffer[]): Buffer {
  const { width, height } = readImage(webp)
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return riff(riffChunk('VP8X', data), ...chunks)
}

const still = webp.subarray(webp.indexOf('VP8 ', 30, 'latin1')) // after Chromium's colour profile

test('JPEG, PNG and WebP are known by their bytes', () => {
  assert.deepEqual(readImage(JPEG), { type: 'image/jpeg', width: 16, height: 16 })
  assert.deepEqual(readImage(pngOf(7, 20, 30)), { type: 'image/png', width: 20, height: 30 })
  assert.deepEqual(readImage(webp), { type: 'image/webp', width: 160, height: 120 })
  assert.deepEqual(readImage(extended(0, still)), { type: 'image/webp', width: 160, height: 120 })
  for (const { small, medium, large, width, height } of pictures) {
    const [one, two, three] = [small, medium, large].map(({ data }) => readImage(Buffer.from(data, 'base64')))
    assert.deepEqual([one!.width, two!.width, three!.width, three!.height], [160, 640, width, height])
  }
})

test('what carries a place, a comment or anything else is refused, wherever it stands', () => {
  refused(afterSoi(segment(0xe1, PLACE)), METADATA)
  refused(afterSoi(segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>'))), METADATA)
  refused(afterSoi(segment(0xfe, Buffer.from('at home'))), METADATA)
  refused(afterSoi(segment(0xed, Buffer.from('Photoshop 3.0\0'))), METADATA)
  refused(afterSoi(segment(0xe2, Buffer.from('MPF\0'))), METADATA)
  refused(afterSoi(segment(0xe0, Buffer.from('JFXX\0\x10'))), METADATA)
  const [header, data, end] = pngChunks()
  const withChunk = (type: string, content: Buffer, before = data!) =>
    Buffer.concat([
      PNG_SIGNATURE,
      ...[header!, data!, end!].flatMap((chunk) => (chunk === before ? [pngChunk(type, content), chunk] : [chunk])),
    ])
  refused(withChunk('eXIf', PLACE), METADATA)
  refused(withChunk('tEXt', Buffer.from('Comment\0at home'), end), METADATA)
  refused(withChunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0<x/>')), METADATA)
  refused(withChunk('tIME', Buffer.alloc(7)), METADATA)
  refused(withChunk('prVt', PLACE), METADATA)
  refused(riff(still, riffChunk('EXIF', PLACE)), METADATA)
  refused(extended(0x08, still, riffChunk('EXIF', PLACE)), METADATA)
  refused(extended(0, still, riffChunk('XMP ', PLACE)), METADATA)
  refused(extended(0x08, still), METADATA)
  refused(extended(0, still, riffChunk('ABCD', PLACE)), METADATA)
})

test('animations, tails, wrong sizes and broken files are refused', () => {
  const [header, data, end] = pngChunks()
  refused(Buffer.concat([PNG_SIGNATURE, header!, pngChunk('acTL', Buffer.alloc(8)), data!, end!]), /frame/)
  refused(extended(0x02, riffChunk('ANIM', Buffer.alloc(6)), riffChunk('ANMF', Buffer.alloc(24))), /frame/)
  for (const bytes of [JPEG, pngOf(), webp]) {
    refused(Buffer.concat([bytes, PLACE]), /after its end|remove its metadata|complete/)
    for (const length of [0, 1, 11, 40, bytes.length - 1]) refused(bytes.subarray(0, length), /complete|after its end/)
  }
  refused(pngOf(0, 15, 16), /15 × 16 pixels/)
  refused(pngOf(0, 16, 1_801), /16 × 1801 pixels/)
  refused(Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(64)]), /complete/)
  refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), /complete/)
  const wrong = pngOf()
  wrong[wrong.length - 20]! ^= 1
  refused(wrong, /complete/)
  refused(Buffer.concat([pngOf(), Buffer.alloc(600 * 1024)]), /more than 600 KiB/)
})

test('no bytes do worse than be refused, and what is accepted has no metadata', () => {
  const whole = fc.constantFrom(JPEG, pngOf(), webp, extended(0, still), afterSoi(segment(0xe1, PLACE)))
  const change = fc.record({
    at: fc.nat(1_000),
    removed: fc.nat(8),
    added: fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.constant(PLACE), fc.constant(segment(0xe1, PLACE))),
  })
  fc.assert(
    fc.property(whole, fc.array(change, { maxLength: 4 }), (bytes, changes) => {
      let mutated = bytes
      for (const { at, removed, added } of changes) {
        const place = at % (mutated.length + 1)
        mutated = Buffer.concat([mutated.subarray(0, place), added, mutated.subarray(place + removed)])
      }
      try {
        readImage(mutated)
      } catch (error) {
        assert.ok(error instanceof ImageProblem, String(error))
        return
      }
      const text = mutated.toString('latin1')
      assert.ok(!text.includes('Exif\0\0') || !/\xff\xe1/.test(text.slice(0, text.indexOf('\xff\xda'))), 'a place')
    }),
    { numRuns: 2_000 },
  )
})
