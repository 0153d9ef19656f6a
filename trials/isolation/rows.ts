import type { Resource } from '../../server/src/resource/resource.ts'
import { RESOURCES } from '../../server/src/resources/catalogue.ts'
import type { Row } from '../../server/test/database/store.ts'
import { exampleRow } from '../../server/test/example-rows.ts'
import { cidOf } from '../harness/openapi.ts'

// Rows of every resource, made from its definition: one more resource has them without a line here.

/** Where a row stands, and what tells it from those of other brands and venues. */
export interface Place {
  id: number
  /** The id of rows of the brand that it points at. */
  brandWide: number
  venue_id: number
  user_id: number
  /** What every text of it begins with. */
  text: string
  /** Where it has no text. */
  number: number
  instant: string
}

interface Member {
  type?: string
  format?: string
  pattern?: string
  maxLength?: number
  'x-phone'?: boolean
}

/** The directory's rows are the same staff in every brand. */
const DIRECTORY = ['venues', 'roles', 'users']
export const TABLES: readonly Resource[] = RESOURCES.filter(({ table }) => !DIRECTORY.includes(table))
const NOBODYS_ROLE = 2

/** Members that stay as the example has them: a value of one brand alone would mean something, or be refused. */
const UNPUBLISHED = [
  'time_zone',
  'parent_id',
  'deleted_at',
  'closed_at',
  'done_at',
  'send_at',
  'paused_until',
  'until',
  'rate',
  'version',
  'shift_date',
  'before_amount',
]

/** The first row of a resource as an example, with texts, amounts and times of this place in every member that takes them. */
export function rowAt(resource: Resource, at: Place): Row {
  const pointers = new Map(resource.references({ id: 1 }).map(({ member, table }) => [member, table]))
  const row: Row = exampleRow(resource, 1, at.text)
  for (const [member, schema] of Object.entries(resource.line.properties as Record<string, Member>)) {
    const value = toldValue(member, schema, pointers.get(member), at)
    if (value !== undefined) row[member] = value
  }
  return { ...row, ...PECULIAR[resource.kind]?.(at) }
}

function toldValue(member: string, schema: Member, pointed: string | undefined, at: Place): unknown {
  if (member === 'reverses_id') return undefined // each document is reversed once, and by a later one
  if (pointed !== undefined && schema.type === 'string') return String(idIn(pointed, at))
  if (pointed !== undefined) return schema.type === 'array' ? undefined : idIn(pointed, at)
  if (member === 'id') return schema.format === 'uuid' ? cidOf(at.id) : schema.type === 'string' ? String(at.id) : at.id
  if (UNPUBLISHED.includes(member)) return undefined
  if (schema.type === 'number') return at.number
  if (schema.type === 'integer' && member.endsWith('_id')) return at.brandWide
  if (schema.type !== 'string' || schema.pattern) return undefined
  if (member === 'cid' || schema.format === 'uuid') return undefined
  if (schema.format === 'date') return undefined
  if (schema.format === 'date-time') return at.instant
  if (schema.format === 'idn-email') return `${at.text}${at.id}@example.com`
  if (schema['x-phone']) return `+994 50 ${at.number} ${at.id}`
  return `${at.text}${member} ${at.id}`.slice(0, schema.maxLength ?? 255)
}

/** The id that a pointer at this table holds. */
function idIn(table: string, { id, brandWide, venue_id, user_id }: Place): number {
  if (table === 'venues') return venue_id
  if (table === 'users') return user_id
  if (table === 'roles') return NOBODYS_ROLE
  return RESOURCES.find((each) => each.table === table)!.scope === 'venue' ? id : brandWide
}

/** True for the rows that every brand has. */
const isFirst = ({ id }: Place) => id < 100

/** What an example cannot know: what there is once in a brand or venue, and the lines of receipts. */
const PECULIAR: Readonly<Record<string, (at: Place) => object>> = {
  customer_group: (at) => ({ system_type: isFirst(at) ? 'default' : 'custom' }),
  customer: ({ id }) => ({ cid: cidOf(id) }),
  storage: (at) => ({ is_main: Number(at.venue_id !== 1 || isFirst(at)) }),
  cash_shift: ({ id }) => ({ number: id }),
  portion_move: () => ({ before: 0 }),
  order: ({ id }) => ({ cid: cidOf(id + 5_000), status: 'IGNORE' }), // one that waits would expire when it is read
  user: ({ text }) => ({ username: `${text}clerk` }),
  product: (at) => (isFirst(at) ? {} : { modifications: [variantOf(at)] }),
  receipt: (at) => ({
    cid: cidOf(at.id),
    status: 1,
    rule: 1,
    terms: { money_places: 2 },
    receipt_products: [lineOf(at)],
  }),
}

export const variantId = (id: number) => id + 100

const variantOf = ({ id, text, number }: Place) => ({
  id: variantId(id),
  name: `${text}variant`,
  barcode: `${text}variant`,
  price: number,
})

/** Sent to a station, with a ticket that has its id. */
const lineOf = ({ id, brandWide, text, number }: Place) => ({
  id,
  product_id: brandWide,
  station_id: brandWide,
  name: `${text}line`,
  count: 1,
  price: number,
  total: number,
  state: 'SENT',
  copied: {
    content: '',
    taxes: [],
    recipe: [],
    ticket_id: id,
    sold_by_weight: false,
    discountable: true,
    giftable: true,
    ignore_service_charge: false,
  },
})
