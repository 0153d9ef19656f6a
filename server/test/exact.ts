import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Asserts that a value is what a schema says, and has no member that the schema does not name. */
export function assertExactly(schema: TSchema, value: unknown): void {
  const [fault] = Value.Errors(schema, value)
  assert.equal(fault, undefined, `${fault?.instancePath} ${fault?.message}`)
  assert.deepEqual([...strangers(schema as Described, value, '')], [])
}

interface Described {
  properties?: Record<string, Described>
  items?: Described
  anyOf?: Described[]
}

function* strangers(schema: Described, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const { properties, items } = schema.anyOf?.[0] ?? schema
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* strangers(items!, item, `${path}/${index}`)
  else
    for (const [name, member] of Object.entries(value))
      if (properties?.[name]) yield* strangers(properties[name], member, `${path}/${name}`)
      else yield `${path}/${name}`
}
