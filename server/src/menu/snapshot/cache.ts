import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Database } from '../../storage/database.ts'
import { byteCache } from '../byte-cache.ts'
import { makeMenu } from './make.ts'
import { readMenu } from './read.ts'
import { etagOf, type MenuKey } from './version.ts'

// M6: bodies by their ETags, which say all that decides about them.

const MAX_BYTES = 64 * 1024 * 1024

/** A menu as it is sent. */
export interface MenuBody {
  readonly etag: string
  readonly bytes: Buffer
  /** Compressed for the first who asks for that. */
  gzipped(): Promise<Buffer>
}

export interface MenuCache {
  /** The body for an ETag that was read just now. Where it has to be made, it may be of a later version. */
  find(key: MenuKey, etag: string): Promise<MenuBody>
}

export function menuCache(db: Database, maxBytes = MAX_BYTES): MenuCache {
  const held = byteCache<MenuBody>(maxBytes)
  /** Bodies that are being made, by the ETag that was asked for: nobody gets one that is older than their own reading. */
  const making = new Map<string, Promise<MenuBody>>()

  async function make(key: MenuKey): Promise<MenuBody> {
    const rows = await readMenu(db, key)
    const etag = etagOf(rows.mark, key)
    const place = placeOf(key, etag)
    const text = `{"success":true,"data":${await makeMenu(rows, key.lang)}}`
    const body = bodyOf(etag, text, (more) => held.grow(place, body, more))
    held.add(place, body, body.bytes.length)
    return body
  }

  return {
    find(key, etag) {
      const place = placeOf(key, etag)
      const found = held.get(place)
      if (found) return Promise.resolve(found)
      let made = making.get(place)
      if (!made) {
        made = make(key).finally(() => making.delete(place))
        making.set(place, made)
      }
      return made
    },
  }
}

/** An ETag says which venue's of its brand. */
const placeOf = ({ brand_id }: MenuKey, etag: string) => `${brand_id} ${etag}`

function bodyOf(etag: string, text: string, grown: (bytes: number) => void): MenuBody {
  const bytes = Buffer.from(text)
  let compressed: Promise<Buffer> | undefined
  return {
    etag,
    bytes,
    gzipped() {
      compressed ??= promisify(gzip)(bytes).then((made) => {
        grown(made.length)
        return made
      })
      return compressed
    },
  }
}
