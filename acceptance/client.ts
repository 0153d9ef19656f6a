import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** The body as it came. */
  text: string
  /** The body parsed; undefined where there is none, or where it is not JSON. */
  body: Record<string, unknown> | undefined
}

export interface Request {
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of `body`. */
  text?: string
  /** Instead of the token that was given by POST /auth; null: none. */
  token?: string | null
  /** Whether a 429 is returned. Otherwise the client waits as long as the answer says and asks again. */
  takes429?: boolean
}

export interface Client {
  send(method: string, path: string, request?: Request): Promise<Answer>
  /** The token of every later request. */
  use(token: string): void
  /** Every answer so far. */
  answers: readonly Answer[]
}

const TIMEOUT_MS = 20_000
const WAITS = 2

export function openClient(base: string, say: (line: string) => void): Client {
  const answers: Answer[] = []
  let issued: string | null = null

  async function send(method: string, path: string, request: Request = {}): Promise<Answer> {
    const { headers, body, text = body === undefined ? undefined : JSON.stringify(body), token = issued } = request
    const sent = {
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
      ...(token !== null && { 'x-token': token }),
      ...headers,
    }
    for (let waits = 0; ; waits++) {
      const answer = await exchange(`${base}${path}`, method, sent, text)
      answers.push(answer)
      if (answer.status !== 429 || request.takes429 || waits === WAITS) return answer
      const seconds = Math.max(1, Number(answer.headers['ratelimit-reset']) || 1)
      say(`waiting  ${seconds} s, because ${method} ${path} was answered 429`)
      await sleep(seconds * 1_000)
    }
  }

  return {
    send,
    use(token) {
      issued = token
    },
    answers,
  }
}

function exchange(url: string, method: string, headers: Record<string, string>, text?: string): Promise<Answer> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // A connection each: after some refusals the server closes it.
    const options = { method, headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }
    const request = open(url, options, (response) => {
      let received = ''
      response.setEncoding('utf8').on('data', (piece) => (received += piece))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text: received,
          body: parsed(received),
        }),
      )
    })
    request.once('error', reject).end(text)
  })
}

function parsed(text: string): Answer['body'] {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
