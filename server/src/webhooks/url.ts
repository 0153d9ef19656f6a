import { type BlockList, isIP } from 'node:net'
import { contains, plainAddress } from '../delivery/addresses.ts'

const MAX_LENGTH = 2_048
const RESERVED = ['localhost', 'local', 'internal', 'home.arpa']

/** W15: why an address cannot be one of an endpoint; undefined where it can. Reads it as it will be read when it is used. */
export function urlProblem(text: string, allowed: BlockList | undefined): string | undefined {
  if (text.length > MAX_LENGTH) return `has at most ${MAX_LENGTH} characters`
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hooks'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'must not have a username or a password'
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAllowed = allowed !== undefined && isIP(host) !== 0 && contains(allowed, plainAddress(host))
  const isPlain = url.protocol === 'http:' && allowed !== undefined // where it leads is checked when it is connected to
  if (url.protocol !== 'https:' && !isPlain) return 'must begin with https://'
  if (isAllowed) return undefined
  if (isIP(host) !== 0) return 'must have a name, not an address'
  const port = url.port === '' ? 443 : Number(url.port)
  if (!isPlain && port !== 443 && port < 1024) return 'must have the port 443, 8443 or one from 1024 on'
  const name = host.toLowerCase()
  const isName = name.includes('.') && !name.endsWith('.')
  if (!isName || RESERVED.some((end) => name === end || name.endsWith(`.${end}`)))
    return 'must have a name of the public DNS'
  return undefined
}
