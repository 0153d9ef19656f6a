import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, from, type Request, stranger } from '../harness/client.ts'
import type { Stage } from '../harness/demo-installation.ts'
import { client, makeDemo, serve } from '../harness/server.ts'

/** A client cannot tell a fleet on PostgreSQL and Redis from one process with its data in a file. */
export async function contract(stage: Stage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-small-'))
  stage.after(() => rmSync(folder, { recursive: true, force: true }))
  const small = { env: { COMPTOIR_DATA: folder, COMPTOIR_TRUSTED_PROXIES: '127.0.0.1/32', PORT: '0' } }
  const secret = await makeDemo(small.env)
  const large = await stage.installation()
  await large.command('brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', '300')
  const one = await serve(stage, small)
  const many = await serve(stage, large, { COMPTOIR_WORKERS: '2' })

  await stage.promise('the same calls, the same answers', `${CALLS.length} calls, SQLite and 2 workers`, async () => {
    const [alone, together] = [await answersOf(one.url, secret), await answersOf(many.url)]
    const differing = CALLS.filter((_, index) => alone[index] !== together[index]).map(([path]) => path)
    for (const [index, answer] of alone.entries())
      if (answer !== together[index])
        process.stdout.write(`  ${CALLS[index]![0]}\n    ${answer}\n    ${together[index]}\n`)
    return {
      seen: differing.length === 0 ? 'no difference' : `differs: ${differing.join(', ')}`,
      ok: differing.length === 0,
    }
  })
}

const customer = (body: object, headers = {}): Request => ({ method: 'POST', body, headers })
const aysel = { name: 'Aysel', phone: '+994 50 111 22 33' }
const keyed = { 'idempotency-key': 'scale' }

const CALLS: readonly (readonly [path: string, request?: Request])[] = [
  ['/products'],
  ['/products?limit=3&page=2&sort[0][0]=name&sort[0][1]=desc'],
  ['/products?filters=[["type","DISH"],["price",">=",10]]&fields=id,price'],
  ['/products?limit=101'],
  ['/products?filter=[["colour","red"]]'],
  ['/price-lists?include=prices&limit=1'],
  ['/price-lists?sort[0]=name&sort[1]=-1'],
  ['/receipts/1'],
  ['/receipts/999999999'],
  ['/receipts/zero'],
  ['/stock-operations/1'],
  ['/customers', customer(aysel)],
  ['/customers', customer({ name: 'Leyla', phone: '+994-50-111-2233' })],
  ['/customers', customer({ name: 'Kamran', code: 'K1' }, keyed)],
  ['/customers', customer({ name: 'Kamran', code: 'K1' }, keyed)],
  ['/customers', customer({ name: 'Other', code: 'K1' }, keyed)],
  ['/customers', customer({ name: '', gender: 3 })],
  ['/customers', customer({ name: 'Unknown', colour: 'red' })],
  ['/customers'],
  ['/nowhere'],
  ['/receipts/1', { headers: { 'x-venue': '999' } }],
  ['/receipts/1', { headers: { 'x-token': 'forged' } }],
]

/** Each answer in a text, without what no two calls share. */
async function answersOf(url: string, secret?: string): Promise<string[]> {
  const { call: ask } = await client(url, 'demo-integrator', secret)
  const answers: Answer[] = []
  const address = from(stranger())
  for (const [path, { headers, ...request } = {}] of CALLS)
    answers.push(await ask(`/v2${path}`, { ...request, headers: { ...address, ...headers } }))
  return answers.map(told)
}

const PASSING = /^(timestamp|unix|time|request_id|id|cid|.*_at)$/
const HEADERS = ['content-type', 'ratelimit-limit', 'ratelimit-remaining', 'allow', 'idempotency-replayed']

function told({ status, headers, body }: Answer): string {
  const text = JSON.stringify(body, (name, value) => (PASSING.test(name) && typeof value !== 'object' ? '…' : value))
  return [status, ...HEADERS.map((name) => headers[name] ?? ''), text].join(' ')
}
