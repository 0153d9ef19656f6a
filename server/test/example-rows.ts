import type { TSchema } from 'typebox'
import type { Resource } from '../src/resource/resource.ts'
import { RESOURCES } from '../src/resources/catalogue.ts'
import { imageRow } from './database/pictures.ts'
import type { Row } from './database/store.ts'

/** What `staff()` puts in, of which these rows are the first. */
const STAFF = ['venues', 'roles', 'users']

/** Rows of every resource, as lines of an import, ids from 1, each with the marker in its texts. `staff()` goes before them. */
export const exampleRows = (marker = 'Example', count = 3): Row[] =>
  RESOURCES.filter(({ table }) => !STAFF.includes(table)).flatMap((resource) =>
    Array.from({ length: count }, (_, index) => exampleRow(resource, index + 1, marker)),
  )

/** Optional members that rows have all the same: they carry the marker, or other rows need them. */
const TELLING = ['name', 'cid', 'price', 'quantity', 'product_id', 'system_type', 'document']

/** The members that a line must have, and those that tell rows apart. */
export function exampleRow(resource: Resource, id: number, marker: string): Row {
  const { kind, line } = resource
  if (kind === 'image') return imageRow(id)
  if (kind === 'menu_entry')
    return { kind, id: `product-${id}`, translations: { en: { name: `${marker} name ${id}` } } } // without a member it is none
  const pointers = new Map(resource.references({ id: 1 }).map(({ member, table }) => [member, table]))
  const { properties, required = [] } = line as unknown as { properties: Record<string, Member>; required?: string[] }
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || TELLING.includes(name))
  return {
    kind,
    ...Object.fromEntries(
      members.map(([name, schema]) => {
        const target = pointers.get(name)
        const pointed = STAFF.includes(target ?? '') ? 1 : id
        if (target !== undefined) return [name, schema.type === 'array' ? [pointed] : pointed]
        return [name, exampleOf(name, schema, id, marker)]
      }),
    ),
  }
}

type Member = TSchema & { type?: string; enum?: unknown[]; anyOf?: Member[]; format?: string; properties?: object }

function exampleOf(name: string, schema: Member, id: number, marker: string): unknown {
  const { type, enum: values, anyOf, format } = schema
  if (name === 'printer_kind') return 'virtual' // others need an address
  if (values) return values[Math.min(id, values.length) - 1]
  if (anyOf?.some((each) => each.type === 'null')) return null
  if (anyOf) return exampleOf(name, anyOf[0]!, id, marker)
  if (name === 'id' && format !== 'uuid') return type === 'string' ? String(id) : id
  if (name === 'before_amount' || name === 'before') return 0
  if (type === 'integer' || type === 'number') return id
  if (type === 'boolean') return true
  if (type === 'array') return []
  if (type === 'object') return {}
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z'
  if (format === 'date') return '2026-01-01'
  if (format === 'uuid' && name === 'cid') return `00000000-0000-4000-8001-${String(id).padStart(12, '0')}` // an order's, and no receipt's
  if (format === 'uuid' || name === 'cid') return `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
  return `${marker} ${name} ${id}`
}
