import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESOURCES } from '../src/resources/catalogue.ts'
import { onEmbeddedEngine } from './database/engines.ts'
import { staff } from './database/store.ts'
import { exampleRows } from './example-rows.ts'
import { services } from './service.ts'

onEmbeddedEngine('example rows', (make) => {
  const service = services(make)

  test('every resource has some, an import takes them, and the API gives them back', async () => {
    const rows = exampleRows('Marker')
    for (const { kind, table } of RESOURCES)
      if (!['venues', 'roles', 'users'].includes(table)) assert.equal(rows.filter((row) => row.kind === kind).length, 3)
    const { brand, call, token } = await service()
    const { credentials } = await brand('bistro', { rows: [...staff(), ...rows] })
    const headers = { 'x-token': await token(credentials) }
    for (const { api, name, path, kind } of RESOURCES) {
      const id = rows.find((row) => row.kind === kind)?.id ?? 1
      if (api.get) assert.equal((await call(`/${path}/${id}`, { headers })).status, 200, name.many)
      if (!api.list || !rows.some((row) => row.kind === kind)) continue
      const { body } = await call(`/${path}`, { headers })
      if (JSON.stringify(rows.find((row) => row.kind === kind)).includes('Marker'))
        assert.ok(JSON.stringify(body.data).includes('Marker'), name.many)
    }
  })
})
