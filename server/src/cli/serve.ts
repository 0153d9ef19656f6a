import { fork } from 'node:child_process'
import type { Command } from 'commander'
import { DEMO_PRESETS, isLoopback, loadConfig } from '../config.ts'
import { CommandError, type Context } from './context.ts'
import { progressBar } from './progress.ts'

export function serveCommand(program: Command, context: Context): void {
  program
    .command('serve')
    .description('serve the API until SIGTERM')
    .option(
      '--demo',
      'the demo restaurant, in a folder of its own (data/demo) that is filled if it is empty; on loopback only',
      false,
    )
    .option('--lan', 'HTTPS for the devices of the local network, with a page on port 8080 that connects them', false)
    .option('--live [speed]', 'with --demo: guests order and staff work, as `demo live` does')
    .action(async ({ demo, lan, live }: { demo: boolean; lan: boolean; live?: true | string }) => {
      const config = loadConfig(undefined, {
        ...(demo && { ...DEMO_PRESETS, COMPTOIR_COMPAT_PATH: '/open-api/v2' }),
        ...(lan && { COMPTOIR_LAN: '1' }),
      })
      if (lan && !config.COMPTOIR_LAN) throw new CommandError('--lan, but COMPTOIR_LAN says 0: remove one of them')
      if (live && !demo) throw new CommandError('--live goes with --demo')
      if (demo && !isLoopback(config.HOST))
        throw new CommandError(
          `--demo has secrets that everybody knows: it serves loopback only, not ${lan ? 'a network with --lan' : `HOST ${config.HOST}`}`,
        )
      const { serve } = await import('../serve.ts') // the server is loaded by the one command that needs it
      const stopGuests = live ? startGuests(live === true ? '1' : live) : () => {}
      try {
        await serve(config, { demo, json: context.json }, progressBar(context, 'Making the demo restaurant', 1))
      } finally {
        stopGuests()
      }
    })
}

/** The living demo is a process of its own, as its clients are: it waits until something is served. */
function startGuests(speed: string): () => void {
  const [, bin] = process.argv
  // Forked, not spawned: it ends when this process is gone, however that ended.
  const guests = fork(bin!, ['demo', 'live', '--speed', speed, '--wait'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return () => guests.kill('SIGTERM')
}
