import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { withFreshDeadline } from '../../http/edge/deadline.ts'
import type { Page } from '../../http/envelope.ts'
import { parseList } from '../../lists/list.ts'
import type { Owner, Reader } from '../../resource/read/page.ts'
import type { Resource } from '../../resource/resource.ts'
import type { Database } from '../../storage/database.ts'
import { csvLines } from '../reports/csv.ts'

// A list as a file: all rows that its filters leave, in the list's own order, read in steps so that no more than one is in memory.

const ROWS_A_STEP = 200
/** The same for rows that hold others. */
const HEAVY_ROWS_A_STEP = 25

interface Reading {
  readonly db: Database
  readonly reader: Database | Reader
  readonly venue_id: number
  readonly rawQuery: string
  readonly ownerOf: () => Owner
}

/** Answers with the file; a query that cannot be read, and a store that fails at once, are refused as those of the list are. */
export async function sendCsv(reply: FastifyReply, resource: Resource, reading: Reading): Promise<Readable> {
  const columns = Object.keys(resource.wire.properties)
  const steps = stepsOf(resource, reading)
  const first = await steps.next()
  reply.header('content-type', 'text/csv; charset=utf-8; header=present')
  reply.header('content-disposition', `attachment; filename="${resource.name.many}.csv"`)
  async function* lines() {
    yield csvLines([columns])
    for (let step = first; !step.done; step = await steps.next()) yield linesOf(columns, step.value)
  }
  return Readable.from(lines(), { objectMode: false })
}

async function* stepsOf(resource: Resource, reading: Reading): AsyncGenerator<object[]> {
  const { db, reader, venue_id, rawQuery, ownerOf } = reading
  const list = resource.list!
  const limit = Math.min(resource.heavy ? HEAVY_ROWS_A_STEP : ROWS_A_STEP, list.maxLimit)
  // The page's own place and order are left out: a walk has another.
  const query = new URLSearchParams(rawQuery)
  for (const name of [...query.keys()]) if (/^(page|limit|sort)\b/.test(name)) query.delete(name)
  query.set('limit', String(limit))
  let place: [string, string] = ['after', '']
  for (let page = 1; ; page++) {
    const asked = parseList(list, String(new URLSearchParams([...query, place])), venue_id)
    const read = async () => {
      const owner = ownerOf()
      if (page === 1) await resource.checkOwn(reader, owner, asked.own)
      return resource.readList(reader, owner, asked)
    }
    const answer = await (page === 1 ? read() : withFreshDeadline(db, read))
    yield JSON.parse(`[${await textOf(answer.data)}]`) as object[]
    if ('next' in answer) {
      if (answer.next === null) return
      place = ['after', answer.next]
    } else {
      if (page * limit >= answer.total) return
      place = ['page', String(page + 1)] // a list that is not walked
    }
  }
}

async function textOf(data: Page['data']): Promise<string> {
  if (typeof data === 'string') return data
  if (data instanceof Uint8Array) return Buffer.from(data).toString()
  const parts: Uint8Array[] = []
  for await (const part of data) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString()
}

/** Nested members are JSON in their cell. */
const linesOf = (columns: readonly string[], rows: readonly object[]) =>
  csvLines(
    rows.map((row) =>
      columns.map((column) => {
        const value = (row as Record<string, unknown>)[column] ?? null
        return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string)
      }),
    ),
  )
