import { setTimeout as sleep } from 'node:timers/promises'
import type { Order, Receipt } from '@comptoir/sdk'
import { DEMO, DEMO_PEOPLE } from '../fill.ts'

/** An answer that is no 2xx. */
export class CallRefused extends Error {
  readonly status: number
  readonly error: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    what: string,
    status: number,
    body: { error?: string; message?: string; details?: Record<string, unknown> },
  ) {
    super(`${what}: ${status} ${body.error ?? ''} ${body.message ?? ''}`.trim())
    this.status = status
    this.error = body.error ?? ''
    this.details = body.details ?? {}
  }
}

const TRIES = 5
const PAUSE_MS = 500

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Someone of the demo's staff at the back office: everything goes through the routes that its pages use. */
export class StaffMember {
  readonly #origin: string
  #cookie = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  async signIn(): Promise<void> {
    const { username, password } = DEMO_PEOPLE
    const answer = await this.#send('POST', '/session', { brand: DEMO.brand, username, password })
    if (!answer.ok) throw new CallRefused('sign-in', answer.status, await readJson(answer))
    this.#cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0]!)
      .join('; ')
  }

  /** Answers `data`. Signed out meanwhile, they sign in again. */
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows what it asks for
  async ask(method: Method, path: string, { venue, body }: { venue?: number; body?: object } = {}): Promise<any> {
    // A key made when the act begins: sent again after a lost answer it does nothing twice.
    const key = crypto.randomUUID()
    let answer = await this.#sendUntilAnswered(method, path, body, venue, key)
    if (answer.status === 401) {
      await this.signIn()
      answer = await this.#sendUntilAnswered(method, path, body, venue, key)
    }
    const read = await readJson(answer)
    if (!answer.ok) throw new CallRefused(`${method} ${path}`, answer.status, read)
    return read.data
  }

  /** The orders that wait, the oldest first. */
  pending(venue: number): Promise<Order[]> {
    const waiting = 'limit=50&filters=[["status","PENDING"]]&sort[0][0]=created_at&sort[0][1]=asc'
    return this.ask('GET', `/read/orders?${waiting}`, { venue })
  }

  // biome-ignore lint/suspicious/noExplicitAny: with what it includes
  receipt(venue: number, id: number): Promise<Receipt & Record<string, any>> {
    return this.ask('GET', `/read/receipts/${id}?include=details,receipt_products`, { venue })
  }

  /** A connection that is lost, or a service that is away for a moment, ends nobody's evening. */
  async #sendUntilAnswered(
    method: Method,
    path: string,
    body?: object,
    venue?: number,
    key?: string,
  ): Promise<Response> {
    for (let left = TRIES; ; left--) {
      try {
        const answer = await this.#send(method, path, body, venue, key)
        if (answer.status !== 503 || left === 1) return answer
      } catch (error) {
        if (left === 1) throw error
      }
      await sleep(PAUSE_MS)
    }
  }

  #send(method: Method, path: string, body?: object, venue?: number, key?: string): Promise<Response> {
    return fetch(`${this.#origin}/back-office/api${path}`, {
      method,
      headers: {
        origin: this.#origin,
        'x-comptoir': '1',
        ...(body && { 'content-type': 'application/json' }),
        ...(this.#cookie && { cookie: this.#cookie }),
        ...(venue !== undefined && { 'x-venue': String(venue) }),
        ...(key !== undefined && method !== 'GET' && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const readJson = async (answer: Response): Promise<any> => {
  const text = await answer.text()
  return text.startsWith('{') ? JSON.parse(text) : {}
}
