import type { FastifyInstance } from 'fastify'
import type { Directory } from '../../directory/directory.ts'
import { notFound } from '../../http/errors.ts'
import { isHeld } from '../../http/static-file.ts'
import { findImage, type StoredImage } from '../../resources/entries/images.ts'
import type { Database } from '../../storage/database.ts'
import { byteCache } from '../byte-cache.ts'

// M14: pictures are public, and an address never shows another one: its last part is the hash of the bytes.

const CACHED_BYTES = 32 * 1024 * 1024

const SLUG = /^[a-z0-9-]{1,63}$/
const HASH = /^[A-Za-z0-9_-]{43}$/

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** GET /media/{brand}/{hash}, without a token. The brand is named by its slug. */
export function mediaRoute(app: FastifyInstance, { db, directory }: { db: Database; directory: Directory }): void {
  const held = byteCache<StoredImage>(CACHED_BYTES)

  async function imageOf(slug: string, hash: string): Promise<StoredImage | undefined> {
    const brand = SLUG.test(slug) && HASH.test(hash) ? await directory.brand(slug) : undefined
    if (!brand) return undefined
    const key = `${brand.id} ${hash}`
    const known = held.get(key)
    if (known) return known
    const image = await findImage(db, brand.id, hash)
    if (image) held.add(key, image, image.bytes.length)
    return image
  }

  app.get<{ Params: { brand: string; hash: string } }>('/media/:brand/:hash', async ({ params, headers }, reply) => {
    const image = await imageOf(params.brand, params.hash)
    if (!image) throw notFound()
    const etag = `"${params.hash}"`
    reply.headers(HEADERS).header('etag', etag)
    const sent = headers['if-none-match']
    if (sent !== undefined && isHeld(sent, `W/${etag}`)) return reply.status(304).send()
    return reply.type(image.type).send(image.bytes)
  })
}
