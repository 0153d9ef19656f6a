import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { invalidParameter } from '../http/errors.ts'
import { validatorCompiler } from '../http/validate.ts'
import { type Problem, reader } from '../values/schema-reader.ts'
import { readId } from '../values/values.ts'

/** Bodies as everywhere; the few query strings here are plain members, read by their schema, and so are the texts in paths. */
export function backOfficeValidator(now: () => number): FastifySchemaCompiler<TSchema> {
  const everywhere = validatorCompiler(now)
  return (route) => (route.httpPart === 'body' ? everywhere(route) : textsValidator(route.schema, now))
}

function textsValidator(schema: TSchema, now: () => number) {
  const read = reader(schema, { now, nullIsAbsent: false })
  const { properties } = schema as { properties: Record<string, { type: string }> }
  return (texts: unknown) => {
    const given = { ...(texts as Record<string, unknown>) }
    for (const [name, value] of Object.entries(given))
      if (properties[name]?.type === 'integer') given[name] = readId(String(value)) ?? value
    const problems: Problem[] = []
    const value = read(given, problems)
    const [first] = problems
    return first ? { error: invalidParameter(first.field, `${first.field} ${first.explanation}.`) } : { value }
  }
}
