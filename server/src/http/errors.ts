/** A refusal the contract describes: its status and its exact body (§5.4, §7, D6). */
export class Refusal extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(String(body.message ?? body.error))
    this.status = status
    this.body = body
    this.headers = headers
  }
}

// §7: a refusal that is not about identity is { error, message, details? }.
const refused = (status: number, error: string, message: string, details?: Record<string, unknown>) =>
  new Refusal(status, { error, message, ...(details && { details }) })

/** What was wrong with one parameter of the path, the query or a header (D2.2). */
export const invalidParameter = (parameter: string, message: string, details: Record<string, unknown> = {}) =>
  refused(400, 'invalid_parameter', message, { parameter, ...details })

export const notFound = () => refused(404, 'not_found', 'There is nothing at this address.')

export const methodNotAllowed = (allowed: readonly string[]) =>
  new Refusal(
    405,
    { error: 'method_not_allowed', message: `This address answers ${allowed.join(', ')} only.`, details: { allowed } },
    { allow: allowed.join(', ') },
  )

/** A 5xx says nothing of the inside; the request id leads the operator to the log (D6). */
export const internalError = (requestId: string) =>
  refused(500, 'internal_error', 'Something went wrong on our side. Quote the request id when you report it.', {
    request_id: requestId,
  })
