import assert from 'node:assert/strict'
import http, { createServer } from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { after, before, test } from 'node:test'
import { urlProblem } from '../webhooks/url.ts'
import { blockList, mayConnect } from './addresses.ts'
import { BlockedAddress, guardedAgents } from './guarded-agent.ts'
import { nameResolver, type Query, UnknownName } from './resolve.ts'

// W15 to W17: each published way around such a guard, and not one connection to a listener on loopback.

let connections = 0
const trap = createTcp((socket) => {
  connections++
  socket.destroy()
})
let port = 0
before(async () => {
  await new Promise<void>((resolve) => trap.listen(0, '0.0.0.0', resolve))
  port = (trap.address() as AddressInfo).port
})
after(() => trap.close())

const none = { allowed: blockList([]), ours: blockList(['93.184.216.34']) }

/** Asks for a name whose answers are given, by HTTPS, and returns what refused it. */
async function ask(url: string, query: Query = async () => [], allowance = none): Promise<unknown> {
  const agents = guardedAgents({
    resolve: nameResolver(query),
    allowance: async () => allowance,
    connectMs: 1_000,
    maxSocketsPerHost: 4,
  })
  const isSecure = url.startsWith('https:')
  try {
    return await new Promise((resolve) => {
      const sent = (isSecure ? https : http).request(url, {
        agent: agents[isSecure ? 'https:' : 'http:'],
        method: 'POST',
      })
      sent.on('error', resolve).on('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.end('{}')
    })
  } finally {
    for (const agent of Object.values(agents)) agent.destroy()
  }
}

const answers =
  (v4: readonly string[], v6: readonly string[] = []): Query =>
  async (_, family) =>
    family === 4 ? v4 : v6

const SPELLINGS: Record<string, string> = {
  'a dotted address': '127.0.0.1',
  'a decimal address': '2130706433',
  'an octal address': '0177.0.0.1',
  'a hexadecimal address': '0x7f000001',
  'a short address': '127.1',
  'a full-width address': '１２７.０.０.１',
  'an address with a trailing dot': '127.0.0.1.',
  'a mapped dotted address': '[::ffff:127.0.0.1]',
  'a mapped hexadecimal address': '[::ffff:7f00:1]',
  'a compatible address': '[::127.0.0.1]',
  'a NAT64 address': '[64:ff9b::7f00:1]',
  'a local NAT64 address': '[64:ff9b:1::7f00:1]',
  'a 6to4 address': '[2002:7f00:1::]',
  'a Teredo address': '[2001:0:7f00:1::]',
  loopback: '[::1]',
  localhost: 'localhost',
  'localhost with a trailing dot': 'localhost.',
  'a name under localhost': 'x.localhost',
  'a metadata name': 'metadata.google.internal',
  'the metadata address': '169.254.169.254',
  'a name of the house': 'printer.local',
  'a name of the house network': 'nas.home.arpa',
  'a name without a dot': 'intranet',
}
for (const [name, host] of Object.entries(SPELLINGS))
  test(`${name} is refused as a url, and at connecting`, async () => {
    const url = `https://${host}:${port}/`
    assert.notEqual(urlProblem(url, undefined), undefined)
    // As if it had been stored: the socket does not trust what the url was when it was written. Names lead to loopback here.
    const refused = await ask(url, answers(['127.0.0.1']))
    assert.ok(refused instanceof BlockedAddress, String(refused))
    assert.equal(connections, 0)
  })

test('userinfo, a fragment, a zone, plain HTTP and low ports are refused as a url', () => {
  for (const url of [
    'https://example.com@127.0.0.1/',
    'https://user:secret@example.com/',
    'https://example.com/#x',
    'https://[fe80::1%25eth0]/',
    'http://example.com/',
    'https://example.com:22/',
    'ftp://example.com/',
    `https://example.com/${'x'.repeat(2_048)}`,
    'https://example.com./',
  ])
    assert.notEqual(urlProblem(url, undefined), undefined, url)
  for (const url of ['https://example.com/hooks?x=1', 'https://example.com:8443/', 'https://hooks.example.com:1024/'])
    assert.equal(urlProblem(url, undefined), undefined, url)
})

const ANSWERS: Record<string, Query> = {
  'a private A record': answers(['10.1.2.3']),
  'a public A record and a private AAAA record': answers(['93.184.216.35'], ['fd00::1']),
  'one private address among public ones': answers(['93.184.216.35', '192.168.1.1']),
  'an IPv4-translated AAAA record': answers([], ['::ffff:0:7f00:1']),
  'a mapped AAAA record': answers([], ['::ffff:10.0.0.1']),
  'an address of our own': answers(['93.184.216.34']),
  'what a CNAME leads to': answers(['169.254.169.254']), // the resolver follows it
}
for (const [name, query] of Object.entries(ANSWERS))
  test(`${name} is not connected to`, async () => {
    assert.ok((await ask(`https://hooks.example.com:${port}/`, query)) instanceof BlockedAddress)
    assert.equal(connections, 0)
  })

test('a name that is another address at each question is connected to as it was checked, or not at all', async () => {
  let asked = 0
  const rebinding: Query = async (_, family) => (family === 4 ? [asked++ === 0 ? '93.184.216.35' : '127.0.0.1'] : [])
  const resolve = nameResolver(rebinding)
  assert.deepEqual(await resolve('hooks.example.com'), ['93.184.216.35'])
  assert.deepEqual(
    await resolve('hooks.example.com'),
    ['93.184.216.35'],
    'kept: nobody asks between check and connection',
  )
  assert.equal(connections, 0)
})

test('an answer that failed in one family refuses the name', async () => {
  const failing: Query = async (_, family) => {
    if (family === 4) return ['93.184.216.35']
    throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' })
  }
  assert.ok((await ask(`https://hooks.example.com:${port}/`, failing)) instanceof UnknownName)
  assert.ok((await ask(`https://hooks.example.com:${port}/`)) instanceof UnknownName, 'no address at all')
  assert.equal(connections, 0)
})

test('proxy variables are not obeyed, and a redirect is not followed', async () => {
  const before = { ...process.env }
  Object.assign(process.env, {
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    HTTP_PROXY: `http://127.0.0.1:${port}`,
    NODE_USE_ENV_PROXY: '1',
  })
  const redirecting = createServer((_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
  )
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
  try {
    assert.ok((await ask('https://hooks.example.com/', answers(['10.0.0.1']))) instanceof BlockedAddress)
    const allowance = { ...none, allowed: blockList(['127.0.0.0/8']) }
    const { port: own } = redirecting.address() as AddressInfo
    assert.equal(await ask(`http://127.0.0.1:${own}/`, undefined, allowance), 302)
    assert.equal(connections, 0)
  } finally {
    process.env = before
    redirecting.close()
  }
})

test('an operator allows blocks, also as literals and by plain HTTP; plain HTTP goes nowhere else', () => {
  const allowance = { allowed: blockList(['10.1.0.0/16', 'fd00::/8']), ours: blockList([]) }
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1'])
    for (const isPlain of [true, false]) assert.ok(mayConnect(address, isPlain, allowance), address)
  for (const address of ['10.2.0.1', '127.0.0.1', '::1', 'fe80::1', 'nonsense'])
    assert.ok(!mayConnect(address, false, allowance), address)
  assert.ok(mayConnect('93.184.216.34', false, allowance))
  assert.ok(!mayConnect('93.184.216.34', true, allowance))
  assert.equal(urlProblem('http://10.1.2.3:81/', allowance.allowed), undefined)
  assert.notEqual(urlProblem('http://10.2.2.3/', allowance.allowed), undefined)
})
