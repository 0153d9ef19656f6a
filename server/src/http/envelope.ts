import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { instantOf } from '../values/values.ts'
import { JSON_TYPE } from './body.ts'

// §2.1: the shapes that answers come in, put around texts that are stored ready, and the schemas that describe them.

/** A handler returns what it gets here: Fastify sends it, which costs a promise less than to send it and return the reply. */
export function asJson<Text extends string | Buffer | Readable>(reply: FastifyReply, text: Text): Text {
  reply.header('content-type', JSON_TYPE)
  return text
}

/** One resource, whose text is given. */
export const one = (data: string) => `{"success":true,"data":${data}}`

/** One resource that was written (P2). `message` is ours and needs no escape. */
export const oneWritten = (data: string, message: string) => `{"success":true,"data":${data},"message":"${message}"}`

/** One resource and when it was answered (D3.3). `message` is ours and needs no escape. */
export function oneTimed(reply: FastifyReply, data: string, message: string, nowMs: number): string {
  const [time, unix] = [Math.round(reply.elapsedTime), Math.floor(nowMs / 1000)]
  return `{"success":true,"data":${data},"message":"${message}","time":${time},"timestamp":"${instantOf(nowMs)}","unix":${unix}}`
}

/** How many rows there are in all, or, on a walk (P3), where it goes on: null after the last row. */
export type Extent = { readonly total: number } | { readonly next: string | null }

/**
 * One page of a list: the texts of its objects with commas between, as the database joined them, and its extent. A page that may be too
 * large for memory comes in pieces. Bytes are given away: they cannot be read once they were sent.
 */
export type Page = Extent & { readonly data: string | Uint8Array<ArrayBuffer> | AsyncIterable<string | Uint8Array> }

/** How a list is answered: as the specification has it (§2.1), or as all the others are (P2). */
export type ListEnvelope = 'specified' | 'new'

const HEADS: Readonly<Record<ListEnvelope, string>> = { specified: '{"data":[', new: '{"success":true,"data":[' }

export function asPage(
  reply: FastifyReply,
  envelope: ListEnvelope,
  { page, limit }: { page: number; limit: number },
  { data, ...extent }: Page,
): string | Buffer | Readable {
  const place = { page, limit }
  if (typeof data === 'string') return asJson(reply, pageText(envelope, place, data, extent))
  const [head, tail] = [HEADS[envelope], tailOf(envelope, place, extent)]
  if (data instanceof Uint8Array) return asJson(reply, enclosed(head, data, tail))
  return asJson(reply, enclosedParts(head, data, tail))
}

/** The text of such a page. */
export const pageText = (
  envelope: ListEnvelope,
  place: { page: number; limit: number },
  data: string,
  extent: Extent,
): string => HEADS[envelope] + data + tailOf(envelope, place, extent)

const tailOf = (envelope: ListEnvelope, { page, limit }: { page: number; limit: number }, extent: Extent) =>
  `]${totalOf(envelope, extent)},"pagination":${paginationOf(page, limit, extent)}}`

/** An answer that is sent piece by piece. */
export const enclosedParts = (head: string, data: AsyncIterable<string | Uint8Array>, tail: string) =>
  Readable.from(inPieces(head, data, tail), { objectMode: false }) // which reads ahead one piece, not sixteen

/** Takes the memory of the page over: left to the garbage collector, tens of kilobytes for each answer cost time. */
function enclosed(head: string, data: Uint8Array<ArrayBuffer>, tail: string): Buffer {
  const end = head.length + data.length
  const isAlone = data.length === data.buffer.byteLength // small ones share theirs
  const bytes = Buffer.from((isAlone ? data : new Uint8Array(data)).buffer.transfer(end + tail.length))
  bytes.copyWithin(head.length, 0, end - head.length)
  bytes.write(head, 'latin1')
  bytes.write(tail, end, 'latin1')
  return bytes
}

const totalOf = (envelope: ListEnvelope, extent: Extent) =>
  envelope === 'new' && 'total' in extent ? `,"total":${extent.total}` : ''

function paginationOf(page: number, limit: number, extent: Extent): string {
  if ('next' in extent) return `{"per_page":${limit},"next":${JSON.stringify(extent.next)}}`
  const { total } = extent
  return `{"page":${page},"per_page":${limit},"total":${total},"total_pages":${Math.ceil(total / limit)}}`
}

/** P2: a list without pages. */
export const all = (texts: readonly string[]) => `{"success":true,"data":[${texts.join(',')}],"total":${texts.length}}`

async function* inPieces(head: string, data: AsyncIterable<string | Uint8Array>, tail: string) {
  yield head
  yield* data
  yield tail
}

export const One = <Data extends TSchema>(data: Data) => Type.Object({ success: Type.Boolean(), data })

export const OneWritten = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Boolean(), data, message: Type.String() })

export const OneTimed = <Data extends TSchema>(data: Data) =>
  Type.Object({
    success: Type.Boolean(),
    data,
    message: Type.String(),
    time: Type.Integer({ description: 'The server’s working time in whole milliseconds' }),
    timestamp: Type.String({ format: 'date-time' }),
    unix: Type.Integer({ description: 'The timestamp in seconds since 1970' }),
  })

/** One schema for pages and for walks (P3): generated clients cannot read a member of a union. */
const Pagination = Type.Object(
  {
    page: Type.Optional(Type.Integer({ description: 'Absent on a walk with `after`' })),
    per_page: Type.Integer(),
    total: Type.Optional(Type.Integer({ description: 'All matches, on whatever page; absent on a walk' })),
    total_pages: Type.Optional(Type.Integer({ description: 'Absent on a walk' })),
    next: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'On a walk only: what `after` is next; null after the last row',
      }),
    ),
  },
  { $id: 'Pagination', 'x-present': ['page', 'total', 'total_pages'] },
)
/** What a page says; a walk has `next` instead. */
export type Pagination = Required<Omit<Static<typeof Pagination>, 'next'>>

/** §2.1, P2. `total` is absent on a walk. */
export const Many = <Item extends TSchema>(item: Item, envelope: ListEnvelope) => {
  if (envelope === 'specified') return Type.Object({ data: Type.Array(item), pagination: Pagination })
  const total = Type.Optional(Type.Integer({ description: 'All matches; absent on a walk with `after`' }))
  return Type.Object({ success: Type.Boolean(), data: Type.Array(item), total, pagination: Pagination })
}

/** P2: a list without pages. */
export const All = <Item extends TSchema>(item: Item) =>
  Type.Object({ success: Type.Boolean(), data: Type.Array(item), total: Type.Integer() })

/** §7 */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'A stable name of what went wrong' }),
    message: Type.String({ description: 'A sentence for a person' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'Error' },
)
