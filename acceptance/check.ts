import assert from 'node:assert/strict'
import type { Answer, Client } from './client.ts'

/** The service to check, and the credentials. */
export interface Deployment extends Client {
  credentials: Credentials
  /** Ids of rows that the brand is expected to have. */
  receiptId: string
  stockOperationId: string
}

export interface Credentials {
  client_id: string
  client_secret: string
  brand: string
  integrator_id: string
}

/** Runs one check; what it throws is why it failed. */
export type Check = (name: string, run: () => Promise<unknown>) => Promise<void>

/** One part of the contract. */
export type Checks = (check: Check, deployment: Deployment) => Promise<void>

/** A check that this deployment's data or permissions do not allow. */
export class NotChecked extends Error {}

export function need(condition: unknown, why: string): asserts condition {
  if (!condition) throw new NotChecked(why)
}

/** The body of an answer that must have this status. */
export function bodyOf(answer: Answer, status: number): Record<string, unknown> {
  const { details } = (answer.body ?? {}) as { details?: { required?: string } }
  if (answer.status === 403 && status !== 403 && details?.required)
    throw new NotChecked(`the credentials lack the permission ${details.required}`)
  assert.equal(answer.status, status, `expected status ${status}, got ${answer.status}: ${answer.text.slice(0, 300)}`)
  assert.ok(answer.body, `the body is not JSON: ${answer.text.slice(0, 300)}`)
  return answer.body
}

/** An answer that must have exactly this body. */
export function expectBody(answer: Answer, status: number, expected: object): void {
  const body = bodyOf(answer, status)
  assert.deepEqual(body, expected, `expected ${JSON.stringify(expected)}, got ${answer.text.slice(0, 300)}`)
}

/** §7: a refusal with this slug. Returns its details. */
export function expectError(answer: Answer, status: number, slug: string): Record<string, unknown> {
  const body = bodyOf(answer, status)
  assert.equal(body.error, slug, `expected the error ${slug}, got ${answer.text.slice(0, 300)}`)
  assert.ok(typeof body.message === 'string' && body.message !== '', 'message is a sentence')
  const details = body.details ?? {}
  assert.equal(typeof details, 'object', 'details is an object')
  expectMembers(body, ['error', 'message'], ['details'])
  return details as Record<string, unknown>
}

/** D2.2: a parameter that is refused, and named. */
export function expectInvalidParameter(answer: Answer, parameter: string): Record<string, unknown> {
  const details = expectError(answer, 400, 'invalid_parameter')
  assert.equal(details.parameter, parameter, `details.parameter is ${parameter}, got ${answer.text.slice(0, 300)}`)
  return details
}

/** All of `always` and nothing outside of `always` and `optional`. */
export function expectMembers(value: object, always: readonly string[], optional: readonly string[] = []): void {
  const names = Object.keys(value)
  const missing = always.filter((name) => !names.includes(name))
  const unknown = names.filter((name) => !always.includes(name) && !optional.includes(name))
  assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] }, `missing ${missing}, unknown ${unknown}`)
}

export const isInteger = Number.isSafeInteger
export const isInstant = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)

/** §2.1: message, time, timestamp and unix of a single-object envelope. */
export function expectEnvelope(body: Record<string, unknown>): void {
  expectMembers(body, ['success', 'data', 'message', 'time', 'timestamp', 'unix'])
  assert.equal(body.success, true)
  assert.equal(typeof body.message, 'string')
  assert.ok(isInteger(body.time) && (body.time as number) >= 0, 'time is whole milliseconds')
  assert.ok(isInstant(body.timestamp), `timestamp is an instant: ${body.timestamp}`)
  assert.equal(body.unix, Math.floor(Date.parse(body.timestamp as string) / 1000), 'unix is the instant of timestamp')
}

export interface Row extends Record<string, unknown> {
  id: number
  name: string
}

export interface Page {
  data: Row[]
  pagination: { page: number; per_page: number; total: number; total_pages: number }
}

/** §2.1: a list envelope whose figures fit together. */
export function pageOf(answer: Answer): Page {
  const body = bodyOf(answer, 200)
  expectMembers(body, ['data', 'pagination'])
  const { data, pagination } = body as unknown as Page
  assert.ok(Array.isArray(data), 'data is a list')
  expectMembers(pagination, ['page', 'per_page', 'total', 'total_pages'])
  const { page, per_page, total, total_pages } = pagination
  assert.ok([page, per_page, total, total_pages].every(isInteger), 'pagination holds whole numbers')
  assert.equal(total_pages, Math.ceil(total / per_page), 'total_pages fits total and per_page')
  const expected = Math.max(0, Math.min(per_page, total - (page - 1) * per_page))
  assert.equal(data.length, expected, `page ${page} of ${total} rows by ${per_page} has ${expected}`)
  return { data, pagination }
}

export const query = (parameters: Record<string, string | number>) =>
  `?${new URLSearchParams(parameters as Record<string, string>)}`

export const filters = (...list: unknown[][]) => query({ filters: JSON.stringify(list) })
