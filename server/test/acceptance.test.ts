import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { comptoirJson, type Serving, serving } from './command.ts'
import { template } from './database/engines.ts'

const FOLDER = fileURLToPath(new URL('../../acceptance/', import.meta.url))

const acceptance = (...words: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [join(FOLDER, 'run.ts'), ...words], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })

const data = mkdtempSync(join(tmpdir(), 'comptoir-acceptance-'))
let demo: Serving
before(async () => {
  const env = { COMPTOIR_DATA: data, PORT: '0' }
  if (template?.demo) cpSync(template.demo, data, { recursive: true })
  demo = await serving({ env }, ['--demo'])
  // More than 300 a minute: acceptance would wait between the two runs.
  await comptoirJson({ env }, ['brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', '1000'])
})
after(async () => {
  await demo.stop()
  rmSync(data, { recursive: true, force: true })
})

test('the demo passes every check of acceptance', async () => {
  const { code, stdout, stderr } = await acceptance('--url', `${demo.url}/v2`)
  const bad = stdout.split('\n').filter((line) => /^(FAILED|not checked)/.test(line))
  assert.deepEqual({ code, bad, stderr }, { code: 0, bad: [], stderr: '' })
  assert.match(stdout, /\n\d{3,} passed, 0 failed\n$/)
})

test('the demo passes every check of the address of existing clients; /v2 is no such address', async () => {
  const { code, stdout, stderr } = await acceptance('--compat', '--url', `${demo.url}/open-api/v2`)
  const bad = stdout.split('\n').filter((line) => /^(FAILED|not checked)/.test(line))
  assert.deepEqual({ code, bad, stderr }, { code: 0, bad: [], stderr: '' })
  const other = await acceptance('--compat', '--url', `${demo.url}/v2`)
  assert.equal(other.code, 1)
  assert.match(other.stdout, /^FAILED {2}products come as existing clients read them, 200 a page: /m)
})

test('acceptance fails a service that breaks the contract', async (t) => {
  const texts = ['Headers are missing', 'duplicate_phone', '"per_page":50,']
  const changed = createServer(async (request, response) => {
    const pieces = await request.toArray()
    const { 'content-length': _, connection: __, host: ___, ...headers } = request.headers
    const answer = await fetch(demo.url + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
    })
    const text = texts.reduce((body, part) => body.replaceAll(part, ''), await answer.text())
    response.writeHead(
      answer.status,
      Object.fromEntries([...answer.headers].filter(([name]) => name !== 'content-length')),
    )
    response.end(text)
  })
  await new Promise<void>((resolve) => changed.listen(0, '127.0.0.1', resolve))
  t.after(() => changed.close())
  const { code, stdout } = await acceptance('--url', `http://127.0.0.1:${(changed.address() as AddressInfo).port}/v2`)
  assert.equal(code, 1)
  for (const failed of [
    /^FAILED {2}GET \/products without a token is refused: expected \{"success":false,"error":"Headers are missing"\}/m,
    /^FAILED {2}a customer with the same phone is 409 duplicate_phone: /m,
    /^FAILED {2}GET \/products gives page 1 of 50 rows by id: /m,
    /^passed {2}GET \/products with a forged token is refused$/m,
    /\d+ passed, \d+ failed\n$/,
  ])
    assert.match(stdout, failed)
})

test('acceptance says in one sentence why it cannot begin', async () => {
  const url = ['--url', `${demo.url}/v2`]
  for (const [words, sentence] of [
    [['--url', 'http://127.0.0.1:1/v2'], 'No server answers at http://127.0.0.1:1/v2 (ECONNREFUSED).'],
    [['--url', 'pos.example.com'], '--url takes an http or https address, not "pos.example.com".'],
    [
      [...url, '--client-id', 'x', '--brand', 'y'],
      "Missing --client-secret, --integrator-id: give all four parts of the credentials, or none for the demo's.",
    ],
    [
      [...url, '--client-id', 'x', '--client-secret', 'x', '--brand', 'demo', '--integrator-id', 'demo-integrator'],
      `POST ${demo.url}/v2/auth answered 401 (Invalid credentials): check the address and the credentials.`,
    ],
    [['--colour'], "Unknown option '--colour'; --help lists the options."],
  ] as const)
    assert.deepEqual(await acceptance(...words), { code: 1, stdout: '', stderr: `acceptance: ${sentence}\n` })
})

test('acceptance imports nothing of the server', () => {
  for (const file of globSync('**/*.ts', { cwd: FOLDER }))
    for (const [, name] of readFileSync(join(FOLDER, file), 'utf8').matchAll(/from '([^']+)'/g))
      assert.ok(/^node:/.test(name!) || join(FOLDER, file, '..', name!).startsWith(FOLDER), `${file} → ${name}`)
})
