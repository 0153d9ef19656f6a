import assert from 'node:assert/strict'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { stores } from '../../test/database/store.ts'
import { until } from '../../test/until.ts'
import { rotateKeys } from './key-changes.ts'
import { newKey, openKeyRing } from './keys.ts'

test('a key’s name can be typed on a command line: none begins with a dash', () => {
  for (let made = 0; made < 1_000; made++) assert.match(newKey().kid, /^[\da-f]{12}$/)
})

onEachEngine('the key ring', (make) => {
  const open = stores(make)

  test('is made on the first start, for its owner alone', async () => {
    const { installation } = await open()
    assert.equal(statSync(installation.config.COMPTOIR_KEYS).mode & 0o777, 0o600)
  })

  test('is one ring when several start at once', async () => {
    const { config } = await make()
    const opened = await Promise.all(Array.from({ length: 8 }, () => open({ config, env: {} })))
    const kids = opened.map(({ ring }) => ring.newest(Date.now()))
    assert.deepEqual(kids, Array(8).fill(kids[0]))
  })

  test('signs with a new key once every process has had time to read it; the old one stays', async () => {
    const { db, ring, installation } = await open()
    const old = ring.newest(Date.now())
    const { kid: added, signs_from } = await rotateKeys(db, installation.config.COMPTOIR_KEYS, 'test')
    await ring.reload()
    assert.equal(ring.newest(Date.now()), old)
    assert.equal(ring.newest(Date.parse(signs_from) - 1), old)
    assert.equal(ring.newest(Date.parse(signs_from)), added)
    assert.ok(ring.key(old, 'token'))
    assert.notDeepEqual(ring.key(added, 'token'), ring.key(added, 'secret-hash'))
  })

  test('that was copied from another machine is read when a token names its new key', async () => {
    const { db, ring, installation } = await open()
    const { kid: added } = await rotateKeys(db, installation.config.COMPTOIR_KEYS, 'test')
    await until(() => ring.key(added, 'token') !== undefined) // the file is read once a second at most
  })

  test('of another database is refused with a message, and so is a missing one', async () => {
    const { db, installation } = await open()
    const other = await open()
    await assert.rejects(openKeyRing(db, other.installation.config.COMPTOIR_KEYS), /does not fit this database/)
    rmSync(installation.config.COMPTOIR_KEYS)
    await assert.rejects(openKeyRing(db, installation.config.COMPTOIR_KEYS), /is missing/)
    writeFileSync(installation.config.COMPTOIR_KEYS, '{"id": "x", "keys": []}')
    await assert.rejects(openKeyRing(db, installation.config.COMPTOIR_KEYS), /is not a key ring/)
  })
})
