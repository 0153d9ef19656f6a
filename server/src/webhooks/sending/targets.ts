import type { BlockList } from 'node:net'
import { type Config, isLoopback, proxyBlocks } from '../../config.ts'
import { blockList } from '../../delivery/addresses.ts'
import { guardedAgents } from '../../delivery/guarded-agent.ts'
import { ownAddresses } from '../../delivery/own-addresses.ts'
import { nameResolver } from '../../delivery/resolve.ts'
import { type Post, poster } from './attempt.ts'

// W15 to W17: where a brand's endpoints may be.

const CONNECT_MS = 3_000
const MAX_SOCKETS_PER_HOST = 64
const LOOPBACK = ['127.0.0.0/8', '::1']

export interface Targets {
  /** What an operator allows beyond the public internet; undefined: nothing. */
  allowedFor(brand: string): BlockList | undefined
  postFor(brand: string): Post
  close(): void
}

/** `demo`: the brand of `serve --demo` on loopback, which may send to loopback. */
export function webhookTargets(config: Config, now: () => number, demo?: string): Targets {
  const blocks = proxyBlocks(config.COMPTOIR_WEBHOOK_ALLOW)
  const resolve = nameResolver()
  const ours = ownAddresses([config.DATABASE_URL, config.REDIS_URL])
  const targetsOf = (allowed: readonly string[]) => {
    const list = blockList(allowed)
    const agents = guardedAgents({
      resolve,
      allowance: async () => ({ allowed: list, ours: await ours() }),
      connectMs: CONNECT_MS,
      maxSocketsPerHost: MAX_SOCKETS_PER_HOST,
    })
    return { list: allowed.length > 0 ? list : undefined, agents, post: poster(agents, now) }
  }
  const usual = targetsOf(blocks)
  const isDemoAllowed = demo !== undefined && isLoopback(config.HOST)
  const loopback = isDemoAllowed ? targetsOf([...blocks, ...LOOPBACK]) : usual
  const forBrand = (brand: string) => (brand === demo ? loopback : usual)
  return {
    allowedFor: (brand) => forBrand(brand).list,
    postFor: (brand) => forBrand(brand).post,
    close() {
      for (const { agents } of new Set([usual, loopback])) for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
