import { OutcomeUnknown, StoreFull, StoreUnavailable } from '../storage/database.ts'

// Every refusal of the contract (§5.4, §7, D6): its status and its exact body. Code throws one by its name, and a rule returns it.

// Where a refusal was made tells nobody anything, and finding that out, as Error's own constructor does, takes longer than all else.
class WithoutStack {}
Object.setPrototypeOf(WithoutStack.prototype, Error.prototype)

/** A refusal the contract describes. */
export class Refusal extends (WithoutStack as new () => Error) {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    super()
    this.message = String(body.message ?? body.error)
    this.name = String(body.error ?? body.message) // ours: no refusal has a client's text here
    this.status = status
    this.body = body
    this.headers = headers
  }
}

// §5.4: a refusal about identity says `success: false`.
const denied = (status: number, body: Record<string, unknown>) => new Refusal(status, { success: false, ...body })

// §7: every other refusal is { error, message, details? }.
const refused = (
  status: number,
  error: string,
  message: string,
  details?: Record<string, unknown>,
  headers?: Record<string, string>,
) => new Refusal(status, { error, message, ...(details && { details }) }, headers)

// §5.4, from POST /auth

export const credentialsMissing = () =>
  denied(400, { error: 'Missing client_id, client_secret, brand, or integrator_id' })
export const integratorUnknown = () => denied(400, { error: 'Invalid integrator_id' })
export const credentialsRejected = () => denied(401, { message: 'Invalid credentials' }) // one text for every mismatch (D5.1)
export const clientDisabled = () => denied(401, { message: 'Client is disabled' })
export const userDeactivated = () => denied(401, { message: 'The staff user of this client is deactivated' }) // D5.6

/** The same mismatch is a 200 from POST /auth and a 401 everywhere else (§5.4). */
export const testModeMismatch = (status: 200 | 401, brand: string, integrator: string) =>
  denied(status, { error: 'Integrator is in test mode. But brand is not in test mode', brand, integrator })

// §5.4, from authenticated endpoints

export const headersMissing = () => denied(401, { error: 'Headers are missing' })
export const tokenInvalid = () => denied(401, { error: 'Invalid token' })
export const tokenExpired = (at: Date) => denied(401, { error: 'Token expired', expires_at: at.toISOString() })
export const integratorInactive = () => denied(401, { error: 'Invalid integrator_id' })

// §7, D6

/** What was wrong with one parameter of the path, the query or a header (D2.2). */
export const invalidParameter = (parameter: string, message: string, details: Record<string, unknown> = {}) =>
  refused(400, 'invalid_parameter', message, { parameter, ...details })

/** One fault of a request body (D4.3). */
export interface Fault {
  field: string
  rule: string
  message: string
}

/** All faults of a request body; the message is the first one's (D4.3). */
export const validationFailed = (errors: readonly [Fault, ...Fault[]]) =>
  refused(400, 'validation_failed', errors[0].message, { errors })

export const hostMissing = () => invalidParameter('host', 'A request of HTTP/1.1 has a Host header.')

export const hostTwice = () => invalidParameter('host', 'A request has one Host header, not more.')

export const invalidJson = (message: string, details?: { position: number; line: number; column: number }) =>
  refused(400, 'invalid_json', message, details)

export const forbidden = (permission: string) =>
  refused(403, 'forbidden', `This call needs the permission ${permission}.`, { required: permission })
export const venueForbidden = () => refused(403, 'forbidden', 'You have no access to this venue.')
export const plainHttpForbidden = () => refused(403, 'forbidden', 'HTTPS only.')

/** No such path. */
export const notFound = () => refused(404, 'not_found', 'There is nothing at this address.')
/** D3.1: no such row, or another brand's or venue's. */
export const noSuchRecord = () => refused(404, 'not_found', 'There is no record with this id.')

export const methodNotAllowed = (allowed: readonly string[]) =>
  refused(
    405,
    'method_not_allowed',
    `This address answers ${allowed.join(', ')} only.`,
    { allowed },
    { allow: allowed.join(', ') },
  )

/** §4.2: `field` is the one that another customer of the brand has; nothing is said of that customer (D4.2). */
export const duplicate = (field: 'phone' | 'code' | 'cid') =>
  refused(409, `duplicate_${field}`, `Another customer already has this ${field}.`, { field })

export const idempotencyInProgress = () =>
  refused(409, 'idempotency_in_progress', 'The first request with this Idempotency-Key is still running.')
export const idempotencyMismatch = () =>
  refused(422, 'idempotency_mismatch', 'This Idempotency-Key was used with another body.')

export const payloadTooLarge = (bytes: number) =>
  refused(413, 'payload_too_large', `A body has at most ${bytes} bytes.`)
export const unsupportedMediaType = () =>
  refused(415, 'unsupported_media_type', 'Send the body as application/json, not compressed.')

/** §8; Retry-After is written beside RateLimit-Reset, which it equals (D7.2). */
export const rateLimited = (tier: 2 | 3, limit: number, reset: number) =>
  refused(
    429,
    'rate_limited',
    `More than ${limit} ${tier === 2 ? 'failed requests from this address' : 'requests'} in a minute: wait ${reset} s.`,
    { tier, limit, reset },
  )
/** §8 tier 1, in the body of POST /auth (D6). */
export const signInLimited = (limit: number, reset: number) =>
  denied(429, { error: 'Too many requests', message: `More than ${limit} sign-ins in a minute: wait ${reset} s.` })

/** A 5xx says nothing of the inside; the request id leads the operator to the log (D6). */
export const internalError = (requestId: string) =>
  refused(500, 'internal_error', 'Something went wrong on our side. Quote the request id when you report it.', {
    request_id: requestId,
  })

const RETRY = { 'retry-after': '5' }
export const unavailable = (requestId: string) =>
  refused(503, 'unavailable', 'The service cannot answer right now. Try again.', { request_id: requestId }, RETRY)
export const outcomeUnknown = (requestId: string) =>
  refused(
    503,
    'outcome_unknown',
    'It is not known whether the change was made. Repeat it with the same Idempotency-Key.',
    { request_id: requestId },
    RETRY,
  )
export const storageFull = (requestId: string) =>
  refused(503, 'storage_full', 'Nothing can be stored right now; reading works.', { request_id: requestId }, RETRY)

// The back office

export const signedOut = () => refused(401, 'signed_out', 'Sign in first.')
/** One text for every reason, so that nobody learns which accounts there are. */
export const signInRefused = () => refused(401, 'sign_in_refused', 'Wrong brand, username, password or code.')
export const tooManyAttempts = (seconds: number) =>
  refused(429, 'too_many_attempts', `Too many wrong attempts: wait ${seconds} s.`, undefined, {
    'retry-after': String(seconds),
  })
export const tooManySearches = (most: number) =>
  refused(429, 'too_many_searches', `At most ${most} searches at a time: wait for one to finish.`, undefined, {
    'retry-after': '1',
  })
/** Who could bind or display such a credential would gain what it may do. */
export const beyondOwnRights = () =>
  refused(
    403,
    'forbidden',
    'This staff user has permissions or venues that you do not have. Ask somebody who has them, or choose another staff user.',
  )
export const crossSite = () => refused(403, 'cross_site', 'Changes are made from our own pages only.')
export const invitationSpent = () =>
  refused(404, 'invitation_spent', 'This link was used already, was replaced by a newer one, or is older than a day.')
export const passwordWeak = (message: string) => refused(400, 'password_weak', message)
/** A change that cannot be made; the sentence says why. */
export const rejected = (message: string) => refused(409, 'rejected', message)

/** Bytes that the first line and the headers of a request have at most. */
export const HEAD_LIMIT = 16 * 1024

/** Bytes that are no request, by the code of Node's parser. No hook sees them, so the answer is the whole of it. */
export function malformedRequest(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return refused(431, 'headers_too_large', `The address and the headers have at most ${HEAD_LIMIT} bytes together.`)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return refused(408, 'request_timeout', 'The request took too long to arrive.')
  if (code === 'HPE_INVALID_URL')
    return invalidParameter('request', 'An address is ASCII: percent-encode everything else, as UTF-8.')
  return invalidParameter('request', 'This is not an HTTP request.')
}

/** The refusal that a failure amounts to, whatever was thrown. `bodyLimit` is the one that a framework error speaks of. */
export function refusalFor(error: unknown, requestId: string, bodyLimit: number): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof OutcomeUnknown) return outcomeUnknown(requestId)
  if (error instanceof StoreUnavailable) return unavailable(requestId)
  if (error instanceof StoreFull) return storageFull(requestId)
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge(bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidJson('The body is not as long as its Content-Length says.')
  }
  const { statusCode = 500 } = (error ?? {}) as { statusCode?: number }
  return statusCode >= 400 && statusCode < 500
    ? invalidParameter('request', 'This request cannot be read.')
    : internalError(requestId)
}

/** D5.1: what is not in the contract's own words keeps its slug and sentence on POST /auth, after `success: false`. */
export const onSignIn = ({ status, body, headers }: Refusal) =>
  'success' in body
    ? body
    : new Refusal(status, { success: false, error: body.error, message: body.message }, headers).body
