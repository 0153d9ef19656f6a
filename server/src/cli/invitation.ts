import type { Config } from '../config.ts'
import { CommandError } from './context.ts'

/**
 * How to write the page of an invitation; refuses an address before anybody is invited. The secret goes behind the #, which no
 * browser sends and no proxy logs.
 */
export function invitationLink(
  { HOST, PORT, COMPTOIR_TLS_CERT }: Config,
  origin: string | undefined,
): (token: string) => string {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  const address = origin ?? `${COMPTOIR_TLS_CERT === undefined ? 'http' : 'https'}://${host}:${PORT}`
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new CommandError(`--origin must be an address such as https://pos.example.com, not ${address}`)
  return (token) => `${new URL(address).origin}/back-office/invitation#${token}`
}
