import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Comptoir } from '@comptoir/sdk'
import type { Command } from 'commander'
import { type ClientSettings, clientSettings } from '../config.ts'
import { answer, type Context, Usage } from './context.ts'

interface Given {
  url: string
  clientId: string
  brand: string
  integrator: string
  profile: string
}

/** Where a profile is kept unless told. */
export const PROFILE = join(homedir(), '.config', 'comptoir', 'profile.json')

export function profileCommands(program: Command, context: Context): void {
  const profile = program.command('profile').description('whom `comptoir call` calls, and as whom')

  profile
    .command('set')
    .description('write a profile that only you can read; the secret is asked for, or is COMPTOIR_CLIENT_SECRET')
    .requiredOption('--url <address>', 'where the API is, its version included: https://pos.example.com/v2')
    .requiredOption('--client-id <id>', 'the credentials')
    .requiredOption('--brand <slug>', 'the brand')
    .requiredOption('--integrator <id>', 'the integrator')
    .option('--profile <file>', 'the file to write', PROFILE)
    .action(async ({ url, clientId, brand, integrator, profile: file }: Given) => {
      const clientSecret = clientSettings().clientSecret ?? (await askSecret(context))
      const settings = { baseUrl: url, clientId, clientSecret, brand, integratorId: integrator }
      await connect(settings) // what no client accepts is not written
      write(file, settings)
      answer(context, { profile: file }, `The profile is in ${file}.`)
    })
}

/** A client of the API that a profile names; what the environment says goes before it. */
export async function clientOf(file: string): Promise<Comptoir> {
  const settings = { ...read(file), ...clientSettings() }
  if (Object.keys(settings).length === 0)
    throw new Usage(`There is no profile at ${file}: comptoir profile set makes it`)
  return connect(settings as ClientSettings)
}

async function connect(settings: ClientSettings): Promise<Comptoir> {
  const { Comptoir } = await import('@comptoir/sdk') // here, so that no other command waits for it
  try {
    return new Comptoir({ ...settings, maxRetries: 2, pace: true }) // somebody is waiting, and --all may ask for many pages
  } catch (error) {
    throw new Usage(`The client's settings: ${(error as Error).message}`)
  }
}

function read(file: string): Partial<ClientSettings> {
  try {
    const shared = (statSync(file).mode & 0o077) !== 0
    if (shared) throw new Usage(`Others can read ${file}, and the secret is in it: chmod 600 ${file}`)
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if (error instanceof SyntaxError) throw new Usage(`${file} is not a profile`) // its message would quote the file
    throw error instanceof Usage ? error : new Usage(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function write(file: string, settings: ClientSettings): void {
  const draft = `${file}.${process.pid}.new` // a file that is there would keep its mode
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    throw new Usage(`${file} cannot be written: ${(error as Error).message}`)
  }
}

/** Asks on the terminal, where what is typed does not show. */
function askSecret({ err }: Context): Promise<string> {
  if (!process.stdin.isTTY) throw new Usage('there is no terminal to ask for the secret: set COMPTOIR_CLIENT_SECRET')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  err.write('Client secret: ')
  return new Promise<string>((resolve, reject) => {
    terminal.once('close', () => reject(new Usage('no secret was given'))) // Ctrl-C, Ctrl-D
    terminal.question('', (secret) => {
      resolve(secret)
      terminal.close()
    })
  }).finally(() => err.write('\n'))
}
