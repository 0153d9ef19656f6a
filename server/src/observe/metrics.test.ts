import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { metrics, metricsServer } from './metrics.ts'

/** Statuses of /metrics by the header that is sent. */
async function statuses(token: string | undefined, headers: readonly (string | undefined)[]): Promise<number[]> {
  const server = metricsServer(metrics(), token)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await Promise.all(
      headers.map(async (authorization) => {
        const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
          headers: authorization ? { authorization } : {},
        })
        assert.equal((await response.text()).includes('process_cpu'), response.status === 200)
        return response.status
      }),
    )
  } finally {
    server.close()
  }
}

test('metrics with a token are read by those who send it', async () => {
  assert.deepEqual(await statuses(undefined, [undefined, 'Bearer x']), [200, 200])
  const sent = ['Bearer the-token', undefined, 'Bearer other', 'Bearer the-token2', 'the-token', 'Basic the-token']
  assert.deepEqual(await statuses('the-token', sent), [200, 401, 401, 401, 401, 401])
})
