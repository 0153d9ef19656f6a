import type { RouteOptions } from 'fastify'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** E10: the server refuses to start if a writing route does not declare its events (`none` is allowed). */
export function requireEvents({ method, url, config }: RouteOptions): void {
  if ([method].flat().every((each) => READING.has(each))) return
  const { events } = config ?? {}
  if (events !== 'none' && !events?.length) throw new Error(`${method} ${url} declares no events`)
}
