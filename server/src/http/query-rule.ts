import type { FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from './errors.ts'
import type { Verdict } from './in-order.ts'
import { unknownName } from './list-nearest.ts'
import { queryOf, readPairs } from './list-query.ts'

/** D2.2: a route whose schema has no query string takes none: a parameter is never ignored. */
export function queryRule() {
  const withQuery = new Set<string>()

  return {
    /** Fastify's onRoute. */
    learn({ method, url, schema }: RouteOptions): void {
      if (schema?.querystring) for (const each of [method].flat()) withQuery.add(`${each} ${url}`)
    },

    refuse({ method, pattern, url }: FastifyRequest): Verdict {
      const raw = queryOf(url)
      if (raw === '' || withQuery.has(`${method} ${pattern}`)) return undefined
      try {
        for (const { name } of readPairs(raw)) return unknownName(name, 'parameter', name, [])
        return undefined
      } catch (error) {
        if (error instanceof Refusal) return error // a name that cannot be decoded
        throw error
      }
    },
  }
}
