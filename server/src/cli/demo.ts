import type { Command } from 'commander'
import { DEMO_PRESETS } from '../config.ts'
import { fillDemo } from '../demo/fill.ts'
import { CommandError, type Context, printResult, withKeys } from './context.ts'
import { liveCommand, stepCommands } from './live.ts'
import { integer } from './options.ts'
import { progressBar } from './progress.ts'

export function demoCommand(program: Command, context: Context): void {
  const demo = program
    .command('demo')
    .description('fill an empty database, by default in data/demo, with the demo restaurant')
    .option('--scale <n>', 'its size: n × 200 products and about n × 2,000 receipts', integer)
    .action(async ({ scale }: { scale?: number }) => {
      if (scale !== undefined && (scale < 1 || scale > 10_000))
        throw new CommandError('--scale is a whole number from 1 to 10000')
      const filled = await withKeys(async (db, keys) => {
        const bar = progressBar(context, 'demo', 1)
        try {
          return await fillDemo(db, keys, { now: new Date(), scale, progress: (done, total) => bar.show(done / total) })
        } finally {
          bar.end()
        }
      }, DEMO_PRESETS)
      if (!filled) throw new CommandError('The database is not empty: the demo restaurant needs an empty one')
      printResult(context, { brand: 'demo' }, 'The demo restaurant is ready: brand demo.')
    })
  liveCommand(demo, context)
  stepCommands(demo, context)
}
