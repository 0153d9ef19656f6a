import { OutcomeUnknown, StoreFull, StoreUnavailable } from '../storage/database.ts'
import { definedOnly } from '../values/defined-only.ts'

// Every refusal of the contract (§5.4, §7, D6): its status and its exact body. Code throws one by its name, and a rule returns it.

// Refusals carry no stack trace: capturing one, as Error's constructor does, costs more than the rest of the response.
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

  /** The body as it is sent, serialized once: a refusal that many requests get in a row is one object. */
  get text(): string {
    this.#text ??= JSON.stringify(this.body)
    return this.#text
  }
  #text: string | undefined = undefined
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
) => new Refusal(status, { error, message, ...definedOnly({ details }) }, headers)

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

const HEADERS_MISSING = denied(401, { error: 'Headers are missing' })
const TOKEN_INVALID = denied(401, { error: 'Invalid token' })
export const headersMissing = () => HEADERS_MISSING
export const tokenInvalid = () => TOKEN_INVALID
export const tokenExpired = (expiry: Date) => denied(401, { error: 'Token expired', expires_at: expiry.toISOString() })
export const integratorInactive = () => denied(401, { error: 'Invalid integrator_id' })

// §7, D6

/** One wrong parameter in the path, the query or a header (D2.2). */
export const invalidParameter = (parameter: string, message: string, details: Record<string, unknown> = {}) =>
  refused(400, 'invalid_parameter', message, { parameter, ...details })

/** R19: an address that the operator's settings do not allow. */
export const addressNotAllowed = (setting: string) =>
  refused(400, 'address_not_allowed', `${setting} does not allow this address: ask the operator of the service.`, {
    field: setting === 'COMPTOIR_PRINT_PORTS' ? 'port' : 'address',
    setting,
  })

/** One problem in a request body (D4.3). */
export interface FieldProblem {
  field: string
  rule: string
  message: string
  /** How many entries a list may have, where it is too long. */
  maximum?: number
}

/** The problem of a field that must be otherwise: `amount must be above 0.` */
export const fieldProblem = (field: string, rule: string, must: string): FieldProblem => ({
  field,
  rule,
  message: `${field} ${must}.`,
})

/** All problems in a request body; the message is that of the first (D4.3). */
export const validationFailed = (errors: readonly [FieldProblem, ...FieldProblem[]]) =>
  refused(400, 'validation_failed', errors[0].message, { errors })

/** D3.4: no amount goes beyond 10^11. */
export const amountTooLarge = (what: string, most = '10^11') =>
  validationFailed([{ field: 'body', rule: 'maximum', message: `${what} would be beyond ${most}.` }])

export const hostMissing = () => invalidParameter('host', 'A request of HTTP/1.1 has a Host header.')

export const hostTwice = () => invalidParameter('host', 'A request has one Host header, not more.')

export const invalidJson = (message: string, details?: { position: number; line: number; column: number }) =>
  refused(400, 'invalid_json', message, details)

/** `approvable`: somebody who has it can lend it for this act, on the receipt `receipt_id` where one is named (T19). */
export const forbidden = (permission: string, details: { approvable?: true; receipt_id?: number } = {}) =>
  refused(403, 'forbidden', `This call needs the permission ${permission}.`, { required: permission, ...details })
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

/** E7: a cursor of the feed that is older than what is kept, or of another history. */
export const cursorExpired = (details: { oldest: string; latest: string; kept_days: number }) =>
  refused(
    410,
    'cursor_expired',
    'The events after this cursor are no longer kept: read the lists again, then follow from latest.',
    details,
  )
export const feedDiverged = (details: { oldest: string; latest: string }) =>
  refused(
    410,
    'feed_diverged',
    'This cursor belongs to another history of the feed, as after a restored backup: read the lists again.',
    details,
  )

/** §4.2: another customer of the brand has the same `field`; nothing is said about that customer (D4.2). */
export const duplicate = (field: 'phone' | 'code' | 'cid') =>
  refused(409, `duplicate_${field}`, `Another customer already has this ${field}.`, { field })

export const idempotencyInProgress = () =>
  refused(409, 'idempotency_in_progress', 'The first request with this Idempotency-Key is still running.')
export const idempotencyMismatch = () =>
  refused(422, 'idempotency_mismatch', 'This Idempotency-Key was used with another body.')

/** The row has changed since it was read; `version` is the current one. */
export const versionMismatch = (version: number | string) =>
  refused(412, 'version_mismatch', 'This was changed since you read it.', { version })
// Receipts (S2, S3)

export const receiptClosed = (closed_at: string | undefined) =>
  refused(409, 'receipt_closed', 'This receipt is closed.', definedOnly({ closed_at }))
export const receiptCancelled = () => refused(409, 'receipt_cancelled', 'This receipt was cancelled.')
export const receiptLocked = () =>
  refused(409, 'receipt_locked', 'The bill was shown: unlock the receipt before you change it.')
/** P22 */
export const receiptIsHistory = () =>
  refused(409, 'receipt_locked', 'This receipt was imported as history: its lines and amounts stay as they are.')
export const receiptInKitchen = () =>
  refused(409, 'receipt_in_kitchen', 'The kitchen has begun with this receipt: staff can cancel it.')
export const overpaid = (paid: number, total: number) =>
  refused(409, 'overpaid', `${paid} was paid already, and the total would be ${total}.`, { paid, total })
/** T9: an order has one receipt, which is where its lines are. */
export const orderReceipt = () =>
  refused(409, 'order_receipt', 'This is the receipt of an order: its lines stay on it.')
/** T19 */
export const approvalUsed = () => refused(409, 'approval_used', 'This approval was used, or is too old: ask again.')
/** T20: the venue wants a reason for what was done. */
export const reasonRequired = (kind: string) => refused(400, 'reason_required', 'Give a reason for this.', { kind })
export const receiptPaid = (paid: number) =>
  refused(409, 'receipt_paid', `${paid} was paid on this receipt: it cannot end in another one.`, { paid })
/** S2: a line that was sent is never edited, only voided. */
export const lineSent = (state: string) =>
  refused(409, 'receipt_in_kitchen', 'A line that was sent is not changed: void it and add another one.', { state })
/** S4: a step that the line or the ticket cannot take. */
export const stateBehind = (state: string) =>
  refused(409, 'receipt_in_kitchen', `This cannot be done: it is ${state}.`, { state })
export const orderStatusBehind = (order_status: string) =>
  refused(409, 'order_status_behind', `The order is ${order_status} already.`, { order_status })
/** P19 */
export const notRefundable = (message: string, details?: { line_id: number; left: number }) =>
  refused(409, 'not_refundable', message, details)
/** Another receipt, or another line of the receipt, has this cid. */
export const duplicateCid = (what: 'receipt' | 'line') =>
  refused(409, 'duplicate_cid', `Another ${what} was made with this cid.`, { field: 'cid' })
export const duplicateOrder = (id: number) =>
  refused(409, 'duplicate_order', 'An order with this integration_uuid and other content exists.', { id })
export const orderNotPending = (status: string) =>
  refused(409, 'order_not_pending', `This order is ${status}.`, { status })
export const soldOut = (products: readonly { id: number; limit: number }[]) =>
  refused(409, 'sold_out', 'There is not enough left of some products.', { products })
export const venueClosed = (opens_at: string | undefined) =>
  refused(409, 'venue_closed', 'The venue takes no orders at that time.', opens_at === undefined ? {} : { opens_at })
export const notPlacedByYou = () => refused(403, 'forbidden', 'Another integrator placed this order.')
export const notYourOrder = () =>
  refused(403, 'forbidden', 'Only the integrator that placed the order can cancel its receipt.')

// Money (P15, S5, S7)

/** `balance` is the current amount. */
export const insufficientBalance = (balance: number) =>
  refused(409, 'insufficient_balance', `The balance is ${balance}, which is less than this takes.`, { balance })
/** A payment method keeps its kind once something was paid by it. */
export const methodInUse = () =>
  refused(
    409,
    'method_in_use',
    'The kind of this payment method cannot be changed: payments were made by it, or an order that is paid by it is waiting.',
  )
/** R8 */
export const jobPrinted = () => refused(409, 'job_printed', 'This was printed already, or moved to another printer.')
export const printerOff = (name: string) =>
  refused(409, 'printer_off', `The printer ${name} is switched off, or prints in a browser only.`)
export const noCashShift = () =>
  refused(409, 'no_cash_shift', 'Cash needs an open cash shift at this terminal, or one open shift at the venue.')
export const shiftOpen = (id: string) =>
  refused(409, 'shift_open', 'This terminal has an open cash shift already.', { id })
export const shiftClosed = (closed_at: string) =>
  refused(409, 'no_cash_shift', 'This cash shift is closed.', { closed_at })

// Erasing a customer (docs/privacy.md)

/** Nothing is sold to, paid by or written about somebody who was erased. */
export const customerErased = () => refused(409, 'customer_erased', 'This customer was erased.')
/** Ids of what is still under way. */
export const customerBusy = (orders: readonly number[], receipts: readonly number[]) =>
  refused(409, 'customer_busy', 'This customer has waiting orders or open receipts: finish or cancel them first.', {
    orders,
    receipts,
  })
export const balanceLeft = (balance: number, cashback_balance: number) =>
  refused(409, 'balance_left', 'This customer has a balance that nobody could spend any more.', {
    balance,
    cashback_balance,
  })

// Documents (S6)

/** A published document never changes and is reversed once; `reversed_by` is the document that reversed it. */
export const operationPublished = (published_at: string | undefined, reversed_by?: number) =>
  refused(
    409,
    'operation_published',
    reversed_by === undefined ? 'This document is published.' : 'This document was reversed already.',
    definedOnly({ published_at, reversed_by }),
  )

// Webhooks (W2 to W4, W14)

/** What cannot be done while an endpoint is in this state. */
export const endpointState = (state: string) =>
  refused(409, 'endpoint_state', `This cannot be done now: the endpoint is ${state}.`, { state })
export const duplicateUrl = () => refused(409, 'duplicate_url', 'You have an endpoint with this url.', { field: 'url' })
export const tooManyEndpoints = (limit: number) =>
  refused(409, 'too_many_endpoints', `There are ${limit} endpoints already.`, { limit })
export const tooManyReplays = (limit: number) =>
  refused(409, 'too_many_replays', `${limit} replays of this brand are running.`, { limit })
/** `until` is when the secret before the newest ends. */
export const secretOverlap = (until: string) =>
  refused(409, 'secret_overlap', `Two secrets are valid until ${until}: rotate after it, or with overlap_s 0.`, {
    until,
  })

// The menu (M13, M17)

export const imageSpace = (limit_mb: number) =>
  refused(409, 'image_space', `The pictures of this brand have ${limit_mb} MB together already: remove some.`, {
    limit_mb,
  })

/** `plan` is what the file would do now. */
export const planChanged = (plan: object) =>
  refused(409, 'plan_changed', 'The menu was changed meanwhile: look at the new plan.', { plan })

const payloadTooLarge = (bytes: number) => refused(413, 'payload_too_large', `A body has at most ${bytes} bytes.`)
/** D2.1: `limit` is how many rows of it fit. */
export const pageTooLarge = (limit: number) =>
  refused(400, 'page_too_large', `This page has more than 16 MiB: lower the limit to ${limit}.`, { limit })
export const unsupportedMediaType = () =>
  refused(415, 'unsupported_media_type', 'Send the body as application/json, not compressed.')

/** §8; Retry-After is written beside RateLimit-Reset, which it equals (D7.2). */
export function rateLimited(tier: 2 | 3, limit: number, reset: number): Refusal {
  const { details } = lastLimited.body as { details?: { tier: number; limit: number; reset: number } }
  if (details?.reset === reset && details.limit === limit && details.tier === tier) return lastLimited
  const who = tier === 2 ? 'failed requests from this address' : 'requests'
  const message = `More than ${limit} ${who} in a minute: wait ${reset} s.`
  lastLimited = refused(429, 'rate_limited', message, { tier, limit, reset })
  return lastLimited
}
let lastLimited = refused(429, '', '')
/** §8 tier 1, in the body of POST /auth (D6). */
export const signInLimited = (limit: number, reset: number) =>
  denied(429, { error: 'Too many requests', message: `More than ${limit} sign-ins in a minute: wait ${reset} s.` })

/** A 5xx says nothing of the inside; the request id leads the operator to the log (D6). */
const internalError = (requestId: string) =>
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
const storageFull = (requestId: string) =>
  refused(503, 'storage_full', 'Nothing can be stored right now; reading works.', { request_id: requestId }, RETRY)

// The back office

export const signedOut = () => refused(401, 'signed_out', 'Sign in first.')
/** One text for every reason, so that nobody learns which accounts exist. */
export const signInRefused = () => refused(401, 'sign_in_refused', 'Wrong brand, username, password or code.')
/** T18: a session by PIN works at the till, the floor, the kitchen and the shift. */
export const pinSession = () => refused(403, 'pin_session', 'Sign in with your password for this.')
/** T17 */
export const pinRefused = () => refused(401, 'pin_refused', 'Wrong PIN.')
export const pinWeak = () => refused(400, 'pin_weak', 'A PIN has 4 to 8 digits, not one repeated and no run.')
/** T17: somebody else set it. */
export const pinChange = () => refused(409, 'pin_change', 'Choose a PIN of your own first.')
/** T16 */
export const tooManyDevices = (limit: number) =>
  refused(409, 'too_many_devices', `This terminal has ${limit} devices: remove one first.`, { limit })
export const tooManyAttempts = (seconds: number) =>
  refused(429, 'too_many_attempts', `Too many wrong attempts: wait ${seconds} s.`, undefined, {
    'retry-after': String(seconds),
  })
/** D7.6: counted per person, across tabs and workers. */
export const tooManyCalls = (limit: number, seconds: number) =>
  refused(
    429,
    'rate_limited',
    `More than ${limit} calls in a minute: wait ${seconds} s.`,
    { limit, reset: seconds },
    { 'retry-after': String(seconds) },
  )
export const tooManySearches = (most: number) =>
  refused(429, 'too_many_searches', `At most ${most} searches at a time: wait for one to finish.`, undefined, {
    'retry-after': '1',
  })
/** Binding or displaying such a credential would give its rights to the caller. */
export const beyondOwnRights = () =>
  refused(
    403,
    'forbidden',
    'This staff user has permissions or venues that you do not have. Ask somebody who has them, or choose another staff user.',
  )
/** Creating or changing such a role would give its rights to the caller. */
export const roleBeyondOwnRights = () =>
  refused(403, 'forbidden', 'This role allows something that you may not do yourself. Ask somebody who may.')
/** A role is the same for everybody who has it, also in other venues. */
export const roleInOtherVenues = () =>
  refused(
    403,
    'forbidden',
    'Staff of venues that you have no access to have this role. Ask somebody who may enter them, or make a role of your own.',
  )
/** Nobody can lock themselves out, or raise their own rights. */
export const ownRights = () =>
  refused(403, 'forbidden', 'You cannot change your own role, venues or status. Ask somebody else who may.')
export const crossSite = () => refused(403, 'cross_site', 'Changes are made from our own pages only.')
export const invitationSpent = () =>
  refused(404, 'invitation_spent', 'This link was used already, was replaced by a newer one, or is older than a day.')
const SETUP_LINKS = {
  used: 'This link was used already: the restaurant is open.',
  expired: 'This link is older than a day. Ask for another.',
  unknown: 'This link does not work: it was replaced by a newer one, or a part of it is missing.',
} as const
export const setupLinkSpent = (state: keyof typeof SETUP_LINKS) =>
  refused(404, 'setup_link_spent', SETUP_LINKS[state], { state })
export const passwordWeak = (message: string) => refused(400, 'password_weak', message)
/** A change that cannot be made; the sentence says why. */
export const rejected = (message: string) => refused(409, 'rejected', message)

/** Most bytes that the request line and the headers have together. */
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

/** The refusal for anything that was thrown. `bodyLimit` is the limit that a framework error refers to. */
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

/** D5.1: on POST /auth, refusals other than the contract's own keep their error and message, after `success: false`. */
export const authErrorBody = ({ status, body, headers }: Refusal) =>
  'success' in body
    ? body
    : new Refusal(status, { success: false, error: body.error, message: body.message }, headers).body
