import type { Command } from 'commander'
import { isLoopback, loadConfig } from '../config.ts'
import { CommandError, type Context } from './context.ts'

export function serveCommand(program: Command, _context: Context): void {
  program
    .command('serve')
    .description('serve the API until SIGTERM')
    .option('--demo', 'fill an empty database with the demo restaurant first; on loopback only', false)
    .action(async ({ demo }: { demo: boolean }) => {
      const config = loadConfig()
      if (demo && !isLoopback(config.HOST))
        throw new CommandError(
          `--demo has secrets that everybody knows: it serves loopback only, not HOST ${config.HOST}`,
        )
      const { serve } = await import('../serve.ts') // the server is loaded by the one command that needs it
      await serve(config, demo)
    })
}
