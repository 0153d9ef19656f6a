import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Content that every client gets alike. Compressed once, off the event loop, and held. */
export interface StaticFile {
  readonly type: string
  readonly bytes: Buffer
  readonly gzipped: Buffer
  readonly etag: string
}

export async function staticFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const bytes = Buffer.from(content as string)
  const gzipped = await promisify(gzip)(bytes, { level: 9 })
  // Weak, because both encodings share it (RFC 9110 section 8.8.1).
  return { type, bytes, gzipped, etag: `W/"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Content that was compressed ahead: what is made of it is made off the event loop. */
export async function compressedFile(type: string, gzipped: Buffer): Promise<StaticFile> {
  const etag = `W/"${createHash('sha256').update(gzipped).digest('base64url')}"`
  return { type, bytes: await promisify(gunzip)(gzipped), gzipped, etag }
}

/** Returns the bytes to send, or nothing with status 304 when the client has them. Sets the headers. */
export function sendable(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, gzipped, etag }: StaticFile,
  cacheControl: string,
): Buffer | undefined {
  reply.header('cache-control', cacheControl).header('etag', etag).header('vary', 'accept-encoding')
  if (isHeld(headers['if-none-match'], etag)) {
    reply.status(304)
    return undefined
  }
  reply.type(type)
  if (!acceptsGzip(headers['accept-encoding'])) return bytes
  reply.header('content-encoding', 'gzip')
  return gzipped
}

export const isHeld = (sent: string | undefined, etag: string) =>
  sent !== undefined &&
  (sent.trim() === '*' || sent.split(',').some((each) => each.trim().replace(/^W\//, '') === etag.slice(2)))

/** RFC 9110 section 12.5.3: `gzip;q=0` refuses it, and `*` stands for every coding that is not named. */
export function acceptsGzip(sent = ''): boolean {
  const codings = sent.split(',').map((each) =>
    each
      .toLowerCase()
      .split(';')
      .map((part) => part.trim()),
  )
  const [, ...parameters] = codings.find(([name]) => name === 'gzip' || name === 'x-gzip') ??
    codings.find(([name]) => name === '*') ?? ['', 'q=0']
  return !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
}

/** Runs `make` for the first who asks; a failure is forgotten, so that the next one tries again. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
