import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { jsonFault } from '../values/json-fault.ts'
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
    const text = body.toString()
    parse(request, text, (error, value) => {
      if (!error) done(null, value)
      else onMalformed(unreadable(text), done)
    })
  })
}

type Done = (error: Error | null, body?: unknown) => void

const refuse = (refusal: Refusal, done: Done) => done(refusal)

/** D5.1: of malformed JSON, POST /auth says that every field is missing. */
export const asNothing = (_refusal: Refusal, done: Done) => done(null, undefined)

/** Why the parser refused a text: what it lacks, where it goes wrong, or a member that nobody may name. */
function unreadable(text: string): Refusal {
  if (text.trim() === '') return invalidJson('The body is empty.')
  const position = jsonFault(text)
  if (position === undefined) return invalidJson('A body has no member named __proto__ or constructor.')
  const before = text.slice(0, position).split('\n')
  const [line, column] = [before.length, before.at(-1)!.length + 1]
  const fault = position === text.length ? 'it ends too early' : 'this character cannot stand there'
  return invalidJson(`The body is not JSON: ${fault}, at line ${line}, column ${column}.`, { position, line, column })
}

function isJson({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false
  const [, parameters] = /^[ \t]*application\/json(.*)$/i.exec(headers['content-type'] ?? '') ?? []
  return parameters !== undefined && areParameters(parameters)
}

// RFC 9110 section 5.6.6: names are tokens, values are tokens or quoted; an empty one, as after a last semicolon, is none.
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
      if (++depth > DEEPEST) return true // [ {
    } else if (byte === 0x5d || byte === 0x7d) depth-- // ] }
  }
  return false
}
