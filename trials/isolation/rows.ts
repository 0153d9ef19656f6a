import type { Resource } from '../../server/src/resource/resource.ts'
import { RESOURCES } from '../../server/src/resources/catalogue.ts'
import type { Row } from '../../server/test/database/store.ts'
import { exampleRow } from '../../server/test/example-rows.ts'
import { cidOf } from '../harness/openapi.ts'

// Rows of every resource, made from its definition: one more resource has them without a line here.

/** Where a row stands, and what tells it from those of other brands and venues. */
export interface Place {
  id: number
  /** Id of the rows of the whole brand that this row points at. */
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

/** The directory's rows are the same staff in every brand, and a picture is public (M14). */
const DIRECTORY = ['venues', 'roles', 'users', 'images']
export const TABLES: readonly Resource[] = RESOURCES.filter(({ table }) => !DIRECTORY.includes(table))
const NOBODYS_ROLE = 2

/** Members that stay as the example has them: a value of one brand alone would mean something, or be refused. */
const UNPUBLISHED = [
  'time_zone',
  'parent_id',
  'deleted_at',
  'closed_at',
  'done_at',
  'erased_at',
  'send_at',
  'paused_until',
  'until',
  'rate',
  'version',
  'shift_date',
  'before_amount',
]

/** Makes an example row of a resource whose texts, amounts and times are all those of `place`. */
export function rowAt(resource: Resource, place: Place): Row {
  const pointers = new Map(resource.references({ id: 1 }).map(({ member, table }) => [member, table]))
  const row: Row = exampleRow(resource, 1, place.text)
  for (const [member, schema] of Object.entries(resource.line.properties as Record<string, Member>)) {
    const value = toldValue(member, schema, pointers.get(member), place)
    if (value !== undefined) row[member] = value
  }
  return { ...row, ...PECULIAR[resource.kind]?.(place) }
}

function toldValue(member: string, schema: Member, pointed: string | undefined, place: Place): unknown {
  if (member === 'reverses_id') return undefined // each document is reversed once, and by a later one
  if (pointed !== undefined && schema.type === 'string') return String(idIn(pointed, place))
  if (pointed !== undefined) return schema.type === 'array' ? undefined : idIn(pointed, place)
  if (member === 'id')
    return schema.format === 'uuid' ? cidOf(place.id) : schema.type === 'string' ? String(place.id) : place.id
  if (UNPUBLISHED.includes(member)) return undefined
  if (schema.type === 'number') return place.number
  if (schema.type === 'integer' && member.endsWith('_id')) return place.brandWide
  if (schema.type !== 'string' || schema.pattern) return undefined
  if (member === 'cid' || schema.format === 'uuid') return undefined
  if (schema.format === 'date') return undefined
  if (schema.format === 'date-time') return place.instant
  if (schema.format === 'idn-email') return `${place.text}${place.id}@example.com`
  if (schema['x-phone']) return `+994 50 ${place.number} ${place.id}`
  return `${place.text}${member} ${place.id}`.slice(0, schema.maxLength ?? 255)
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

/** Courses have the numbers 1 to 9 (T5): 1 in every brand, and those that one has alone after it. */
export const courseOf = (id: number) => (id < 100 ? id : id - 96)

/** What an example cannot know: what there is once in a brand or venue, and the lines of receipts. */
const PECULIAR: Readonly<Record<string, (place: Place) => object>> = {
  customer_group: (place) => ({ system_type: isFirst(place) ? 'default' : 'custom' }),
  customer: ({ id }) => ({ cid: cidOf(id) }),
  storage: (place) => ({ is_main: Number(place.venue_id !== 1 || isFirst(place)) }),
  cash_shift: ({ id }) => ({ number: id }),
  portion_move: () => ({ before: 0 }),
  course: ({ id, text }) => ({ id: courseOf(id), name: `${text}course` }),
  printer: ({ id }) => ({ address: `192.168.1.${id % 250}` }),
  print_route: () => ({ document: undefined }),
  menu_entry: ({ brandWide }) => ({ id: `product-${brandWide}`, alcohol: 5 }),
  order: ({ id }) => ({ cid: cidOf(id + 5_000), status: 'IGNORE' }), // one that waits would expire when it is read
  user: ({ text }) => ({ username: `${text}clerk` }),
  product: (place) => (isFirst(place) ? {} : { modifications: [variantOf(place)] }),
  receipt: (place) => ({
    cid: cidOf(place.id),
    status: 1,
    rule: 1,
    terms: { money_places: 2 },
    receipt_products: [lineOf(place)],
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
