import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { definedOnly } from '../values/defined-only.ts'
import { type Problem, reader } from '../values/schema-reader.ts'
import { isSoundText, readId } from '../values/values.ts'
import { fieldProblem, invalidParameter, type Refusal, validationFailed } from './errors.ts'

const MAX_PROBLEMS = 100 // otherwise a body of unknown members would get a response many times its size

/** D4.3: the refusal of a body with these problems; undefined when there are none. */
export function refusalOf(problems: readonly Problem[]): Refusal | undefined {
  const [first, ...others] = problems.slice(0, MAX_PROBLEMS).map(({ field, rule, explanation, maximum }) => ({
    ...fieldProblem(field, rule, explanation),
    ...definedOnly({ maximum }),
  }))
  return first && validationFailed([first, ...others])
}

/**
 * Fastify reads path parameters and bodies by the schema of their route. The schemas of query strings and headers only document them:
 * list.ts reads query strings, and each header is read where it is used. D1.4: null for an optional member of a body counts as absent.
 */
export const validatorCompiler =
  (now: () => number): FastifySchemaCompiler<TSchema> =>
  ({ schema, httpPart }) => {
    if (httpPart === 'body') return bodyValidator(reader(schema, { now, nullIsAbsent: true }))
    if (httpPart === 'params') return paramsValidator(schema)
    return () => true
  }

type Validated = { value: unknown } | { error: Refusal }

function bodyValidator(read: (value: unknown, problems: Problem[]) => unknown) {
  return (body: unknown): Validated => {
    const problems: Problem[] = []
    const value = read(body, problems)
    const error = refusalOf(problems)
    return error ? { error } : { value }
  }
}

// D3.1: ids in a path.
function paramsValidator(schema: TSchema) {
  const { properties } = schema as { properties: Record<string, { type: string }> }
  const ids = Object.keys(properties).filter((name) => properties[name]!.type === 'integer')
  return (params: unknown): Validated => {
    const value = { ...(params as Record<string, string>) } as Record<string, unknown>
    for (const [name, text] of Object.entries(value))
      if (!isSoundText(String(text)))
        return { error: invalidParameter(name, `${name} holds a NUL or half a surrogate pair.`) }
    for (const name of ids) {
      value[name] = readId(String(value[name]))
      if (value[name] === undefined)
        return { error: invalidParameter(name, `${name} is an integer from 1 to 2^53 − 1, in decimal digits.`) }
    }
    return { value }
  }
}
