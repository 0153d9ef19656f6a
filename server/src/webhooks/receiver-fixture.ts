import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { until } from '../../test/until.ts'

/** A request that reached the receiver. */
export interface Received {
  id: string
  type: string
  body: string
  json: { id: string; type: string; data: Record<string, unknown>; object?: unknown; source?: { own: boolean } }
  headers: IncomingMessage['headers']
}

export type Behaviour = (received: Received, response: ServerResponse) => void

const answered = (status: number, headers: Record<string, string> = {}): Behaviour => {
  return (_, response) => void response.writeHead(status, headers).end('no')
}

/** A receiver on loopback that notes what reaches it, answers challenges, and otherwise does what it is told. */
export async function receiver() {
  const received: Received[] = []
  let behave: Behaviour = answered(204)
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const json = JSON.parse(body) as Received['json']
      const one = { id: String(request.headers['webhook-id']), type: json.type, body, json, headers: request.headers }
      received.push(one)
      if (json.type === 'endpoint.verification') return void response.end(String(json.data.challenge))
      behave(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const events = () => received.filter(({ type }) => !type.startsWith('endpoint.'))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?token=canary`,
    received,
    events,
    answer: (status: number, headers?: Record<string, string>) => {
      behave = answered(status, headers)
    },
    behave(given: Behaviour) {
      behave = given
    },
    has: (count: number) => until(() => events().length >= count),
  }
}

/** Whether a signature of the header is that of a secret. */
export function isSignedBy(secret: string, { body, headers }: Received): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
