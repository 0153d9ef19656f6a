import { createHmac, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'

// What a sender cannot be faster than: signed POSTs in a loop, by node:http or by fetch. It ends when it is told to.

const [way, url = '', body = '', inFlight = ''] = process.argv.slice(2)
const secret = randomBytes(32)
const agent = new Agent({ keepAlive: true })
let sent = 0

function headers(): Record<string, string> {
  const [id, timestamp] = [`msg_${++sent}`, Math.floor(Date.now() / 1000)]
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}

const byHttp = () =>
  new Promise<void>((resolve, reject) => {
    request(url, { method: 'POST', agent, headers: { ...headers(), 'content-length': Buffer.byteLength(body) } })
      .once('response', (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end(body)
  })

const byFetch = async () => {
  const response = await fetch(url, { method: 'POST', headers: headers(), body })
  await response.arrayBuffer()
}

const send = way === 'fetch' ? byFetch : byHttp
await Promise.all(
  Array.from({ length: Number(inFlight) }, async () => {
    for (;;) await send()
  }),
)
