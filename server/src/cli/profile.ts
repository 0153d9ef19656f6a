import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Comptoir, Token, TokenStore } from '@comptoir/sdk'
import type { Command } from 'commander'
import { CLIENT_NAMES, type ClientSettings, clientSettings } from '../config.ts'
import { CommandError, type Context, printResult } from './context.ts'

interface ProfileOptions {
  url: string
  clientId: string
  brand: string
  integrator: string
  profile: string
}

/** The default file of a profile. */
export const PROFILE = join(home(), '.config', 'comptoir', 'profile.json')

/** The working folder, for an account that has none, as in a container with a user of its own. */
function home(): string {
  try {
    return homedir()
  } catch {
    return '.'
  }
}

export function profileCommands(program: Command, context: Context): void {
  const profile = program.command('profile').description('the server address and credentials of `comptoir call`')

  profile
    .command('set')
    .description('write a profile that only you can read; the secret is asked for, or is COMPTOIR_CLIENT_SECRET')
    .requiredOption('--url <address>', 'where the API is, its version included: https://pos.example.com/v2')
    .requiredOption('--client-id <id>', 'the credentials')
    .requiredOption('--brand <slug>', 'the brand')
    .requiredOption('--integrator <id>', 'the integrator')
    .option('--profile <file>', 'the file to write', PROFILE)
    .action(async ({ url, clientId, brand, integrator, profile: file }: ProfileOptions) => {
      const clientSecret = clientSettings().clientSecret ?? (await askSecret(context))
      const settings = { baseUrl: url, clientId, clientSecret, brand, integratorId: integrator }
      await connect(settings) // checks the settings before they are written
      write(file, settings)
      rmSync(tokenFile(file), { force: true }) // the tokens of the previous profile
      printResult(context, { profile: file }, `The profile is in ${file}.`)
    })
}

/** A client of the API: from the environment if all its variables are set, from the profile if none is; a mix is refused. */
export async function clientOf(file: string): Promise<Comptoir> {
  const given = clientSettings()
  const absent = Object.entries(CLIENT_NAMES).filter(([member]) => !Object.hasOwn(given, member))
  if (absent.length === 0) return connect(given as ClientSettings)
  if (Object.keys(given).length > 0)
    throw new CommandError(
      `Some client variables are missing: set ${absent.map(([, name]) => name).join(', ')} too, or none of them to use the profile`,
    )
  const settings = read<ClientSettings>(file)
  if (!settings) throw new CommandError(`There is no profile at ${file}: comptoir profile set makes it`)
  return connect(settings, keptBeside(file, settings))
}

async function connect(settings: ClientSettings, tokenStore?: TokenStore): Promise<Comptoir> {
  const { Comptoir } = await import('@comptoir/sdk') // here, so that no other command waits for it
  const kept = tokenStore && { tokenStore }
  try {
    return new Comptoir({ ...settings, ...kept, maxRetries: 2, pace: true }) // somebody is waiting, and --all may ask for many pages
  } catch (error) {
    throw new CommandError(`The client's settings: ${(error as Error).message}`)
  }
}

const tokenFile = (profile: string) => `${profile}.token`

/** Keeps the token from one run to the next, in a file as private as the profile. A changed profile signs in again. */
function keptBeside(profile: string, settings: ClientSettings): TokenStore {
  const file = tokenFile(profile)
  const client = createHash('sha256').update(JSON.stringify(settings)).digest('base64url')
  return {
    get() {
      const kept = read<{ client: string; token: Token }>(file)
      return kept?.client === client ? kept.token : undefined
    },
    set: (_key, token) => write(file, { client, token }),
    delete: () => rmSync(file, { force: true }),
  }
}

/** Reads a file that only its owner may read; undefined when there is none. */
function read<Content>(file: string): Content | undefined {
  try {
    const shared = (statSync(file).mode & 0o077) !== 0
    if (shared) throw new CommandError(`Others can read ${file}, and the secret is in it: chmod 600 ${file}`)
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof SyntaxError) throw new CommandError(`${file} is not a profile`) // its message would quote the file
    throw error instanceof CommandError
      ? error
      : new CommandError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Writes a file that only its owner can read, whole or not at all. */
function write(file: string, content: object): void {
  const temporary = `${file}.${process.pid}.new` // a file that is there would keep its mode
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

/** Asks on the terminal without showing what is typed. */
function askSecret({ err }: Context): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError('there is no terminal to ask for the secret: set COMPTOIR_CLIENT_SECRET')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  err.write('Client secret: ')
  return new Promise<string>((resolve, reject) => {
    terminal.once('close', () => reject(new CommandError('no secret was given'))) // Ctrl-C, Ctrl-D
    terminal.question('', (secret) => {
      resolve(secret)
      terminal.close()
    })
  }).finally(() => err.write('\n'))
}
