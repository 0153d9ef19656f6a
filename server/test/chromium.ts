import { type Browser, chromium } from 'playwright-core'
import { programOf } from '../../scripts/packages.ts'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Debian's Chromium; `home` has its store of certificates. */
export const launchChromium = (home?: string): Promise<Browser> =>
  chromium.launch({
    executablePath: programOf('chromium'),
    args: FLAGS,
    ...(home !== undefined && { env: { ...process.env, HOME: home } }),
  })
