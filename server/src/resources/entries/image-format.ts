import { crc32 } from 'node:zlib'

// M13: pictures are read byte by byte and never decoded. What is not needed to show one picture is refused: a phone writes the place and
// the time into EXIF, and the bytes are served to everybody.

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp'

/** What the bytes of a picture say. */
export interface ImageFacts {
  readonly type: ImageType
  readonly width: number
  readonly height: number
}

export const MAX_IMAGE_BYTES = 600 * 1024
const MIN_BYTES = 32
const MIN_SIDE = 16
const MAX_SIDE = 1_800

/** A file that is not one plain picture; the message is a sentence without its subject and full stop. */
export class ImageProblem extends Error {}

const METADATA = 'carries metadata such as EXIF, XMP or a comment: remove its metadata'
const MOVING = 'has more than one frame'
const BROKEN = 'is damaged, or not a complete JPEG, PNG or WebP file'

/** Reads a file that holds one picture and nothing else; throws ImageProblem. */
export function readImage(bytes: Buffer): ImageFacts {
  if (bytes.length > MAX_IMAGE_BYTES) throw new ImageProblem(`has more than ${MAX_IMAGE_BYTES / 1024} KiB`)
  must(bytes.length >= MIN_BYTES)
  const facts = readerOf(bytes)(bytes)
  for (const side of [facts.width, facts.height])
    if (side < MIN_SIDE || side > MAX_SIDE)
      throw new ImageProblem(
        `is ${facts.width} × ${facts.height} pixels: each side must have ${MIN_SIDE} to ${MAX_SIDE}`,
      )
  return facts
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function readerOf(bytes: Buffer): (bytes: Buffer) => ImageFacts {
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg
  if (bytes.subarray(0, PNG.length).equals(PNG)) return readPng
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return readWebp
  throw new ImageProblem(BROKEN)
}

const textAt = (bytes: Buffer, at: number, length: number) => bytes.toString('latin1', at, at + length)

function must(holds: boolean, problem = BROKEN): asserts holds {
  if (!holds) throw new ImageProblem(problem)
}

// JPEG (ITU T.81): segments, then scans, then the end.

const [SOI, EOI, SOS, DHT, DQT, DRI, COM] = [0xd8, 0xd9, 0xda, 0xc4, 0xdb, 0xdd, 0xfe]
const [APP0, APP2, APP14] = [0xe0, 0xe2, 0xee]
const FRAMES = [0xc0, 0xc1, 0xc2] // baseline, extended and progressive, as browsers show them
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

function readJpeg(bytes: Buffer): ImageFacts {
  let facts: ImageFacts | undefined
  let scans = 0
  let at = 2
  for (;;) {
    must(at + 2 <= bytes.length && bytes[at] === 0xff)
    const marker = bytes[at + 1]!
    if (marker === EOI) {
      must(facts !== undefined && scans > 0)
      must(at + 2 === bytes.length, 'has something after its end')
      return facts
    }
    must(marker !== SOI && at + 4 <= bytes.length)
    const length = bytes.readUInt16BE(at + 2)
    const segment = bytes.subarray(at + 4, at + 2 + length)
    must(length >= 2 && segment.length === length - 2)
    at += 2 + length
    if (FRAMES.includes(marker)) {
      must(facts === undefined, MOVING)
      facts = frameOf(segment)
    } else if (marker === SOS) {
      must(facts !== undefined)
      scans++
      at = endOfScan(bytes, at)
    } else if (isApplication(marker)) must(isPlainSegment(marker, segment), METADATA)
    else if (marker === COM) throw new ImageProblem(METADATA)
    else must(isTables(marker, segment))
  }
}

/** Whether a segment is what decoding needs: whole tables, or the distance of restarts. */
function isTables(marker: number, segment: Buffer): boolean {
  if (marker === DRI) return segment.length === 2
  if (marker !== DQT && marker !== DHT) return false
  let at = 0
  while (at < segment.length) {
    if (marker === DQT) at += 1 + 64 * ((segment[at]! >> 4) + 1)
    else at += 17 + segment.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0)
  }
  return at === segment.length
}

/** The JFIF header without a thumbnail, a colour profile, or Adobe's note on colours. */
function isPlainSegment(marker: number, segment: Buffer): boolean {
  if (marker === APP0)
    return textAt(segment, 0, 5) === 'JFIF\0' && segment.length === 14 && segment.readUInt16BE(12) === 0
  if (marker === APP2) return textAt(segment, 0, 14) === 'ICC_PROFILE\0\x01\x01' && isProfile(segment.subarray(14))
  return marker === APP14 && textAt(segment, 0, 5) === 'Adobe' && segment.length === 12
}

/** ICC.1: its own size first, and `acsp` at byte 36. */
const isProfile = (bytes: Buffer) =>
  bytes.length >= 128 && bytes.readUInt32BE(0) === bytes.length && textAt(bytes, 36, 4) === 'acsp'

function frameOf(segment: Buffer): ImageFacts {
  must(segment.length >= 6)
  const components = segment[5]!
  must(segment[0] === 8 && [1, 3, 4].includes(components) && segment.length === 6 + 3 * components)
  return { type: 'image/jpeg', height: segment.readUInt16BE(1), width: segment.readUInt16BE(3) }
}

/** Where the marker after a scan's data stands. Inside it 0xff is followed by 0, by itself, or by a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    must(next !== undefined)
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  throw new ImageProblem(BROKEN)
}

// PNG (W3C, third edition): chunks with checksums.

const PLAIN_CHUNKS = ['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'bKGD', 'pHYs', 'cICP']
const MOVING_CHUNKS = ['acTL', 'fcTL', 'fdAT']
const MAX_PLAIN_CHUNK = 1_024 // a palette has 768 bytes
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function readPng(bytes: Buffer): ImageFacts {
  let facts: ImageFacts | undefined
  let data = 'none' as 'none' | 'open' | 'closed'
  const seen = new Set<string>()
  for (let at = PNG.length; ; ) {
    must(at + 12 <= bytes.length)
    const length = bytes.readUInt32BE(at)
    const type = textAt(bytes, at + 4, 4)
    must(length <= bytes.length - at - 12)
    const chunk = bytes.subarray(at + 8, at + 8 + length)
    must(crc32(bytes.subarray(at + 4, at + 8 + length)) === bytes.readUInt32BE(at + 8 + length))
    at += 12 + length
    must((facts === undefined) === (type === 'IHDR'))
    if (type !== 'IDAT' && data === 'open') data = 'closed'
    if (type === 'IHDR') facts = headerOf(chunk)
    else if (type === 'IDAT') {
      must(data !== 'closed')
      data = 'open'
    } else if (type === 'IEND') {
      must(length === 0 && data === 'closed')
      must(at === bytes.length, 'has something after its end')
      return facts!
    } else {
      must(!MOVING_CHUNKS.includes(type), MOVING)
      must(PLAIN_CHUNKS.includes(type) && !seen.has(type) && length <= MAX_PLAIN_CHUNK, METADATA)
      seen.add(type)
    }
  }
}

function headerOf(chunk: Buffer): ImageFacts {
  must(chunk.length === 13)
  const [depth, colour, compression, filter, interlace] = chunk.subarray(8) as unknown as number[]
  must(BIT_DEPTHS[colour!]?.includes(depth!) === true && compression === 0 && filter === 0 && interlace! <= 1)
  return { type: 'image/png', width: chunk.readUInt32BE(0), height: chunk.readUInt32BE(4) }
}

// WebP (RFC 9649): a RIFF file with one frame.

const FLAGS = { animation: 0x02, xmp: 0x04, exif: 0x08, alpha: 0x10, profile: 0x20 }

function readWebp(bytes: Buffer): ImageFacts {
  const size = bytes.readUInt32LE(4)
  must(size + 8 <= bytes.length)
  must(size + 8 === bytes.length, 'has something after its end')
  const chunks = [...chunksOf(bytes)]
  const names = chunks.map(({ name }) => name)
  if (names.includes('EXIF') || names.includes('XMP ')) throw new ImageProblem(METADATA)
  if (names.includes('ANIM') || names.includes('ANMF')) throw new ImageProblem(MOVING)
  const [first, ...others] = chunks
  must(first !== undefined)
  if (first.name !== 'VP8X') {
    must(others.length === 0, METADATA)
    return bitstreamOf(first)
  }
  must(first.data.length === 10)
  const flags = first.data[0]!
  must((flags & (FLAGS.exif | FLAGS.xmp)) === 0, METADATA)
  must((flags & FLAGS.animation) === 0, MOVING)
  must((flags & ~(FLAGS.alpha | FLAGS.profile)) === 0 && first.data.readUIntBE(1, 3) === 0)
  const order = /^(ICCP)?(ALPH)?(VP8 |VP8L)$/.exec(others.map(({ name }) => name).join(''))
  must(order !== null, METADATA)
  const [, profile, alpha] = order
  must((profile !== undefined) === ((flags & FLAGS.profile) !== 0))
  must(alpha === undefined || ((flags & FLAGS.alpha) !== 0 && order[3] === 'VP8 '))
  if (profile) must(isProfile(others[0]!.data), METADATA)
  const facts = bitstreamOf(others.at(-1)!)
  must(first.data.readUIntLE(4, 3) + 1 === facts.width && first.data.readUIntLE(7, 3) + 1 === facts.height)
  return facts
}

interface Chunk {
  readonly name: string
  readonly data: Buffer
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = 12; at < bytes.length; ) {
    must(at + 8 <= bytes.length)
    const length = bytes.readUInt32LE(at + 4)
    must(length <= bytes.length - at - 8)
    yield { name: textAt(bytes, at, 4), data: bytes.subarray(at + 8, at + 8 + length) }
    at += 8 + length
    if (length % 2 === 1) must(bytes[at++] === 0) // padding
  }
}

function bitstreamOf({ name, data }: Chunk): ImageFacts {
  if (name === 'VP8 ') {
    must(data.length > 10 && (data[0]! & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a)
    const firstPartition = data.readUIntLE(0, 3) >> 5
    must(firstPartition <= data.length - 10)
    return { type: 'image/webp', width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  }
  must(name === 'VP8L' && data.length > 5 && data[0] === 0x2f)
  const bits = data.readUInt32LE(1)
  must(bits >>> 29 === 0)
  return { type: 'image/webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
