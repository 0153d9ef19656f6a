import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { finished } from 'node:stream/promises'
import { exported, once } from '../data.ts'
import { ask } from '../processes.ts'
import type { Requests } from './comptoir.ts'

// The rows of the demo for systems that have tables of their own: one for each kind, what is nested as JSON.

export type ColumnType = 'string' | 'text' | 'integer' | 'float' | 'boolean' | 'json'

const NESTED = {
  modifications: 'json',
  modificator_groups: 'json',
  recipe: 'json',
  packages: 'json',
  taxes: 'json',
  tags: 'json',
} as const

/** Names that a system keeps for itself (id, created_at, updated_at) are not among them. */
export const TABLES: Record<'customer' | 'product' | 'receipt', Record<string, ColumnType>> = {
  customer: {
    name: 'string',
    email: 'string',
    phone: 'string',
    cid: 'string',
    group_id: 'integer',
    gender: 'integer',
    date_of_birth: 'string',
    balance: 'json',
    cashback_balance: 'json',
  },
  product: {
    name: 'string',
    type: 'string',
    full_name: 'text',
    price: 'float',
    cost_price: 'float',
    has_modifications: 'boolean',
    ...NESTED,
  },
  receipt: {
    venue_id: 'integer',
    cid: 'string',
    user_id: 'integer',
    terminal_id: 'integer',
    source: 'string',
    customer_id: 'integer',
    sale_type_id: 'integer',
    lock: 'boolean',
    total: 'float',
    subtotal: 'float',
    payment_methods: 'json',
    fiscal_id: 'string',
    discount_type: 'integer',
    discount_value: 'float',
    service_charge: 'float',
    delivery_fee: 'float',
    order_status: 'string',
    order_number: 'string',
    closed_at: 'string',
  },
}
export type Kind = keyof typeof TABLES
export const KINDS = Object.keys(TABLES) as Kind[]

export type Value = string | number | null
export interface Row {
  kind: Kind
  id: number
  values: Value[]
}

/** The rows in a cached file: receipts and customers as exported, products as GET /products lists them (variants are rows there). */
export const rowsFile = (scale: number, url: string, { page }: Requests) =>
  once(`rows-${scale}.ndjson`, async (path) => {
    const file = createWriteStream(path)
    for await (const line of createInterface({ input: createReadStream(await exported(scale)) }))
      if (line.startsWith('{"kind":"receipt"') || line.startsWith('{"kind":"customer"')) file.write(`${line}\n`)
    for (let number = 1; ; number++) {
      const { body } = await ask(url, { ...page!, path: `/v2/products?limit=100&page=${number}` })
      const { data } = JSON.parse(body) as { data: object[] }
      if (data.length === 0) break
      for (const product of data) file.write(`${JSON.stringify({ kind: 'product', ...product })}\n`)
    }
    await finished(file.end())
  })

export async function* rowsOf(file: string): AsyncGenerator<Row> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { kind, id, ...row } = JSON.parse(line) as { kind: string; id: number | string } & Record<string, unknown>
    const columns = TABLES[kind as Kind]
    if (columns)
      yield { kind: kind as Kind, id: Number(id), values: Object.keys(columns).map((name) => stored(row[name])) }
  }
}

function stored(value: unknown): Value {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value)
}
