import { lookup } from 'node:dns/promises'
import { type BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { blockList } from './addresses.ts'

const KEPT_MS = 60_000

/** The addresses of this machine and of its stores (W16), asked for once a minute. */
export function ownAddresses(storeUrls: readonly (string | undefined)[]): () => Promise<BlockList> {
  const hosts = storeUrls.flatMap((url) =>
    url && URL.canParse(url) ? [new URL(url).hostname.replace(/^\[|\]$/g, '')] : [],
  )
  let held: { list: Promise<BlockList>; until: number } | undefined

  async function read(): Promise<BlockList> {
    const interfaces = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))
    const stores = await Promise.all(
      hosts.filter(Boolean).map(async (host) => {
        if (isIP(host)) return [host]
        return (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address)
      }),
    )
    return blockList([...interfaces, ...stores.flat()].map((address) => address.split('%')[0]!))
  }

  return () => {
    const now = performance.now()
    if (!held || held.until < now) held = { list: read(), until: now + KEPT_MS }
    return held.list
  }
}
