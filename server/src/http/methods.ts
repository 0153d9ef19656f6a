import type { FastifyInstance } from 'fastify'
import { methodNotAllowed, notFound, type Refusal } from './errors.ts'

/** The methods of an address; none where it is unknown. */
export type KnownMethods = (url: string) => string[]

/** The methods of an address: a wrong method is 405, a wrong address 404 (§7, D5.5). */
export function knownMethods(app: FastifyInstance): KnownMethods {
  const routes: { segments: string[]; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const methods = [method].flat()
    routes.push({ segments: url.split('/'), methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods })
  })
  return (url) => {
    const path = url.split('?', 1)[0]!.split('/')
    const matching = routes.filter(
      ({ segments }) =>
        segments.length === path.length &&
        segments.every((name, i) => name === path[i] || (name.startsWith(':') && path[i])),
    )
    return matching.flatMap(({ methods }) => methods)
  }
}

/** 405 where the address answers other methods, else 404. */
export function unknownAddress(methodsOf: KnownMethods, url: string): Refusal {
  const allowed = methodsOf(url)
  return allowed.length > 0 ? methodNotAllowed(allowed) : notFound()
}
