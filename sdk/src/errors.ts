/** What is known of a failed call. */
export interface Failure {
  /** The HTTP status; absent when no answer came. */
  status?: number
  /** The answer's `error`: a stable slug such as `duplicate_phone`, or a text of §5.4. Without an answer `timeout` or the runtime's code. */
  slug?: string
  details?: Readonly<Record<string, unknown>>
  /** The answer's x-request-id: quote it to the operator. */
  requestId?: string
  /** For how long the server asked to be left alone. */
  retryAfterSeconds?: number
}

/** Any call that failed. Neither its members nor its message and stack ever hold a secret or a token. */
export class ComptoirError extends Error implements Failure {
  declare readonly status?: number
  declare readonly slug?: string
  declare readonly details?: Readonly<Record<string, unknown>>
  declare readonly requestId?: string
  declare readonly retryAfterSeconds?: number

  constructor(message: string, failure: { [Member in keyof Failure]: Failure[Member] | undefined } = {}) {
    super(message)
    // What is not known is absent, so that a printed error shows only what is.
    for (const [member, value] of Object.entries(failure))
      if (value !== undefined) Object.assign(this, { [member]: value })
  }

  toJSON(): Failure & { name: string; message: string } {
    const { name, message } = this
    return Object.assign({ name, message }, this)
  }
}

/** The credentials were refused, or the token was and signing in again did not help. */
export class AuthenticationError extends ComptoirError {}

/** The staff user behind the credentials may not do this, or may not enter this venue. */
export class PermissionError extends ComptoirError {}

/** The request is wrong as it stands; `details` says where. */
export class ValidationError extends ComptoirError {}

/** Thrown for what does not exist, or not for this brand and venue. */
export class NotFoundError extends ComptoirError {}

/** A unique value is taken; `details.field` names it. */
export class ConflictError extends ComptoirError {}

/**
 * A cursor of the change feed leads nowhere: its events are no longer kept (`cursor_expired`), or it is of another history, as after a
 * restored backup (`feed_diverged`). Read everything again, then follow from the feed's end.
 */
export class ResyncError extends ComptoirError {}

/** A rate limit that was still exceeded after all the waiting that was allowed. */
export class RateLimitError extends ComptoirError {}

/** The server failed, or its answer is not one that the contract describes. */
export class ServerError extends ComptoirError {}

/** No answer came: the network failed, or time ran out. */
export class ConnectionError extends ComptoirError {}

// Spelled out, for a minifier renames classes; on the prototype, for a stack begins with it.
const KINDS = {
  ComptoirError,
  AuthenticationError,
  PermissionError,
  ValidationError,
  NotFoundError,
  ConflictError,
  ResyncError,
  RateLimitError,
  ServerError,
  ConnectionError,
}
for (const [name, kind] of Object.entries(KINDS)) kind.prototype.name = name

/** An answer that is no success. */
export interface Refusal {
  /** Method and route. */
  operation: string
  status: number
  /** Undefined when it was not a JSON object. */
  body: Readonly<Record<string, unknown>> | undefined
  requestId: string | undefined
  retryAfterSeconds: number | undefined
}

export function errorOf({ operation, status, body, ...rest }: Refusal): ComptoirError {
  // §5.4: a refusal about identity says what it has to say beside `error`; any other has `details` for it (§7).
  const { success: _, error, message, details, ...beside } = body ?? {}
  const Kind = kindOf(operation, status, body !== undefined)
  return new Kind(text(message) ?? text(error) ?? `${operation} was answered ${status} with no explanation`, {
    status,
    slug: text(error),
    ...rest,
    details: isObject(details) ? details : Object.keys(beside).length > 0 ? beside : undefined,
  })
}

function kindOf(operation: string, status: number, explained: boolean): typeof ComptoirError {
  if (status >= 500) return ServerError
  // §5.4: POST /auth refuses with 400 and 401, and once with 200.
  if (status < 300) return explained ? AuthenticationError : ServerError
  if (operation === 'POST /auth' && status === 400) return AuthenticationError
  return BY_STATUS.get(status) ?? ComptoirError
}

const BY_STATUS: ReadonlyMap<number, typeof ComptoirError> = new Map<number, typeof ComptoirError>([
  [400, ValidationError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, ResyncError],
  [413, ValidationError],
  [415, ValidationError],
  [422, ValidationError],
  [429, RateLimitError],
])

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
