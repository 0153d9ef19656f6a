import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Installation, onEachEngine } from '../../test/database/engines.ts'
import { putRows, staff, stores } from '../../test/database/store.ts'
import { until } from '../../test/until.ts'
import { createCredential, setCredentialEnabled } from './credentials.ts'
import { type Directory, openDirectory } from './directory.ts'
import { addBrand, addIntegrator, setBrandMode, setIntegrator, setQuota } from './registry.ts'

onEachEngine('the directory cache', (make) => {
  const open = stores(make)
  const directories: Directory[] = []
  after(() => {
    for (const directory of directories) directory.close()
  })

  async function watching(installation: Installation) {
    const { db } = await open(installation)
    const directory = await openDirectory(db, { async keysChanged() {}, failed() {} })
    directories.push(directory)
    return directory
  }

  test('a change made by another process is seen within a second, whatever was changed', async () => {
    const { db, ring, installation } = await open()
    const brand = await addBrand(db, 'test', { slug: 'bistro', test: true })
    await putRows(db, brand.id, staff(['products:read']))
    await addIntegrator(db, 'test', { name: 'Hub', id: 'hub', test: true })
    const { client_id } = await createCredential(db, ring, 'test', { brand: 'bistro', username: 'owner' })
    const directory = await watching(installation)
    const held = async () => (await directory.brand('bistro'))!
    const before = await held()
    assert.equal(before.credentials.get(client_id)?.enabled, true)
    assert.equal((await directory.integrator('hub'))?.active, true)

    await setBrandMode(db, 'test', 'bistro', false)
    await setIntegrator(db, 'test', 'hub', { active: false })
    await setCredentialEnabled(db, 'test', client_id, false)
    await setQuota(db, 'test', 'bistro', 'hub', 7)
    await putRows(db, brand.id, [
      { kind: 'role', id: 1, name: 'Owner', permissions: [] },
      { kind: 'user', id: 1, username: 'owner', role_id: 1, active: false },
    ])
    await until(async () => (await held()).users.get(1)?.active === false) // the last of these changes

    const after = await held()
    assert.equal(after.test, false)
    assert.equal((await directory.integrator('hub'))?.active, false)
    assert.equal(after.credentials.get(client_id)?.enabled, false)
    assert.equal(after.quotas.get('hub'), 7)
    assert.equal(after.users.get(1)?.active, false)
    assert.equal(after.users.get(1)?.permissions.has('products:read'), false)
  })

  test('cached brands and integrators are returned without a query', async () => {
    const { db, installation } = await open()
    await addBrand(db, 'test', { slug: 'bistro', test: true })
    const directory = await watching(installation)
    const first = await directory.brand('bistro')
    assert.equal(directory.brand('bistro'), first)
  })

  test('another brand’s change forgets nothing of this one', async () => {
    const { db, installation } = await open()
    await addBrand(db, 'test', { slug: 'bistro', test: true })
    const directory = await watching(installation)
    const first = await directory.brand('bistro')
    await addBrand(db, 'test', { slug: 'brasserie', test: true })
    await directory.refresh()
    assert.equal(directory.brand('bistro'), first)
    await setBrandMode(db, 'test', 'bistro', false)
    await directory.refresh()
    assert.notEqual(await directory.brand('bistro'), first)
  })
})
