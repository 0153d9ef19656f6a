import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { CommandError, type Context, printable } from './cli/context.ts'
import { ConfigError } from './config.ts'
import { Rejected } from './directory/registry.ts'
import { OutcomeUnknown, StoreFull, StoreUnavailable, UnusableDatabase } from './storage/database.ts'
import { WorkersFailed } from './supervise.ts'

/** The `comptoir` command. Sets the exit code; a mistake is one line on stderr, never a stack. */
export async function main(argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json')
  const context: Context = { json, out: process.stdout, err: process.stderr }
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit() // the reader, for example `head`, has closed the pipe
    process.stderr.write(`comptoir: the output could not be written: ${message}\n`)
    process.exit(1)
  })
  const words = argv.filter((word) => word !== '--json')
  try {
    const program = await commands(context, words)
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && /^commander\.(help|version)/.test(error.code)) {
      process.exitCode = error.exitCode // the help was the answer
      return
    }
    process.stderr.write(`comptoir: ${printable(sentence(error))}\n`)
    process.exitCode = 1
  }
}

type Register = (program: Command, context: Context) => void

/** Where each command is, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand,
  'migrate config': async () => (await import('./cli/maintenance.ts')).maintenanceCommands,
  'backup restore': async () => (await import('./cli/backup.ts')).backupCommands,
  audit: async () => (await import('./cli/audit.ts')).auditCommands,
  keys: async () => (await import('./cli/keys.ts')).keysCommands,
  events: async () => (await import('./cli/events.ts')).eventsCommands,
  webhooks: async () => (await import('./cli/webhooks.ts')).webhooksCommands,
  listen: async () => (await import('./cli/listen.ts')).listenCommand,
  printer: async () => (await import('./cli/printer.ts')).printerCommands,
  brand: async () => (await import('./cli/brand.ts')).brandCommands,
  customer: async () => (await import('./cli/customer.ts')).customerCommands,
  user: async () => (await import('./cli/user.ts')).userCommands,
  integrator: async () => (await import('./cli/integrator.ts')).integratorCommands,
  credentials: async () => (await import('./cli/credentials.ts')).credentialsCommands,
  operator: async () => (await import('./cli/operator.ts')).operatorCommands,
  import: async () => (await import('./cli/import.ts')).importCommand,
  export: async () => (await import('./cli/export.ts')).exportCommand,
  menu: async () => (await import('./cli/menu.ts')).menuCommands,
  demo: async () => (await import('./cli/demo.ts')).demoCommand,
  call: async () => (await import('./cli/call.ts')).callCommand,
  profile: async () => (await import('./cli/profile.ts')).profileCommands,
}

/** A command loads only its own modules, which halves the time of a short one; the help and a word that nobody knows need all of them. */
async function commands(context: Context, [word = '']: readonly string[]): Promise<Command> {
  const program = new Command('comptoir')
    .description('an open, self-hosted restaurant point-of-sale platform API')
    .version(manifest.version, '--version', 'print the version')
    .option('--json', 'print one JSON document, for programs; anywhere on the line')
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // said once, by main
    .showSuggestionAfterError(true)
  const all = Object.entries(COMMANDS)
  const own = all.filter(([words]) => words.split(' ').includes(word))
  for (const [, load] of own.length > 0 ? own : all) {
    const register = await load()
    register(program, context)
  }
  return program
}

const forPeople = [
  CommandError,
  Rejected,
  ConfigError,
  UnusableDatabase,
  StoreUnavailable,
  StoreFull,
  OutcomeUnknown,
  WorkersFailed,
]

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CommanderError) return message.replace(/^error: /, '').replaceAll('\n', ' ')
  return forPeople.some((kind) => error instanceof kind)
    ? message.replaceAll('\n', ' ')
    : `unexpected failure: ${message.split('\n')[0]}`
}
