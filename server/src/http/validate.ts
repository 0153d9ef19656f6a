import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { type Problem, reader } from '../values/schema-reader.ts'
import { readId } from '../values/values.ts'
import { type Fault, invalidParameter, type Refusal, validationFailed } from './errors.ts'

const MOST_FAULTS = 100 // of a body that is all unknown members, the answer would otherwise be many times as long

const asFault = ({ field, rule, must }: Problem): Fault => ({ field, rule, message: `${field} ${must}.` })

/**
 * D1.4: null for an optional member of a body counts as absent.
 * For Fastify: path parameters and bodies are read by the schema of their route. Query strings have a language of their own
 * (list.ts) and headers are read where they are used, so the schemas of those only document.
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
    const [first, ...others] = problems.slice(0, MOST_FAULTS).map(asFault)
    return first ? { error: validationFailed([first, ...others]) } : { value }
  }
}

// D3.1: an id in a path.
function paramsValidator(schema: TSchema) {
  const { properties } = schema as { properties: Record<string, { type: string }> }
  const ids = Object.keys(properties).filter((name) => properties[name]!.type === 'integer')
  return (params: unknown): Validated => {
    const value = { ...(params as Record<string, string>) } as Record<string, unknown>
    for (const name of ids) {
      value[name] = readId(String(value[name]))
      if (value[name] === undefined)
        return { error: invalidParameter(name, `${name} is an integer from 1 to 2^53 − 1, in decimal digits.`) }
    }
    return { value }
  }
}
