import type { Event, EventData } from '../types.ts'

// W8, W22: deliveries as Standard Webhooks 1.0 signs them, verified with WebCrypto in any runtime.

const TOLERANCE_S = 300
const PREFIX = 'whsec_'

/** An event of the feed, by its type: `data` is that of the type. */
export type DeliveredEvent = {
  [Type in keyof EventData]: Omit<Event, 'type' | 'data'> & {
    type: Type
    data: EventData[Type]
    /** The object was too large to be sent along. */
    object_omitted?: true
  }
}[keyof EventData]

interface OwnMessage {
  id: string
  timestamp: string
  brand: string
}

/** The challenge of a new endpoint: answer its text. */
export interface VerificationMessage extends OwnMessage {
  type: 'endpoint.verification'
  data: { challenge: string }
}

export interface TestMessage extends OwnMessage {
  type: 'endpoint.test'
  data: Record<string, never>
}

export type WebhookMessage = DeliveredEvent | VerificationMessage | TestMessage

/** Why a delivery is not one of ours. */
export type WebhookRefusal = 'missing_header' | 'timestamp' | 'signature' | 'body'

/** A delivery that must not be trusted. */
export class WebhookError extends Error {
  readonly reason: WebhookRefusal
  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.name = 'WebhookError'
    this.reason = reason
  }
}

/** As `Request` has them, or as Node does. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

interface VerifyOptions {
  /** How old or how far ahead a delivery may be, in seconds. */
  toleranceS?: number
}

/**
 * Checks that a delivery was signed with one of the secrets, and gives what it says. The body is the text as it came: parsed and
 * written again it would have another signature.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceS = TOLERANCE_S }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name)
    if (value === undefined) throw new WebhookError('missing_header', `The header ${name} is missing.`)
    return value
  }) as [string, string, string]
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceS)
    throw new WebhookError('timestamp', 'The delivery is too old, or from the future.')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  if (!(await isSigned(signed, signatures, [secrets].flat())))
    throw new WebhookError('signature', 'No signature of the delivery is that of a secret.')
  return messageOf(body)
}

function messageOf(body: string): WebhookMessage {
  try {
    const message = JSON.parse(body) as WebhookMessage
    if (typeof message.type === 'string') return message
  } catch {
    // said below
  }
  throw new WebhookError('body', 'The body is no event.')
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const given = signatures
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? (exactBytesOf(each.slice(3)) ?? []) : []))
  for (const secret of secrets) {
    const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined
    if (bytes === undefined) throw new TypeError('A secret is whsec_ and base64')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of given) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

/** One text for each signature: `atob` ignores the last bits of the last character. */
function exactBytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = bytesOf(base64)
  return bytes && btoa(String.fromCharCode(...bytes)) === base64 ? bytes : undefined
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

type Handlers = { [Type in keyof EventData]?: (event: Extract<DeliveredEvent, { type: Type }>) => unknown }

export interface WebhookHandlerOptions {
  secrets: string | readonly string[]
  /** What is done for each type; a delivery is answered when it is done. Types without one are answered too. */
  on: Handlers
  /** Ids of what was done, such as a `Set`: deliveries come at least once. What failed is not noted, and is done when it comes again. */
  seen?: { has(id: string): boolean | Promise<boolean>; add(id: string): unknown }
  toleranceS?: number
}

/** A receiver: takes a request and gives the response. Answers challenges, and 401 to what is not ours. */
export function webhookHandler({ secrets, on, seen, toleranceS = TOLERANCE_S }: WebhookHandlerOptions) {
  return async (request: Request): Promise<Response> => {
    let message: WebhookMessage
    try {
      message = await verifyWebhook(await request.text(), request.headers, secrets, { toleranceS })
    } catch (error) {
      if (error instanceof WebhookError) return new Response(error.reason, { status: 401 })
      throw error
    }
    if (message.type === 'endpoint.verification') return new Response(message.data.challenge)
    const handle = Object.hasOwn(on, message.type)
      ? (on as Record<string, (event: unknown) => unknown>)[message.type]
      : undefined
    if (handle && !(await seen?.has(message.id))) {
      await handle(message)
      await seen?.add(message.id)
    }
    return new Response(null, { status: 204 })
  }
}
