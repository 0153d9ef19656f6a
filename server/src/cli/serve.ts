import type { Command } from 'commander'
import { loadConfig } from '../config.ts'
import type { Context } from './context.ts'

export function serveCommand(program: Command, _context: Context): void {
  program
    .command('serve')
    .description('serve the API until SIGTERM')
    .action(async () => {
      const { serve } = await import('../serve.ts') // the server is loaded by the one command that needs it
      await serve(loadConfig())
    })
}
