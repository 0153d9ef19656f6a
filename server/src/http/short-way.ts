import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Database } from '../storage/database.ts'
import { together } from '../storage/together.ts'
import { JSON_TYPE } from './body.ts'
import { inTime } from './deadline.ts'
import { mustMove } from './edge.ts'
import type { Refusal } from './errors.ts'
import type { Step } from './in-order.ts'
import { newRequestId } from './request-id.ts'
import { readId } from './values.ts'

interface Needs {
  /** All rules that a GET of the integration API passes, in the contract's order. */
  rules: Step
  refuse: (error: unknown, request: FastifyRequest) => Refusal
  /** Has the last word on an answer, once everything else of it is known. */
  settle: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown
  over: (reply: FastifyReply) => void
  db: Database
}

interface Arrival {
  raw: IncomingMessage
  response: ServerResponse
  route: Route
  id: number | undefined
  at: number
}

interface Route {
  pattern: string
  permission: FastifyRequest['permission']
  handler: RouteHandlerMethod
}

const MOST_TOGETHER = 16 // what they have read is held until all of them have
const MOST_WAITING = 500 // past them it is Fastify's, which reads no more from a connection than it can answer
const HOOKS = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend'] as const

type Send = (reply: ShortReply, payload: unknown) => void

/** A payload as it goes over the wire. */
type Ready = string | Uint8Array | Readable

/**
 * Most requests are GETs of the integration API, which need little of what a framework offers: no body, no parser, no serializer.
 * They pass the same rules in the same order and come to the same handler as Fastify would take them, in less than half of its time.
 * A request that is unusual in anything is Fastify's. `short-way.test.ts` holds the answers of both ways against each other.
 */
export function shortWay({ rules, refuse, settle, over, db }: Needs) {
  const readTogether = db.readTogether ?? ((work) => work())
  const answerInTime = inTime(db)
  const arrived = together<Arrival>(MOST_TOGETHER, (arrivals) => {
    let begun = false
    const answerAll = () => {
      begun = true
      for (const arrival of arrivals) answerInTime(arrival.at, () => answer(arrival))
    }
    try {
      readTogether(answerAll)
    } catch {
      if (!begun) answerAll() // then each reads by itself, and says what is wrong with the store
    }
  })
  const lists = new Map<string, Route>()
  /** By what stands before the id. */
  const ones = new Map<string, Route>()

  return {
    /** Fastify's onRoute: whatever is registered with it, and can go this way, does. */
    learn(options: RouteOptions): void {
      const { method, url, handler, config, schema } = options
      if (method !== 'GET' || HOOKS.some((hook) => options[hook])) return
      const route = { pattern: url, permission: config?.permission, handler }
      const { id, ...others } = (schema?.params as { properties?: Record<string, { type: string }> })?.properties ?? {}
      const [before, after] = url.split(':')
      if (after === undefined) lists.set(url, route)
      else if (after === 'id' && id?.type === 'integer' && Object.keys(others).length === 0) ones.set(before!, route)
    },

    /** False when the request must take the long way. */
    take(raw: IncomingMessage, response: ServerResponse): boolean {
      if (raw.method !== 'GET' || arrived.waiting >= MOST_WAITING || hasBody(raw)) return false
      const url = raw.url!
      const mark = url.indexOf('?')
      const path = mark === -1 ? url : url.slice(0, mark)
      const slash = path.lastIndexOf('/') + 1
      const id = readId(path.slice(slash))
      const route = id === undefined ? lists.get(path) : ones.get(path.slice(0, slash))
      if (route === undefined) return false
      arrived.add({ raw, response, route, id, at: performance.now() })
      return true
    },
  }

  function answer({ raw, response, route, id, at }: Arrival): void {
    if (raw.socket.destroyed) return // who left before anything was done
    const request = new ShortRequest(raw, route, id) as unknown as FastifyRequest
    const reply = new ShortReply(request, response, at, send) as unknown as FastifyReply
    try {
      const verdict = rules(request, reply)
      if (verdict instanceof Promise)
        verdict
          .then((refusal) => (refusal ? void reply.send(refusal) : handle(route, request, reply)))
          .catch((error) => void reply.send(error))
      else if (verdict) reply.send(verdict)
      else handle(route, request, reply)
    } catch (error) {
      reply.send(error)
    }
  }

  async function handle(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      const result = await route.handler.call(undefined as never, request, reply)
      if (!reply.sent) reply.send(result)
    } catch (error) {
      reply.send(error)
    }
  }

  function send(reply: ShortReply, payload: unknown): void {
    try {
      const settled = settle(reply.request, reply as never, readyFrom(reply, payload)) as Ready | Promise<Ready>
      if (settled instanceof Promise)
        settled.then((bytes) => sendOut(reply, bytes)).catch((error) => giveUp(reply, error))
      else sendOut(reply, settled)
    } catch (error) {
      giveUp(reply, error)
    }
  }

  /** Nothing should come here: what failed is the answer itself. It is said without the tiers, or not at all. */
  function giveUp(reply: ShortReply, error: unknown): void {
    try {
      const { status, body } = refuse(error, reply.request)
      if (reply.raw.headersSent) reply.raw.destroy()
      else sendOut(reply.status(status).type(JSON_TYPE), JSON.stringify(body))
    } catch {
      reply.raw.destroy() // others of the same turn have still to be answered
    }
  }

  function sendOut(reply: ShortReply, bytes: Ready): void {
    const { request, raw } = reply
    if (bytes instanceof Readable) return void sendStream(reply, bytes)
    reply.write(bytes)
    const { socket } = request.raw
    if (socket.destroyed) return // nobody was there any more, which the shedder finds out
    if (socket.writableLength > 0) {
      mustMove(socket)
      raw.once('finish', () => over(reply as never))
    } else over(reply as never)
  }

  function sendStream(reply: ShortReply, stream: Readable): void {
    const { request } = reply
    mustMove(request.raw.socket)
    reply.stream(stream, (error) => {
      if (request.refused) return // the shedder saw before us that the client had left
      if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') request.refused = 'client_left'
      else if (error) refuse(error, request) // which logs it; the client sees that the connection was cut
      over(reply as never)
    })
  }

  function readyFrom(reply: ShortReply, payload: unknown): Ready {
    if (typeof payload === 'string' || payload instanceof Uint8Array || payload instanceof Readable) return payload
    reply.header('content-type', JSON_TYPE)
    if (!(payload instanceof Error)) return JSON.stringify(payload)
    const { status, headers, body } = refuse(payload, reply.request)
    reply.statusCode = status
    for (const name in headers) reply.header(name, headers[name]!)
    return JSON.stringify(body)
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** What rules and handlers may know of a request. */
class ShortRequest {
  readonly raw: IncomingMessage
  readonly id = newRequestId()
  readonly method = 'GET'
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly is404 = false
  readonly params: { id: number | undefined }
  readonly pattern: string
  readonly permission: FastifyRequest['permission']
  refused = ''
  tiers: FastifyRequest['tiers'] = null
  addressKey: FastifyRequest['addressKey'] | undefined = undefined
  caller: FastifyRequest['caller'] | undefined = undefined
  party: FastifyRequest['party'] = undefined
  quota: FastifyRequest['quota'] = undefined
  venues: FastifyRequest['venues'] | undefined = undefined
  expiresAt: FastifyRequest['expiresAt'] | undefined = undefined

  constructor(raw: IncomingMessage, { pattern, permission }: Route, id: number | undefined) {
    this.raw = raw
    this.url = raw.url!
    this.headers = raw.headers
    this.params = { id }
    this.pattern = pattern
    this.permission = permission
  }
}

/** What they may say to its answer. */
class ShortReply {
  readonly request: FastifyRequest
  readonly raw: ServerResponse
  readonly #send: Send
  readonly #startedAt: number
  #tookMs: number | undefined = undefined
  /** Names and values in turn. */
  readonly #headers: string[] = []
  statusCode = 200
  sent = false
  place: FastifyReply['place'] = undefined

  constructor(request: FastifyRequest, raw: ServerResponse, startedAt: number, send: Send) {
    this.request = request
    this.raw = raw
    this.#startedAt = startedAt
    this.#send = send
  }

  get elapsedTime(): number {
    return this.#tookMs ?? performance.now() - this.#startedAt
  }

  header(name: string, value: string | number): this {
    const headers = this.#headers
    for (let at = 0; at < headers.length; at += 2)
      if (headers[at] === name) {
        headers[at + 1] = String(value)
        return this
      }
    headers.push(name, String(value))
    return this
  }

  removeHeader(name: string): this {
    const at = this.#headers.indexOf(name)
    if (at !== -1) this.#headers.splice(at, 2)
    return this
  }

  type(contentType: string): this {
    return this.header('content-type', contentType)
  }

  status(code: number): this {
    this.statusCode = code
    return this
  }

  send(payload: unknown): this {
    if (this.sent) return this
    this.sent = true
    this.#send(this, payload)
    return this
  }

  /** Sends what is too large for memory, no faster than the client reads. */
  stream(source: Readable, ended: (error: NodeJS.ErrnoException | null) => void): void {
    this.raw.writeHead(this.statusCode, this.#headers)
    pipeline(source, this.raw, (error) => {
      this.#tookMs = performance.now() - this.#startedAt
      ended(error)
    })
  }

  write(bytes: Exclude<Ready, Readable>): void {
    this.#headers.push('content-length', String(Buffer.byteLength(bytes)))
    this.raw.writeHead(this.statusCode, this.#headers)
    this.raw.end(bytes)
    this.#tookMs = performance.now() - this.#startedAt
  }
}
