import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { instantOf } from '../values/values.ts'
import { JSON_TYPE } from './body.ts'

// §2.1: the shapes that answers come in, put around texts that are stored ready, and the schemas that describe them.

export const sendJson = (reply: FastifyReply, text: string | Buffer | Readable): FastifyReply =>
  reply.header('content-type', JSON_TYPE).send(text)

/** One resource, whose text is given. */
export const one = (data: string) => `{"success":true,"data":${data}}`

/** One resource and when it was answered (D3.3). `message` is ours and needs no escape. */
export function oneTimed(reply: FastifyReply, data: string, message: string, nowMs: number): string {
  const [time, unix] = [Math.round(reply.elapsedTime), Math.floor(nowMs / 1000)]
  return `{"success":true,"data":${data},"message":"${message}","time":${time},"timestamp":"${instantOf(nowMs)}","unix":${unix}}`
}

/**
 * One page of a list: the texts of its objects with commas between, as the database joined them, and how many there are in all. A page
 * that may be too large for memory comes in pieces.
 */
export interface Page {
  data: string | Uint8Array | AsyncIterable<string | Uint8Array>
  total: number
}

const HEAD = '{"data":['
const HEAD_BYTES = Buffer.from(HEAD)

export function sendPage(
  reply: FastifyReply,
  { page, limit }: { page: number; limit: number },
  { data, total }: Page,
): FastifyReply {
  const pages = Math.ceil(total / limit)
  const tail = `],"pagination":{"page":${page},"per_page":${limit},"total":${total},"total_pages":${pages}}}`
  if (typeof data === 'string') return sendJson(reply, HEAD + data + tail)
  if (data instanceof Uint8Array) return sendJson(reply, Buffer.concat([HEAD_BYTES, data, Buffer.from(tail)]))
  return sendJson(reply, Readable.from(inPieces(data, tail), { objectMode: false })) // which reads ahead one piece, not sixteen
}

async function* inPieces(data: AsyncIterable<string | Uint8Array>, tail: string) {
  yield HEAD
  yield* data
  yield tail
}

export const One = <Data extends TSchema>(data: Data) => Type.Object({ success: Type.Boolean(), data })

export const OneTimed = <Data extends TSchema>(data: Data) =>
  Type.Object({
    success: Type.Boolean(),
    data,
    message: Type.String(),
    time: Type.Integer({ description: 'The server’s working time in whole milliseconds' }),
    timestamp: Type.String({ format: 'date-time' }),
    unix: Type.Integer({ description: 'The timestamp in seconds since 1970' }),
  })

export const Many = <Item extends TSchema>(item: Item) =>
  Type.Object({
    data: Type.Array(item),
    pagination: Type.Object({
      page: Type.Integer(),
      per_page: Type.Integer(),
      total: Type.Integer({ description: 'All matches, on whatever page' }),
      total_pages: Type.Integer(),
    }),
  })

/** §7 */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'A stable name of what went wrong' }),
    message: Type.String({ description: 'A sentence for a person' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'Error' },
)
