import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidJson, type Refusal, unsupportedMediaType } from './errors.ts'

export const BODY_LIMIT = 64 * 1024
export const JSON_TYPE = 'application/json; charset=utf-8' // D1.3
const DEEPEST = 20

/**
 * D1.4: JSON and nothing else, read by one parser whatever the header looks like, so that no odd content type takes a way of its
 * own around validation. Depth is bounded before parsing, because what parses can still be too deep to walk.
 */
export function readJsonBodies(
  app: FastifyInstance,
  onMalformed: (refusal: Refusal, done: Done) => void = refuse,
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, body: Buffer, done) => {
    if (!isJson(request)) return done(unsupportedMediaType())
    if (!isUtf8(body)) return onMalformed(invalidJson('The body is not UTF-8.'), done)
    if (isTooDeep(body)) return onMalformed(invalidJson(`The body is nested deeper than ${DEEPEST}.`), done)
    parse(request, body.toString(), (error, value) => {
      if (!error) done(null, value)
      else onMalformed(invalidJson('The body is not JSON, or has a member named __proto__ or constructor.'), done)
    })
  })
}

type Done = (error: Error | null, body?: unknown) => void

const refuse = (refusal: Refusal, done: Done) => done(refusal)

/** D5.1: of malformed JSON, POST /auth says that every field is missing. */
export const asNothing = (_refusal: Refusal, done: Done) => done(null, undefined)

function isJson({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return false
  return /^application\/json(; ?charset="?utf-8"?)?$/i.test(headers['content-type'] ?? '')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function isTooDeep(body: Buffer): boolean {
  let depth = 0
  let inText = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!
    if (inText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inText = false
    } else if (byte === QUOTE) inText = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > DEEPEST) return true // [ {
    } else if (byte === 0x5d || byte === 0x7d) depth-- // ] }
  }
  return false
}
