import type { TSchema } from 'typebox'
import type { Reference, Resource } from '../resource.ts'

// The lines of an export: what one names comes before it, and equal rows have equal bytes.

type Id = NonNullable<Reference['id']>

interface Line {
  readonly id: Id
  readonly text: string
  readonly follows: readonly Id[]
}

/** Makes the lines of one kind of the JSON objects of its rows, which come by id. */
export function exportLines({ kind, line: schema, idOf, follows }: Resource) {
  const inOrder = orderOf(schema)
  /** Lines that wait for one that they name and that is not written yet (P16: it may have the higher id). */
  const held = new Map<Id, Line>()
  const waiting = new Map<Id, Line[]>()
  let last: Id

  const isMissing = (id: Id) => held.has(id) || id > last

  function lineOf(object: string): Line {
    const row = JSON.parse(object)
    const id = idOf(row)
    return {
      id,
      text: `${JSON.stringify({ kind, ...(inOrder ? (inOrder(row) as object) : row) })}\n`,
      follows: follows(row).filter((to) => to !== undefined && to !== id) as Id[],
    }
  }

  /** Writes a line, and those that waited for it alone. */
  function write(first: Line, lines: string[]): void {
    const next = [first]
    for (let line = next.pop(); line; line = next.pop()) {
      held.delete(line.id)
      lines.push(line.text)
      const freed = waiting.get(line.id) ?? []
      waiting.delete(line.id)
      next.push(...freed.filter((each) => held.has(each.id) && !wait(each)).reverse())
    }
  }

  function wait(line: Line): boolean {
    const missing = line.follows.find(isMissing)
    if (missing === undefined) return false
    held.set(line.id, line)
    waiting.set(missing, [...(waiting.get(missing) ?? []), line])
    return true
  }

  return {
    /** The lines that can be written now that these rows were read. */
    add(objects: readonly string[]): string {
      const lines: string[] = []
      for (const object of objects) {
        const line = lineOf(object)
        last = line.id
        if (!wait(line)) write(line, lines)
      }
      return lines.join('')
    },
    /** The lines that are left: they name one another, or a row that does not exist. */
    rest(): string {
      const lines: string[] = []
      for (const line of held.values()) write(line, lines)
      return lines.join('')
    },
  }
}

type InOrder = (value: unknown) => unknown

/** Puts the members of objects into the schema's order; undefined where there are none. */
function orderOf(schema: TSchema): InOrder | undefined {
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, TSchema>
    items?: TSchema
    anyOf?: TSchema[]
  }
  if (anyOf) return anyOf.map(orderOf).find((inOrder) => inOrder !== undefined)
  if (items) {
    const each = orderOf(items)
    return each && ((value) => (Array.isArray(value) ? value.map(each) : value))
  }
  if (!properties) return undefined
  const members = Object.entries(properties).map(([name, member]) => ({ name, inOrder: orderOf(member) }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const given = value as Record<string, unknown>
    const ordered: Record<string, unknown> = {}
    for (const { name, inOrder } of members)
      if (given[name] !== undefined) ordered[name] = inOrder ? inOrder(given[name]) : given[name]
    return { ...ordered, ...Object.fromEntries(Object.entries(given).filter(([name]) => !(name in ordered))) }
  }
}
