import type { FastifyRequest } from 'fastify'
import { type Config, isLoopback, proxyBlocks } from '../../config.ts'
import { isTrusted, peerAddress, trustedProxies } from './address.ts'

const OF_PROXIES = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
]

/**
 * Whether a request comes from this machine and means this machine: only then does a secret that everybody knows count. What a proxy
 * on this machine hands on comes from anywhere, and a name that is not this machine's is a proxy's or a rebound one.
 */
export function isLocal({ COMPTOIR_TRUSTED_PROXIES }: Config, { raw, headers }: FastifyRequest): boolean {
  if (OF_PROXIES.some((name) => headers[name] !== undefined)) return false
  const peer = peerAddress(raw.socket)
  if (!isLoopback(peer) || isTrusted(trustedProxies(proxyBlocks(COMPTOIR_TRUSTED_PROXIES)), peer)) return false
  const named = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '' // a client may write anything there
  return isLoopback(named.replace(/^\[|\]$/g, ''))
}
