import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Comptoir } from '@comptoir/sdk'
import { comptoirJson, serving } from '../../test/command.ts'
import { onEmbeddedEngine } from '../../test/database/engines.ts'

const PROGRAM = fileURLToPath(new URL('../../../examples/mirror.ts', import.meta.url))

onEmbeddedEngine('examples/mirror.ts', (make) => {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-mirror-'))
  const file = join(folder, 'mirror.db')
  const started: ChildProcess[] = []
  after(() => {
    for (const child of started) child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  function mirror(url: string) {
    const child = spawn(process.execPath, [PROGRAM, file], { env: { PATH: process.env.PATH, COMPTOIR_URL: url } })
    started.push(child)
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    return {
      stop: (signal: NodeJS.Signals) => {
        child.kill(signal)
        return exited
      },
    }
  }

  test('starts without a gap and stays equal, though it is killed and the server restarts', async () => {
    const here = await make('demo')
    let server = await serving(here, ['--demo'])
    const url = `${server.url}/v2`
    const client = new Comptoir({
      baseUrl: url,
      brand: 'demo',
      integratorId: 'demo-integrator',
      clientId: 'demo-client',
      clientSecret: 'demo-secret',
    })
    const create = async (from: number, to: number) => {
      for (let number = from; number < to; number++) await client.customers.create({ name: `Guest ${number}` })
    }
    const change = (...rows: object[]) =>
      comptoirJson(here, ['import', '--brand', 'demo', '-'], rows.map((row) => JSON.stringify(row)).join('\n'))

    const first = mirror(url)
    await create(0, 10) // while it copies
    await until(() => copies(file).size > 0)
    await create(10, 20)
    await first.stop('SIGKILL')
    const [product] = (await client.products.list({ limit: 1 }).page()).data
    await change(
      { kind: 'product', ...product!, name: 'Renamed' },
      { kind: 'customer_group', id: 1, name: 'Regulars', system_type: 'default' },
    )
    await server.stop()
    const second = mirror(url) // it waits for the server
    server = await serving({ env: { ...here.env, PORT: new URL(url).port } })
    await create(20, 25)
    await change({
      kind: 'customer_group',
      id: 1,
      name: 'Regulars',
      system_type: 'default',
      deleted_at: '2026-02-01T00:00:00.000Z', // its customers show it
    })

    const expected = async () => {
      const products = await Array.fromAsync(client.products.list({ filters: [['type', '!=', 'MODIFICATION']] }))
      const customers = await Array.fromAsync(client.customers.list({ limit: 500 }))
      return new Map<string, object>([
        ...products.map((each) => [`product ${each.id}`, each] as const),
        ...customers.map((each) => [`customer ${each.id}`, each] as const),
      ])
    }
    const wanted = await expected()
    await until(() => copies(file).size === wanted.size)
    await until(() => JSON.stringify(sorted(copies(file))) === JSON.stringify(sorted(wanted)))
    assert.ok([...wanted.values()].some((each) => (each as { name?: string }).name === 'Renamed'))
    assert.equal(await second.stop('SIGTERM'), 0)
    await server.stop()
  })
})

/** What the file holds, by kind and id. */
function copies(file: string): Map<string, object> {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = db.prepare('select kind, id, body from copies').all() as { kind: string; id: string; body: string }[]
    return new Map(rows.map(({ kind, id, body }) => [`${kind} ${id}`, JSON.parse(body)]))
  } finally {
    db.close()
  }
}

const sorted = (rows: Map<string, object>) => [...rows].sort(([one], [other]) => (one < other ? -1 : 1))

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    try {
      if (isTrue()) return
    } catch {} // the file is not there yet
    assert.ok(performance.now() < deadline, 'the mirror did not become equal in two minutes')
    await sleep(100)
  }
}
