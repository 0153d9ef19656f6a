import type { Resource } from '../../server/src/resource/resource.ts'
import type { Row } from '../../server/test/database/store.ts'
import { awayOf, BRANDS, idOf, type Names, namesOf, placeOf } from './neighbours.ts'
import { rowAt } from './rows.ts'

// What each list can be filtered by, with values that one brand has alone: those of the row that carries its names.

export interface Search {
  query: string
  /** Where the rows stand that it finds, if not at the first venue. */
  venue_id?: number
}

/** Whether it is a brand's turn to try this one: there is so much to ask that they share it, and change places each turn. */
export const isTurnOf = (brand: number, index: number, turn: number) => (index + brand + turn) % BRANDS.length === 0

/** Queries that find something in the brand with these names, and nothing in any other. */
export function searches(resource: Resource, names: Names): Search[] {
  const list = resource.list!
  const row = rowOf(resource, names)
  const filters = [...list.columns.values()].flatMap(({ name, type }): unknown[][] => {
    const value = row[name]
    if (name === 'venue_id' || !tells(resource, name)) return []
    if (name === 'id')
      return [
        [name, value],
        [name, 'in', [value]],
      ]
    const part = whereOf(resource, names).text.trim()
    return type === 'text'
      ? [
          [name, value],
          [name, 'like', part],
        ]
      : [[name, value]]
  })
  const { instant, venue_id } = names
  const there = resource.table === 'venues' ? { venue_id } : {}
  const queries: Search[] = filters.map((filter) => ({ query: filtered(filter), ...there }))
  if (list.date) queries.push({ query: `?date[0]=${instant}&date[1]=${instant}` })
  return list.ofVenues ? [...queries, { query: filtered(['venue_id', venue_id]), venue_id }] : queries
}

const filtered = (filter: unknown[]) => `?filters=${encodeURIComponent(JSON.stringify([filter]))}`

/** Where the row that carries the names stands. */
const whereOf = ({ table }: Resource, names: Names) => (table === 'venues' ? awayOf(names) : placeOf(names))

/** As a line of an import has it, and with what only the list calls so. */
function rowOf(resource: Resource, names: Names): Row {
  const row = rowAt(resource, { ...whereOf(resource, names), id: idOf(resource, names) })
  return resource.kind === 'product' ? { ...row, parent_id: names.id } : row
}

/** Whether a member has another value in each brand. */
function tells(resource: Resource, member: string): boolean {
  const values = BRANDS.map((brand) => rowOf(resource, namesOf(brand))[member])
  return values[0] !== undefined && new Set(values.map((value) => JSON.stringify(value))).size === values.length
}
