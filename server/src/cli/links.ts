import { type Config, speaksTls } from '../config.ts'
import { lanHost, urlHost } from '../lan/names.ts'
import { CommandError } from './context.ts'

/** The pages of the back office that a one-time link leads to. */
type LinkedPage = 'invitation' | 'setup'

/**
 * How to write a link to a page; refuses an address before anything is made. The secret goes behind the #, which no browser sends
 * and no proxy logs.
 */
export function linkTo(page: LinkedPage, config: Config, origin: string | undefined): (token: string) => string {
  const host = urlHost(config.COMPTOIR_LAN ? lanHost(config) : config.HOST)
  const address = origin ?? `${speaksTls(config) ? 'https' : 'http'}://${host}:${config.PORT}`
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new CommandError(`--origin must be an address such as https://pos.example.com, not ${address}`)
  return (token) => `${new URL(address).origin}/back-office/${page}#${token}`
}
