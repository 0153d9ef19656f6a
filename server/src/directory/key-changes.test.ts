import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import fs, { readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'
import { mock, test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { stores } from '../../test/database/store.ts'
import { services } from '../../test/service.ts'
import { type Database, OutcomeUnknown, StoreFull } from '../storage/database.ts'
import { auditRows } from './audit.ts'
import { revokeKey, rotateKeys } from './key-changes.ts'
import { openKeyRing } from './keys.ts'

onEachEngine('changes to the key ring', (make) => {
  const service = services(make)
  const open = stores(make)

  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const part = (token: string, index: 0 | 1) =>
    JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString())

  /** A service on the real clock's time, with a token and a way to forge others with the key that signed it. */
  async function signedIn(ttl = 60) {
    const built = await service({ COMPTOIR_TOKEN_TTL: ttl })
    const { brand, token, call, clock, deps, installation } = built
    const { credentials } = await brand('bistro')
    clock.ms = Date.now()
    const old = await token(credentials)
    const { kid } = part(old, 0)
    const key = deps.keys.key(kid, 'token')!
    const forged = (iat: number, exp: number) => {
      const input = `${encoded(part(old, 0))}.${encoded({ ...part(old, 1), iat, exp })}`
      return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
    }
    const status = async (presented: string) => (await call('/products', { headers: { 'x-token': presented } })).status
    const changed = async () => {
      await deps.keys.reload()
      deps.tokens.forget()
    }
    return { ...built, credentials, old, kid, forged, status, changed, file: installation.config.COMPTOIR_KEYS }
  }

  test('a key that was replaced verifies what it signed before, and nothing that is issued later', async () => {
    const { deps, clock, old, forged, status, changed, file } = await signedIn()
    const { signs_from } = await rotateKeys(deps.db, file, 'test')
    await changed()
    const replaced = Math.ceil(Date.parse(signs_from) / 1000)
    clock.ms = replaced * 1000 + 5_000
    assert.equal(await status(old), 200)
    assert.equal(await status(forged(replaced, replaced + 60)), 200, 'issued in the last moment of its reign')
    assert.equal(await status(forged(replaced + 1, replaced + 61)), 401)
    clock.ms += 86_400_000
    const now = Math.floor(clock.ms / 1000)
    assert.equal(await status(forged(now, now + 60)), 401)
  })

  test('a token that lives longer than tokens do is refused, whatever key signed it', async () => {
    const { clock, forged, status } = await signedIn()
    const now = Math.ceil(clock.ms / 1000)
    assert.equal(await status(forged(now, now + 60)), 200)
    assert.equal(await status(forged(now, now + 61)), 401)
    assert.equal(await status(forged(Number.NaN, now + 60)), 401)
    assert.equal(await status(forged(now, Number.NaN)), 401)
  })

  test('revoking the key that signs ends its tokens, and another signs at once', async () => {
    const { deps, old, kid, credentials, status, token, signIn, changed, file } = await signedIn()
    const { replacement, credentials: guarded } = await revokeKey(deps.db, file, 'test', kid)
    await changed()
    assert.equal(await status(old), 401)
    const { body } = await signIn(credentials)
    assert.equal(body.success, true, 'its secret is stored under the revoked key, and still good')
    assert.equal(guarded, 1)
    const fresh = await token(credentials)
    assert.equal(part(fresh, 0).kid, replacement)
    assert.equal(await status(fresh), 200)
    const last = (await Array.fromAsync(auditRows(deps.db))).at(-1)!
    assert.deepEqual([last.action, last.subject, last.actor], ['keys.revoke', kid, 'test'])
  })

  test('revoking a key that was replaced leaves the one that signs alone', async () => {
    const { deps, clock, old, kid, credentials, status, token, changed, file } = await signedIn()
    await rotateKeys(deps.db, file, 'test')
    await changed()
    clock.ms += 10_000
    const fresh = await token(credentials)
    assert.equal((await revokeKey(deps.db, file, 'test', kid)).replacement, null)
    await changed()
    assert.deepEqual([await status(old), await status(fresh)], [401, 200])
  })

  test('a key that was replaced never signs again, also when its successor is revoked', async () => {
    const { deps, clock, kid, credentials, token, status, changed, file } = await signedIn()
    const { kid: second } = await rotateKeys(deps.db, file, 'test')
    clock.ms += 10_000
    const { replacement } = await revokeKey(deps.db, file, 'test', second)
    await changed()
    const fresh = await token(credentials)
    assert.equal(part(fresh, 0).kid, replacement)
    assert.notEqual(part(fresh, 0).kid, kid)
    assert.equal(await status(fresh), 200)
  })

  test('a server whose file was not replaced yet hears of the revocation too, and signs nothing meanwhile', async () => {
    const { deps, old, kid, credentials, status, signIn, changed, file } = await signedIn()
    const stale = readFileSync(file)
    await revokeKey(deps.db, file, 'test', kid)
    fs.writeFileSync(file, stale)
    await changed()
    assert.equal(await status(old), 401)
    assert.equal((await signIn(credentials)).status, 503)
  })

  test('a key that is not there, or revoked already, is said to be', async () => {
    const { db, ring, installation } = await open()
    const [file, kid] = [installation.config.COMPTOIR_KEYS, ring.newest(Date.now())]
    await assert.rejects(revokeKey(db, file, 'test', 'nobody'), /has no key "nobody"/)
    await revokeKey(db, file, 'test', kid)
    await assert.rejects(revokeKey(db, file, 'test', kid), /revoked already/)
  })

  const neighbours = (file: string) => readdirSync(dirname(file)).filter((name) => name.startsWith('keys.json'))

  test('a disk that is full leaves the ring as it was, and no copy of it', async () => {
    const { db, ring, installation } = await open()
    const file = installation.config.COMPTOIR_KEYS
    const before = readFileSync(file, 'utf8')
    const write = fs.writeFileSync
    mock.method(fs, 'writeFileSync', (name: string, content: string, options: object) => {
      write(name, content.slice(0, content.length - 20), options)
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    })
    syncBuiltinESMExports()
    try {
      await assert.rejects(rotateKeys(db, file, 'test'), /cannot be written: ENOSPC/)
      await assert.rejects(revokeKey(db, file, 'test', ring.newest(Date.now())), /cannot be written: ENOSPC/)
    } finally {
      mock.restoreAll()
      syncBuiltinESMExports()
    }
    assert.deepEqual(neighbours(file), ['keys.json'])
    assert.equal(readFileSync(file, 'utf8'), before)
    await openKeyRing(db, file)
  })

  test('a change whose audit row cannot be stored is undone; one whose outcome is unknown stays', async () => {
    const { db, installation } = await open()
    const file = installation.config.COMPTOIR_KEYS
    const before = readFileSync(file, 'utf8')
    const failing = (error: Error): Database => ({
      ...db,
      transaction: (work) =>
        db.transaction(async (tx) => {
          await work(tx)
          throw error
        }),
    })
    await assert.rejects(rotateKeys(failing(new StoreFull('the disk is full')), file, 'test'), StoreFull)
    assert.equal(readFileSync(file, 'utf8'), before)
    assert.deepEqual(neighbours(file), ['keys.json'])
    await assert.rejects(rotateKeys(failing(new OutcomeUnknown('cut')), file, 'test'), OutcomeUnknown)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).keys.length, 2)
    assert.deepEqual(neighbours(file), ['keys.json'])
  })
})
