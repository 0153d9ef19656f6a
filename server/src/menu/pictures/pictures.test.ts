import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { imageRow, PNG_SIGNATURE, pngChunk, pngOf } from '../../../test/database/pictures.ts'
import { putRows } from '../../../test/database/store.ts'
import { offices } from '../../back-office/office-fixture.ts'
import { readImage } from '../../resources/entries/image-format.ts'
import { hashOf } from '../../resources/entries/images.ts'
import { collectImages } from '../timed.ts'

const staff = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true },
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['products:read'] },
  { kind: 'user', id: 1, username: 'owner', name: 'Owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'waiter', name: 'Waiter', role_id: 2 },
]
const DAY_MS = 86_400_000

/** A chunk that compresses to nothing less, in front of the end. */
const withText = (text: Buffer) => {
  const picture = pngOf(1)
  return Buffer.concat([picture.subarray(0, -12), pngChunk('tEXt', text), picture.subarray(-12)])
}

onEachEngine('pictures', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>> | undefined
  /** One service for all tests; a brand for each. */
  const start = async (slug: string) => {
    built ??= await office({ COMPTOIR_IMAGES_MB: 1 })
    const { id } = await built.brand(slug, { rows: staff })
    const { app, deps, staffBrowser } = built
    const owner = await staffBrowser(slug)
    const upload = (bytes: Buffer, headers = {}, browser = owner) =>
      browser.ask('POST', '/images', bytes, { 'content-type': 'application/octet-stream', ...headers })
    const media = (hash: string, headers = {}, brand = slug) => app.inject({ url: `/media/${brand}/${hash}`, headers })
    return { ...built, id, deps, owner, upload, media }
  }

  test('M13, M14: a picture is stored under its hash and served to everybody, for good', async () => {
    const { upload, media } = await start('show')
    const bytes = pngOf(7, 20, 30)
    const { status, body } = await upload(bytes)
    assert.deepEqual(
      [status, body.data],
      [200, { hash: hashOf(bytes), type: 'image/png', width: 20, height: 30, size: bytes.length }],
    )
    const served = await media(body.data.hash)
    assert.deepEqual([served.statusCode, served.rawPayload], [200, bytes])
    assert.deepEqual(
      Object.fromEntries(
        [
          'content-type',
          'cache-control',
          'etag',
          'x-content-type-options',
          'content-security-policy',
          'cross-origin-resource-policy',
        ].map((name) => [name, served.headers[name]]),
      ),
      {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${body.data.hash}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      },
    )
    const again = await media(body.data.hash, { 'if-none-match': `"${body.data.hash}"` })
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', `"${body.data.hash}"`])
    assert.equal((await media(body.data.hash, { 'if-none-match': '"other"' })).statusCode, 200)
  })

  test('M14: an unknown hash, an unknown brand and another brand’s picture are 404', async () => {
    const { upload, media } = await start('mine')
    await start('theirs')
    const { body } = await upload(pngOf(3))
    const { hash } = body.data
    assert.equal((await media(hash)).statusCode, 200)
    const nowhere: [string, string?][] = [
      [hash, 'theirs'],
      [hash, 'nobody'],
      [hash, '%00'],
      ['A'.repeat(43)],
      ['short'],
    ]
    for (const [one, brand] of nowhere) {
      const answer = await media(one, {}, brand)
      assert.equal(answer.statusCode, 404, `${brand} ${one}`)
      assert.equal(answer.headers['cache-control']?.includes('immutable') ?? false, false)
    }
  })

  test('M13: what is no plain picture is 400 image; a role without menu:write, and a page of others, store none', async () => {
    const { upload, staffBrowser, deps, id } = await start('plain')
    const large = Buffer.concat([pngOf(1), Buffer.alloc(700 * 1024)])
    const files = [
      Buffer.from('<svg/>'),
      Buffer.from(''),
      withText(Buffer.from('Place\x0048.87,2.36')),
      pngOf(1, 15, 20),
      large,
    ]
    for (const file of files) {
      const { status, body } = await upload(file)
      assert.deepEqual([status, body.error, body.details.errors[0].rule], [400, 'validation_failed', 'image'])
    }
    assert.match((await upload(files[2]!)).body.message, /remove its metadata/)
    assert.equal((await upload(Buffer.alloc(3 * 1024 * 1024))).status, 413)
    const waiter = await staffBrowser('plain', 'waiter')
    assert.equal((await upload(pngOf(1), {}, waiter)).status, 403)
    assert.equal((await upload(pngOf(1), { 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.deepEqual(await deps.db.texts('select id from images where brand_id = ?', [id]), [])
  })

  test('M13: a brand has a bound; the same picture takes its space once; a key is one picture', async () => {
    const { upload } = await start('full')
    const picture = (kilobytes: number, value: number) =>
      Buffer.concat([
        PNG_SIGNATURE,
        ...pngChunksOf(pngOf(value)).toSpliced(1, 0, pngChunk('IDAT', randomBytes(kilobytes * 1024))),
      ])
    const one = picture(590, 1)
    assert.equal((await upload(one)).status, 200)
    assert.equal((await upload(one)).status, 200)
    const { status, body } = await upload(picture(590, 2))
    assert.deepEqual([status, body.error, body.details], [409, 'image_space', { limit_mb: 1 }])
    const small = pngOf(9)
    const first = await upload(small, { 'idempotency-key': 'k1' })
    const repeated = await upload(small, { 'idempotency-key': 'k1' })
    assert.deepEqual([repeated.body, repeated.headers['idempotency-replayed']], [first.body, 'true'])
    assert.equal((await upload(pngOf(10), { 'idempotency-key': 'k1' })).status, 422)
  })

  test('M13: what no entry names goes after a day', async () => {
    const { upload, owner, media, deps, clock, id } = await start('tidy')
    await putRows(deps.db, id, [{ kind: 'category', id: 1, name: 'Hot', type: 'PRODUCT', status: 1 }])
    const [kept, gone] = [(await upload(pngOf(1))).body.data, (await upload(pngOf(2))).body.data]
    const images = [{ small: kept.hash, medium: kept.hash, large: kept.hash, width: 16, height: 16 }]
    assert.equal((await owner.ask('PUT', '/menu-entries/category-1', { images })).status, 200)
    const left = () => deps.db.texts('select id from images where brand_id = ? order by id', [id])
    await collectImages(deps.db, clock.ms + DAY_MS - 1000)
    assert.deepEqual(await left(), [kept.hash, gone.hash].sort())
    await collectImages(deps.db, clock.ms + DAY_MS + 1000)
    assert.deepEqual(await left(), [kept.hash])
    assert.equal((await media(gone.hash)).statusCode, 404)
  })
})

const pngChunksOf = (png: Buffer): Buffer[] => {
  const chunks: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at) + 12
    chunks.push(png.subarray(at, at + length))
    at += length
  }
  return chunks
}

test('the picture of an import is one that an upload takes', () => {
  const { id, data } = imageRow(4)
  const bytes = Buffer.from(data, 'base64')
  assert.deepEqual([hashOf(bytes), readImage(bytes).type], [id, 'image/png'])
})
