import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { jsonErrorPosition } from '../values/json-error-position.ts'
import { invalidJson, type Refusal, unsupportedMediaType } from './errors.ts'

export const BODY_LIMIT = 64 * 1024
export const JSON_TYPE = 'application/json; charset=utf-8' // D1.3
const MAX_DEPTH = 20

/**
 * D1.4: accepts JSON only. One parser reads every content type, so that none can bypass validation. Depth is limited before parsing,
 * because a text that parses can still be too deep for recursive code.
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
    if (isTooDeep(body)) return onMalformed(invalidJson(`The body is nested deeper than ${MAX_DEPTH}.`), done)
    const text = body.toString()
    parse(request, text, (error, value) => {
      if (!error) done(null, value)
      else onMalformed(unreadable(text), done)
    })
  })
}

type Done = (error: Error | null, body?: unknown) => void

const refuse = (refusal: Refusal, done: Done) => done(refusal)

/** D5.1: POST /auth reads malformed JSON as an empty body, and answers that the fields are missing. */
export const ignoreMalformedJson = (_refusal: Refusal, done: Done) => done(null, undefined)

/** Why the parser refused a text: it is empty, it is not JSON, or it has a member name that is never allowed. */
function unreadable(text: string): Refusal {
  if (text.trim() === '') return invalidJson('The body is empty.')
  const position = jsonErrorPosition(text)
  if (position === undefined) return invalidJson('A body has no member named __proto__ or constructor.')
  const before = text.slice(0, position).split('\n')
  const [line, column] = [before.length, before.at(-1)!.length + 1]
  const fault = position === text.length ? 'unexpected end' : 'unexpected character'
  return invalidJson(`The body is not JSON: ${fault}, at line ${line}, column ${column}.`, { position, line, column })
}

function isJson({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false
  const [, parameters] = /^[ \t]*application\/json(.*)$/i.exec(headers['content-type'] ?? '') ?? []
  return parameters !== undefined && areParameters(parameters)
}

// RFC 9110 section 5.6.6: names are tokens, values are tokens or quoted; empty parameters, as after a last semicolon, are allowed.
const PARAMETER = /[ \t]*(?:;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)"))?|$)/y

/** Whether all of the text is parameters of a media type, and a charset among them is UTF-8. */
function areParameters(text: string): boolean {
  PARAMETER.lastIndex = 0
  while (PARAMETER.lastIndex < text.length) {
    const [, name = '', token, quoted = ''] = PARAMETER.exec(text) ?? []
    if (PARAMETER.lastIndex === 0) return false // no match starts again at 0
    if (name.toLowerCase() === 'charset' && !/^utf-?8$/i.test(token ?? quoted)) return false
  }
  return true
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
      if (++depth > MAX_DEPTH) return true // [ {
    } else if (byte === 0x5d || byte === 0x7d) depth-- // ] }
  }
  return false
}
