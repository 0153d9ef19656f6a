import type { FastifyInstance } from 'fastify'

/** Which methods an address knows, so that a wrong one is told from a wrong address (§7, D5.5). */
export function knownMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: { segments: string[]; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ segments: url.split('/'), methods: [method].flat() })
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
