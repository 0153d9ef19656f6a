import type { FastifyRequest } from 'fastify'
import { Refusal } from '../http/errors.ts'
import { unknownName } from './nearest.ts'
import { queryOf, readPairs } from './query.ts'

/** D2.2: a route whose schema has no query string takes none: a parameter is never ignored. */
export function refuseUnknownQuery({ call, url }: FastifyRequest): Refusal | undefined {
  if (call.takesQuery) return undefined
  const raw = queryOf(url)
  if (raw === '') return undefined
  try {
    for (const { name } of readPairs(raw)) return unknownName(name, 'parameter', name, [])
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error // a name that cannot be decoded
    throw error
  }
}
