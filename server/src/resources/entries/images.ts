import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { exportPage } from '../../resource/files/export.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Queries } from '../../storage/database.ts'
import { places, upsert } from '../../storage/upsert.ts'
import { ImageProblem, readImage } from './image-format.ts'

// M13: pictures are rows, as base64: one backup, one transaction, and every server has them.

const Image = Type.Object(
  {
    id: Type.String({ description: 'SHA-256 of its bytes, as base64url' }),
    data: Type.String({ description: 'Its bytes, as base64' }),
  },
  { $id: 'Image' },
)
export type Image = Static<typeof Image>

/** What its upload answers. */
export const UploadedImage = Type.Object(
  {
    hash: Type.String(),
    type: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    size: Type.Integer({ description: 'Bytes' }),
  },
  { $id: 'UploadedImage' },
)
export type UploadedImage = Static<typeof UploadedImage>

export const images = defineResource({
  name: { one: 'image', many: 'images' },
  permission: 'products:read',
  tag: 'Menu',
  about: 'Pictures of what is on the menu, by their hashes.',
  wire: Image,
  scope: 'brand',
  columns: { id: 'key' },
  events: { types: 'none' }, // the entry that names it publishes
  check({ id, data }) {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) throw new RowProblem('data must be base64')
    const bytes = Buffer.from(data, 'base64')
    if (hashOf(bytes) !== id) throw new RowProblem('id must be the SHA-256 of data, as base64url')
    try {
      readImage(bytes)
    } catch (error) {
      throw error instanceof ImageProblem ? new RowProblem(`data ${error.message}`) : error
    }
  },
  async write(context, rows) {
    for (const { data } of rows) await storeImage(context, Buffer.from(data, 'base64'))
    return rows.map(({ id }) => JSON.stringify({ id }))
  },
  async readExportPage(db, brand_id, after = '') {
    const rows = await db.rows<Image>(
      `select id, data from images where brand_id = ? and id > ? order by id limit ${IMAGES_A_PAGE}`,
      [brand_id, after],
    )
    const { objects } = exportPage(rows, ({ id, data }) => JSON.stringify({ id, data }))
    return { objects, next: rows.length < IMAGES_A_PAGE ? undefined : rows.at(-1)!.id }
  },
})

/** Each may have 800 kB as text. */
const IMAGES_A_PAGE = 10

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url')

/** Stores a picture, or notes that one that is there was sent again; throws ImageProblem. */
export async function storeImage(
  { tx, brand_id, now }: Pick<WriteContext, 'tx' | 'brand_id' | 'now'>,
  bytes: Buffer,
): Promise<UploadedImage> {
  const { type, width, height } = readImage(bytes)
  const [id, size] = [hashOf(bytes), bytes.length]
  const row = { brand_id, id, type, width, height, size, touched_at: now, data: bytes.toString('base64') }
  const fixed = Object.keys(row).filter((name) => name !== 'touched_at')
  await upsert(tx, 'images', ['brand_id', 'id'], [row], fixed)
  return { hash: id, type, width, height, size }
}

export interface StoredImage {
  readonly type: string
  readonly bytes: Buffer
}

export async function findImage(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  hash: string,
): Promise<StoredImage | undefined> {
  const [row] = await db.rows<{ type: string; data: string }>(
    'select type, data from images where brand_id = ? and id = ?',
    [brand_id, hash],
  )
  return row && { type: row.type, bytes: Buffer.from(row.data, 'base64') }
}

const DAY_MS = 86_400_000
const STEP = 100

/**
 * Removes pictures after an id that no entry has named for a day, a step of them, and answers where the next step begins. An entry that
 * names one meanwhile waits, and is refused.
 */
export async function removeUnnamedImages(
  { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
  nowMs: number,
  after = '',
): Promise<string | undefined> {
  const old = await tx.texts(
    `select id from images where brand_id = ? and id > ? and touched_at < ? order by id limit ${STEP}${tx.dialect.lockRows}`,
    [brand_id, after, new Date(nowMs - DAY_MS).toISOString()],
  )
  if (old.length === 0) return undefined
  const named = await tx.texts('select images from menu_entries where brand_id = ? and images is not null', [brand_id])
  const kept = new Set(named.flatMap((hashes) => hashes.split(' ')))
  const gone = old.filter((id) => !kept.has(id))
  if (gone.length > 0)
    await tx.run(`delete from images where brand_id = ? and id in ${places(gone)}`, [brand_id, ...gone])
  return old.length < STEP ? undefined : old.at(-1)
}
