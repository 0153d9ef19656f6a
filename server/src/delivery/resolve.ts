import { Resolver } from 'node:dns/promises'

/** Asks for the addresses of a name in one family. */
export type Query = (name: string, family: 4 | 6) => Promise<readonly string[]>

const KEPT_MS = 60_000
const MAX_KEPT = 10_000
const NO_SUCH = new Set(['ENODATA', 'ENOTFOUND'])

export class UnknownName extends Error {}

const systemQuery = (): Query => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  return (name, family) => (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name))
}

/**
 * Every address of a name, both families, kept for a minute. An answer that failed in one family fails the name: what could not be
 * read could not be checked either (W16).
 */
export function nameResolver(query: Query = systemQuery()): (name: string) => Promise<readonly string[]> {
  const kept = new Map<string, { addresses: Promise<readonly string[]>; until: number }>()

  const ask = (name: string, family: 4 | 6) =>
    query(name, family).catch((error: NodeJS.ErrnoException) => {
      if (NO_SUCH.has(error.code ?? '')) return []
      throw new UnknownName(error.code ?? 'dns')
    })

  async function resolve(name: string): Promise<readonly string[]> {
    const addresses = (await Promise.all([ask(name, 4), ask(name, 6)])).flat()
    if (addresses.length === 0) throw new UnknownName('ENOTFOUND')
    return addresses
  }

  return (name) => {
    const now = performance.now()
    const known = kept.get(name)
    if (known && known.until > now) return known.addresses
    const addresses = resolve(name)
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!)
    kept.set(name, { addresses, until: now + KEPT_MS })
    addresses.catch(() => kept.delete(name)) // asked again by the next attempt
    return addresses
  }
}
