import { Command, CommanderError } from 'commander'
import { auditCommands } from './cli/audit.ts'
import { brandCommands } from './cli/brand.ts'
import { callCommand } from './cli/call.ts'
import { CommandError, type Context, printable } from './cli/context.ts'
import { credentialsCommands } from './cli/credentials.ts'
import { demoCommand } from './cli/demo.ts'
import { eventsCommands } from './cli/events.ts'
import { exportCommand } from './cli/export.ts'
import { importCommand } from './cli/import.ts'
import { integratorCommands } from './cli/integrator.ts'
import { keysCommands } from './cli/keys.ts'
import { maintenanceCommands } from './cli/maintenance.ts'
import { operatorCommands } from './cli/operator.ts'
import { profileCommands } from './cli/profile.ts'
import { serveCommand } from './cli/serve.ts'
import { userCommands } from './cli/user.ts'
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
    await commands(context).parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && /^commander\.(help|version)/.test(error.code)) {
      process.exitCode = error.exitCode // the help was the answer
      return
    }
    process.stderr.write(`comptoir: ${printable(sentence(error))}\n`)
    process.exitCode = 1
  }
}

function commands(context: Context): Command {
  const program = new Command('comptoir')
    .description('an open, self-hosted restaurant point-of-sale platform API')
    .option('--json', 'print one JSON document, for programs; anywhere on the line')
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // said once, by main
    .showSuggestionAfterError(true)
  for (const add of [serveCommand, maintenanceCommands, auditCommands, keysCommands, eventsCommands])
    add(program, context)
  for (const add of [brandCommands, userCommands, integratorCommands, credentialsCommands, operatorCommands])
    add(program, context)
  for (const add of [importCommand, exportCommand, demoCommand]) add(program, context)
  for (const add of [callCommand, profileCommands]) add(program, context)
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
