import { crc32, deflateSync } from 'node:zlib'
import { hashOf } from '../../src/resources/entries/images.ts'

// Pictures that tests upload: made here, byte by byte.

/** One chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The chunks of a grey picture whose pixels have one value, and so have other bytes than those of another value. */
export function pngChunks(value = 0, width = 16, height = 16): Buffer[] {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const pixels = Buffer.alloc((width + 1) * height, value)
  for (let row = 0; row < height; row++) pixels[row * (width + 1)] = 0
  return [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(pixels)), pngChunk('IEND', Buffer.alloc(0))]
}

export const pngOf = (value = 0, width = 16, height = 16): Buffer =>
  Buffer.concat([PNG_SIGNATURE, ...pngChunks(value, width, height)])

/** A line of an import. */
export const imageRow = (value = 0) => {
  const bytes = pngOf(value)
  return { kind: 'image', id: hashOf(bytes), data: bytes.toString('base64') }
}
